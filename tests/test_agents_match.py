"""One game between agents: what is recorded, and what comes of agents that do what they should not."""

import copy
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numba
import numpy as np
import pytest
from random_play import differing, games_in_the_middle

from bloodrage_agents import match, registry
from bloodrage_agents.base import View, agent_rng
from bloodrage_agents.match import MAX_REASON, Forfeit, ask, one_line, play_game
from bloodrage_agents.random import RandomAgent
from bloodrage_env import games
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.observation import OBSERVATION_SIZE, observe
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.games.bloodrage.replay import Replay

PLUG_INS = Path(__file__).parent / "plug_ins"
BAD, GOOD = PLUG_INS / "bad.py", PLUG_INS / "good.py"


def against_random(spec, options=None, seed=5, **rest):
    """A game of a plug-in at the last seat against random agents."""
    options = options or Options(3)
    agents = [RandomAgent() for _ in range(options.num_players - 1)] + [registry.make(str(spec))]
    return play_game(agents, seed, options, range(options.num_players), **rest)


# ---- a game


@pytest.mark.parametrize("options", [Options(2), Options(3, first_game=True), Options(4, skip_forced=False)])
def test_a_game_is_recorded_so_that_it_can_be_played_again(options):
    game = against_random(f"{GOOD}:Looker", options)
    assert game.forfeit_seat is None
    assert game.forfeit_reason is None
    replay = Replay(game.seed, options, game.actions, scores=game.scores)
    assert replay.verify()[0].over
    states, asked = replay.start(), [0] * options.num_players
    for action in game.actions:
        asked[engine.seat_to_act(states, 0)] += 1
        engine.apply(states, 0, action)
    assert game.decisions == tuple(asked)
    assert len(game.seconds) == options.num_players
    assert min(game.seconds) > 0


def test_thinking_time_is_that_of_all_decisions(monkeypatch):
    """On a clock that goes on by a second each time it is read."""
    monkeypatch.setattr(match, "perf_counter", map(float, itertools.count()).__next__)
    game = play_game([RandomAgent(), RandomAgent()], 1, Options(2), [1, 2])
    assert min(game.decisions) > 1
    assert game.seconds == game.decisions


def test_no_thinking_time_is_spent_on_compiling_or_loading():
    """In a new process: when the first agent is asked, every compiled function is ready."""
    code = """
from bloodrage_agents import registry
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_agents.match import play_game
from bloodrage_env.core.compile import decorators

class Watching:
    sees, cold = "view", []

    def __init__(self):
        self.player = registry.make("balanced")

    def act(self, view, mask, rng):
        self.cold.append(sum(not each.settled for each in decorators.entries))
        return self.player.act(view, mask, rng)

cold = sum(not each.settled for each in decorators.entries)
play_game([Watching(), Watching()], 1, Options(2), [1, 2])
print(cold, Watching.cold[0])
"""
    root = str(Path(__file__).resolve().parents[1])
    environment = {**os.environ, "PYTHONPATH": root}
    output = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    before, first = map(int, output.stdout.split())
    assert before > 0 or numba.config.DISABLE_JIT
    assert first == 0


def test_the_same_seeds_give_the_same_game():
    one, other = (against_random(f"{GOOD}:Looker") for _ in range(2))
    assert one.actions == other.actions
    agents = [RandomAgent() for _ in range(3)]
    assert play_game(agents, 5, Options(3), [0, 1, 2]).actions != play_game(agents, 5, Options(3), [0, 1, 3]).actions


def test_agents_are_shown_what_their_seat_knows():
    """The observation vector, or a view; and the mask of their question."""
    seen = []

    class Shown:
        def __init__(self, sees):
            self.sees = sees

        def act(self, observation, action_mask, rng):
            seen.append((observation, action_mask))
            return int(np.flatnonzero(action_mask)[0])

    for _, states, _ in games_in_the_middle(range(12), 0.05):
        if states[0].over:
            continue
        seat = int(states[0].seat)
        for sees in ("observation", "view"):
            ask(Shown(sees), states, 0, seat, np.random.default_rng(1), game="bloodrage")
        (vector, mask), (view, mask_too) = seen[-2:]
        expected = np.zeros(OBSERVATION_SIZE, np.float32)
        observe(states, 0, seat, expected)
        assert np.array_equal(vector, expected)
        assert not differing(view.record, engine.hide(states, 0, seat))
        assert np.array_equal(mask, states[0].mask)
        assert np.array_equal(mask_too, states[0].mask)
    assert len(seen) > 100


def test_a_view_redeals_and_observes_as_the_game_does():
    for seed, states, _ in games_in_the_middle(range(12), 0.03):
        for seat in range(int(states[0].num_players)):
            view = View.of(states, 0, seat)
            assert not differing(view.redeal(seed), engine.redeal(states, 0, seat, seed))
            expected = np.zeros(OBSERVATION_SIZE, np.float32)
            observe(states, 0, seat, expected)
            assert np.array_equal(view.observation(), expected)


class Listener(RandomAgent):
    """Keeps the events that it observes, and the first number of its generator."""

    def __init__(self):
        self.heard, self.drawn = [], None

    def act(self, observation, action_mask, rng):
        if self.drawn is None:
            self.drawn = copy.deepcopy(rng).random()
        return super().act(observation, action_mask, rng)

    def observe_events(self, events, step):
        self.heard.append((step, events))


def test_agents_that_listen_hear_of_each_action_what_their_seat_sees():
    agents = [Listener(), RandomAgent(), Listener()]
    game = play_game(agents, 5, Options(3), range(3))
    events, states = games.presentation("bloodrage").events, list(Replay(5, Options(3), game.actions).states())
    for seat in (0, 2):
        assert agents[seat].heard == [
            (step, [each.text for each in events(before, action, seat)])
            for step, (before, action) in enumerate(zip(states, game.actions, strict=False), start=1)
        ]


def test_each_seat_has_the_generator_of_its_own_seed():
    agents = [Listener(), Listener()]
    play_game(agents, 5, Options(2), [7, 8])
    assert [each.drawn for each in agents] == [agent_rng(7).random(), agent_rng(8).random()]


def test_an_agent_that_fails_as_it_listens_forfeits_whoever_has_played():
    class Deaf(RandomAgent):
        def observe_events(self, events, step):
            if step == 3:
                raise LookupError("what?")

    for seat in range(3):
        agents = [RandomAgent() for _ in range(3)]
        agents[seat] = Deaf()
        game = play_game(agents, 5, Options(3), range(3))
        assert (game.forfeit_seat, game.forfeit_reason) == (seat, "LookupError: what?")
        assert len(game.actions) == 3


# ---- bad agents


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("Answers:what=none", "answered with NoneType instead of an action id"),
        ("Answers:what=float", "answered with float instead of an action id"),
        ("Answers:what=bool", "answered with bool instead of an action id"),
        ("Answers:what=text", "answered with str instead of an action id"),
        ("Answers:what=scalar", "answered with float32 instead of an action id"),
        ("Answers:what=truth", "answered with bool instead of an action id"),
        ("Answers:what=array", "answered with ndarray instead of an action id"),
        ("Answers:what=list", "answered with list instead of an action id"),
        ("Answers:what=huge", "answered with a number that is not from 0 to 300"),
        ("Answers:what=negative", "answered with a number that is not from 0 to 300"),
        ("Answers:what=beyond", "answered with a number that is not from 0 to 300"),
        ("Answers:what=liar", "ValueError: no number after all"),
        ("Raises", "ValueError: no idea"),
        ("Exits", "SystemExit: 0"),
        ("GivesUp", "given up"),
        ("Recurses", "RecursionError: maximum recursion depth exceeded"),
        ("RaisesUnspeakable", "Unspeakable: (an error that can't be described)"),
        ("HidesAct", "AttributeError: gone"),
    ],
)
def test_a_fault_is_a_forfeit_with_a_reason(spec, reason):
    game = against_random(f"{BAD}:{spec}")
    assert game.forfeit_seat == 2
    assert game.forfeit_reason == reason
    assert game.decisions[2] == 1
    replay = Replay(game.seed, Options(3), game.actions, scores=game.scores)
    assert not replay.verify()[0].over
    assert replay.verify()[0].seat == 2


@pytest.mark.parametrize("what", ["illegal", "forged"])
def test_an_illegal_action_is_a_forfeit(what):
    """Also if the agent has made it legal in its copy of the mask."""
    game = against_random(f"{BAD}:Answers:what={what}")
    assert game.forfeit_seat == 2
    action = int(game.forfeit_reason.removeprefix("answered with action ").removesuffix(", which is not legal"))
    states = Replay(game.seed, Options(3), game.actions).at(-1)
    assert states[0].mask[action] == 0


def test_a_failing_reset_is_a_forfeit_before_the_first_decision():
    game = against_random(f"{BAD}:RaisesInReset")
    assert (game.forfeit_seat, game.forfeit_reason) == (2, "RuntimeError: not today")
    assert game.actions == ()
    assert game.decisions == (0, 0, 0)


def test_reasons_are_a_short_line_without_control_characters():
    reason = against_random(f"{BAD}:RaisesControls").forfeit_reason
    assert reason.startswith("ValueError: [31mred long")
    assert len(reason) == MAX_REASON
    assert reason.isprintable()
    for length in (MAX_REASON - 1, MAX_REASON):
        assert one_line("x" * length) == "x" * length
    assert one_line("x" * (MAX_REASON + 1)) == "x" * (MAX_REASON - 3) + "..."


def test_an_answer_that_took_too_long_is_a_forfeit():
    class Slow(RandomAgent):
        def act(self, observation, action_mask, rng):
            time.sleep(0.3)
            return super().act(observation, action_mask, rng)

    game = play_game([Slow(), RandomAgent()], 1, Options(2), [1, 2], seconds_a_decision=0.2)
    assert (game.forfeit_seat, game.forfeit_reason) == (0, "took longer than 0.2 s for a decision")
    assert 0.3 <= game.seconds[0] < 30


@pytest.mark.parametrize("name", ["Meddles", "MeddlesWithVector"])
def test_nothing_that_an_agent_does_to_what_it_is_given_reaches_the_game(name):
    """It fills mask, vector, record and options of this and earlier decisions with nonsense."""
    options = Options(3)
    game = against_random(f"{BAD}:{name}", options)
    meek = against_random(f"{GOOD}:First", Options(3))
    assert game.actions == meek.actions
    assert game.scores == meek.scores
    assert game.options == options == Options(3)


def test_what_an_agent_prints_harms_nothing(capsys):
    assert against_random(f"{GOOD}:Chatty").actions == against_random(f"{GOOD}:First").actions
    assert "thinking aloud" in capsys.readouterr().out


def test_ctrl_c_gets_through():
    """KeyboardInterrupt is never taken for an agent's fault."""
    with pytest.raises(KeyboardInterrupt):
        against_random(f"{BAD}:Interrupts")
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        against_random(f"{BAD}:Hangs")
    timer.join()


def test_a_forfeit_is_an_exception_of_its_own():
    states = engine.new_game(1, 2)
    with pytest.raises(Forfeit, match="no idea"):
        ask(
            registry.make(f"{BAD}:Raises"),
            states,
            0,
            engine.seat_to_act(states, 0),
            np.random.default_rng(1),
            game="bloodrage",
        )
