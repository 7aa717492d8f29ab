"""The answer of a search: the move that the agent plays, and what advice, labels and values are made of."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from bloodrage_agents import parts, registry
from bloodrage_agents.base import View, draw_seed
from bloodrage_agents.ismcts import Ismcts, children, move_of
from bloodrage_agents.mcts.nodes import ROOT
from bloodrage_agents.mcts.settings import Setting
from bloodrage_agents.network import SHIPPED
from bloodrage_agents.search import SearchAgent
from bloodrage_env import games
from bloodrage_env.study import Analyst, analysis_data

FORMS = [("bloodrage", 2), ("bloodrage", 4), ("berserk", 2), ("berserk_laar", 1), ("berserk_laar", 2)]
SEARCHES = [
    "flat:simulations=60",
    "ismcts:simulations=60",
    "ismcts:simulations=60,candidates=4",
    "ismcts:simulations=60,threads=3",
    "ismcts:ms=3",
    "ismcts:simulations=100,path=shipped",
    "ismcts:simulations=800,path=shipped",
    "ismcts:simulations=60,path=shipped,candidates=0",
    "ismcts:simulations=60,path=shipped,noise=1",
    "ismcts:simulations=60,path=shipped,threads=2",
    "ismcts:simulations=60,path=shipped,threads=2,candidates=0",
    "ismcts:ms=3,path=shipped",
    "ismcts:ms=3,path=shipped,threads=2",
]


def views(name: str, players: int, count: int = 12) -> Iterator[View]:
    """Questions with a choice, from games with random answers."""
    play, rng = games.game(name).play, np.random.default_rng(players)
    for seed in range(count):
        states = games.game(name).new_game(seed, games.options_from(name, num_players=players))
        for _ in range(int(rng.integers(5, 200))):
            legal = np.flatnonzero(states[0].mask)
            later = states.copy()
            play.apply(later, 0, int(rng.choice(legal)))
            if play.is_over(later, 0):
                break
            states = later
        if states[0].num_legal > 1:
            yield View.of(states, 0, play.seat_to_act(states, 0), name)


@cache
def analyst(name: str) -> Analyst:
    return games.study(name).analyst("network")


@pytest.mark.parametrize(("name", "players"), FORMS)
@pytest.mark.parametrize("simulations", [3, 100, 800])
def test_advice_is_the_move_of_the_search(name: str, players: int, simulations: int) -> None:
    agent, several = Ismcts(simulations, path=SHIPPED, game=name), 0
    for number, view in enumerate(views(name, players, 12 if simulations <= 100 else 4)):
        mask, seed = view.record[0].mask.copy(), draw_seed(np.random.default_rng(number))
        played = agent.act(view, mask, np.random.default_rng(number))
        found = analyst(name).analyse(view, seed, simulations)
        assert found.best == found.tried[0].action == played
        assert analysis_data(found, str, str)["search"][0][0] == played
        several += len(found.tried) > 1
    assert several > 0


def test_the_third_question_of_a_game_of_four() -> None:
    """The hint was another card than the one that the same search takes: both had as many visits."""
    game = games.game("bloodrage")
    states, play = game.new_game(501, games.options_from("bloodrage", num_players=4)), game.play
    for _ in range(2):
        play.apply(states, 0, int(states[0].mask.argmax()))
    found = analyst("bloodrage").analyse(View.of(states, 0, play.seat_to_act(states, 0), "bloodrage"), 501, 100)
    assert found.best == 46
    assert found.tried[1].action == 47
    assert found.tried[0].visits == found.tried[1].visits


def test_no_search_is_missing_here() -> None:
    named = {spec.split(":")[0] for spec in SEARCHES}
    for name, _ in FORMS:
        for agent in parts.table(name).agents:
            given = "" if agent not in ("flat", "ismcts") else ":simulations=1"
            if agent not in ("human", "llm"):
                assert isinstance(registry.make(agent + given, name), SearchAgent) == (agent in named)


@pytest.mark.parametrize(("name", "players"), [*FORMS, ("berserk_team", 4)])
@pytest.mark.parametrize("spec", SEARCHES)
def test_an_answer_is_what_the_agent_plays(spec: str, name: str, players: int) -> None:
    agent = registry.make(spec, name)
    assert isinstance(agent, SearchAgent)
    for number, view in enumerate(views(name, players, 3)):
        mask, legal = view.record[0].mask.copy(), np.flatnonzero(view.record[0].mask)
        answer = agent.search(view, legal, draw_seed(np.random.default_rng(number)), agent.budget.start())
        if agent.budget.ms is None:
            assert agent.act(view, mask, np.random.default_rng(number)) == answer.move
        assert len(set(answer.moves.tolist())) == len(answer.moves) <= len(legal)
        assert mask[answer.moves].all()
        assert answer.visits[-1] > 0
        halves_apart = isinstance(agent, Ismcts) and len(agent.trees) > 1 and agent.settings[Setting.CANDIDATES] > 0
        assert (np.diff(answer.visits[1 if halves_apart else 0 :]) <= 0).all()
        assert answer.visits[0] >= answer.visits.max() / 2
        assert answer.values.shape == (len(answer.moves), players)
        own = answer.values[:, view.seat]
        assert ((own >= 0) & (own <= 1)).all()
        assert answer.wins[view.seat] == own[0]
        if isinstance(agent, Ismcts):
            assert players == 1 or answer.values.sum(1) == pytest.approx(1)
            root = sum(tree.nodes[ROOT]["values"][:players] for tree in agent.trees)
            assert answer.means == pytest.approx(root / answer.visits.sum())


@pytest.mark.parametrize(("name", "players"), FORMS)
def test_moves_with_as_many_visits_are_in_the_order_of_the_halving(name: str, players: int) -> None:
    """By logits plus weighted values; with the move of the search itself, which is not told here, in front."""
    agent, ties = Ismcts(100, path=SHIPPED, game=name), 0
    for number, view in enumerate(views(name, players)):
        answer = agent.search(view, np.flatnonzero(view.record[0].mask), number, agent.budget.start())
        nodes, settings = agent.trees[0].nodes, agent.settings
        scores = {move_of(nodes, child): float(nodes[child]["score"]) for child in children(nodes, ROOT)}
        weight = (settings[Setting.OFFSET] + answer.visits.max()) * settings[Setting.CONFIDENCE]
        heights = [
            scores[move] + weight * value
            for move, value in zip(answer.moves.tolist(), answer.values[:, view.seat], strict=True)
        ]
        for one in range(len(heights) - 1):
            if answer.visits[one] == answer.visits[one + 1]:
                assert heights[one] >= heights[one + 1] - 1e-9
                ties += 1
    assert ties > 3


def test_flat_prefers_by_the_stage_that_a_move_reaches() -> None:
    agent = registry.make("flat:simulations=240", "bloodrage")
    assert isinstance(agent, SearchAgent)
    for number, view in enumerate(views("bloodrage", 4)):
        legal = np.flatnonzero(view.record[0].mask)
        answer = agent.search(view, legal, number, agent.budget.start())
        assert sorted(answer.moves.tolist()) == legal.tolist()
        own = answer.values[:, view.seat]
        assert own[0] == own[answer.visits == answer.visits[0]].max()
        assert np.isnan(np.delete(answer.values, view.seat, 1)).all()


@pytest.mark.parametrize(("name", "players"), FORMS)
def test_win_probabilities_are_those_after_the_recommended_move(name: str, players: int) -> None:
    """The number over a recommendation is that of the recommended move, not a mean over all that were tried."""
    team = games.game(name).team
    for number, view in enumerate(views(name, players)):
        found = analyst(name).analyse(view, number, 60)
        assert team * found.wins[view.seat] == pytest.approx(found.tried[0].value, abs=1e-9)
