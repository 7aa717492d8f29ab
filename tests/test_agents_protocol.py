"""What holds for every shipped agent: legal play, by what its seat knows, and the same again from the same seeds."""

import copy
import sys
from functools import lru_cache

import numpy as np
import pytest
from random_play import differing, games_in_the_middle

from bloodrage_agents import registry
from bloodrage_agents.base import Agent, View
from bloodrage_agents.match import ask, play_game, reset
from bloodrage_agents.random import RandomAgent
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.ids import CardSet
from bloodrage_env.games.bloodrage.options import CardSets, Options
from bloodrage_env.games.bloodrage.replay import Replay

# Thinking is counted in simulations here: time would make each game another one.
THINKERS = {"flat": "flat:simulations=10", "ismcts": "ismcts:simulations=10"}
AGENTS = [THINKERS.get(name, name) for name in registry.alone()]


def options_of(states):
    s = states[0]
    sets = tuple(name for name in CardSets.NAMES if int(s.sets) >> CardSet[name.upper()] & 1)
    return Options(int(s.num_players), bool(s.first_game), bool(s.skip_forced), sets)


@lru_cache
def pairs():
    """Games in the middle, each with another one that its seat to act can't tell from it, and that seat."""
    found = []
    for number, (_, states, _) in enumerate(games_in_the_middle(range(48), 0.08)):
        if states[0].over or states[0].num_legal < 2:
            continue
        seat = int(states[0].seat)
        world = engine.redeal(states, 0, seat, number)
        if "hand" in differing(states, world):
            found.append((engine.clone(states, 0), world, seat))
    return found


def distinguishable(make, every=1):
    """How many pairs there are, and the numbers of those in which an agent acts differently from the same seed."""
    apart = []
    begun = make()
    for number, (states, world, seat) in enumerate(pairs()[::every]):
        actions = []
        for game in (states, world):
            agent = copy.deepcopy(begun)
            reset(agent, seat, options_of(game))
            actions.append(ask(agent, game, 0, seat, np.random.default_rng(number), game="bloodrage"))
        if actions[0] != actions[1]:
            apart.append(number)
    return len(pairs()[::every]), apart


@pytest.mark.parametrize("spec", AGENTS)
def test_an_agent_acts_by_what_its_seat_knows(spec):
    """rules 2.6: with other hidden cards it does the same."""
    slow = spec == "network" or spec in THINKERS.values()  # to think, or to load
    count, apart = distinguishable(lambda: registry.make(spec), every=5 if slow else 1)
    assert count > (80 if slow else 400)
    assert apart == []


class Peeks(RandomAgent):
    """Looks for the true game where Python lets it, and acts by the hands of the others."""

    def act(self, observation, action_mask, rng):
        states = sys._getframe(1).f_locals["states"]
        return self.by_hands(states[0], action_mask)

    def by_hands(self, s, action_mask):
        legal = np.flatnonzero(action_mask)
        hidden = sum(int((s.hand[seat] * np.arange(s.hand.shape[1])).sum()) for seat in range(5) if seat != s.seat)
        return int(legal[hidden % len(legal)])


class PeeksAtView(Peeks):
    """Acts by what its view says of the hands of the others, which is nothing."""

    sees = "view"

    def act(self, observation, action_mask, rng):
        return self.by_hands(observation.record[0], action_mask)


def test_an_agent_that_knows_more_is_found_out(monkeypatch):
    count, apart = distinguishable(Peeks)
    assert len(apart) > count / 3
    assert distinguishable(PeeksAtView)[1] == []
    monkeypatch.setattr(
        View, "of", classmethod(lambda cls, states, index, seat, game: cls(engine.clone(states, index), seat, game))
    )
    count, apart = distinguishable(PeeksAtView)
    assert len(apart) > count / 3


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
@pytest.mark.parametrize("spec", AGENTS)
def test_an_agent_plays_whole_games(spec, num_players):
    """At every seat, without a forfeit, and the same game again from the same seeds."""
    sets = ("p5", "ks", "mystics") if num_players == 5 else ()
    options = Options(num_players, first_game=num_players == 3, skip_forced=num_players != 2, sets=sets)
    agents = [registry.make(spec) for _ in range(num_players)]
    one, other = (play_game(agents, num_players, options, range(num_players)) for _ in range(2))
    assert one.forfeit_reason is None
    replay = Replay(one.seed, options, one.actions, scores=one.scores)
    assert replay.verify()[0].over
    assert one.actions == other.actions


def test_an_agent_without_a_way_to_act_says_so():
    with pytest.raises(NotImplementedError):
        Agent().act(None, np.ones(1, np.int8), np.random.default_rng(1))
