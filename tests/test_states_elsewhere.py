"""Records from elsewhere: each number in its range, each invariant kept, and nothing that passes leaves the record."""

import json
import os
import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from env_play import play, started
from random_play import games_in_the_middle

from bloodrage_env import games
from bloodrage_env.core.engine import record
from bloodrage_env.core.engine.ranges import first_out_of_range
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import STATE
from bloodrage_env.games.bloodrage.engine.invariants import check_state
from bloodrage_env.games.bloodrage.engine.state import GROUPS
from bloodrage_env.games.bloodrage.env import BloodRage

TESTS = Path(__file__).resolve().parent
NAMES = STATE.names or ()
BOUNDS = record.bounds(GROUPS)


@pytest.fixture
def game() -> Any:
    states = engine.new_game(3, 4)
    engine.play_random(states, 0, 3, 60)
    return states


@pytest.mark.parametrize("name", NAMES)
def test_a_number_out_of_its_range_is_found_wherever_it_is(name: str, game: Any) -> None:
    """The bounds themselves are in it, the numbers beyond are not, at the first and the last place of the field."""
    kept = game.tobytes()
    for place in (0, -1):
        low, high = (int(bounds[name].reshape(-1)[place]) for bounds in BOUNDS)
        for wrong, bound in ((low - 1, low), (high + 1, high)):
            states = np.ndarray(1, STATE, bytearray(kept))
            field = states[name].reshape(-1)
            field[place] = bound
            assert first_out_of_range(GROUPS, states, 0) == ""
            field[place] = wrong
            assert first_out_of_range(GROUPS, states, 0).startswith(name)
            assert f"is {wrong}, not {low} to {high}" in first_out_of_range(GROUPS, states, 0)
            with pytest.raises(ValueError, match=f"^this state is damaged: {name}"):
                check_state(states, 0)


@pytest.mark.parametrize("name", games.all_names())
def test_every_routine_that_can_wait_has_a_frame_and_every_question_an_asker(name: str) -> None:
    """Of all routines but those that leave the stack before they ask or call."""
    frames, ids = (import_module(f"bloodrage_env.games.{name}.engine.{part}") for part in ("frames", "ids"))
    leaves = {"FREE_INVADE"} if name == games.FIRST else set()
    assert {routine.name for routine in set(ids.Routine) - set(frames.LIMITS)} == leaves
    assert {wait.routine for wait in frames.WAITS} == set(frames.LIMITS)
    assert {decision for wait in frames.WAITS for decision in wait.asks} == set(ids.Decision) - {ids.Decision.NONE}


def test_games_that_are_played_pass_and_so_do_their_redeals() -> None:
    for seed, states, rng in games_in_the_middle(range(48), share=0.1):
        check_state(states, 0)
        seat = int(rng.integers(states[0].num_players))
        check_state(engine.redeal(states, 0, seat, seed), 0)


# One number each that `broken_invariant` did not look at, in games where it is read or written later.
DAMAGES = [
    ("decision", (), 99),
    ("about_place", (), 127),
    ("upgrades", (0, 7), 127),
    ("ragnarok", (0,), 40),
    ("token", (3,), 77),
    ("phase", (), 100),
    ("first_player", (), 5),
    ("deck", (1, 0), 120),
    ("pending", (1, 0), 88),
    ("stack", (0, 0), 4),
    ("stack", (1, 2), 400),
    ("stack", (1, 1), -1),
    ("draft_round", (), 9),
    ("known_since", (1, 2, 0), -3),
    ("shown_count", (0, 1), 100),
    ("main", (1,), 110),
    ("winner", (), 9),
    ("dying", (4,), 3),
    ("march", (1,), 8),
]


@pytest.mark.parametrize(("name", "place", "value"), DAMAGES)
def test_a_damaged_record_is_refused_by_states_and_pickles(name: str, place: tuple[int, ...], value: int) -> None:
    env = started(seed=12)
    play(env, np.random.default_rng(13), 60)
    state = env.get_state()
    state[name][(0, *place)] = value
    with pytest.raises(ValueError, match=r"^this state is damaged: "):
        env.set_state(state)
    saved = env.__getstate__() | {"_states": state.tobytes()}
    with pytest.raises(ValueError, match=r"^this state is damaged: "):
        BloodRage.__new__(BloodRage).__setstate__(saved)
    play(pickle.loads(pickle.dumps(env)), np.random.default_rng(14))


@pytest.mark.parametrize("name", games.all_names())
def test_an_open_question_is_not_beyond_those_that_a_game_can_have(name: str) -> None:
    """The answer to it would lead out of the range of the number of decisions."""
    game = games.game(name)
    states = game.new_game(3, games.options_from(name))
    states[0].decisions = game.max_decisions - 1
    game.check_state(states, 0)
    states[0].decisions = game.max_decisions
    with pytest.raises(ValueError, match="invariant QUESTION"):
        game.check_state(states, 0)


@pytest.mark.parametrize("name", ["berserk", "berserk_team"])
@pytest.mark.parametrize("field", ["stepped", "entered", "wounds", "tokens", "moves", "extra_armour"])
def test_a_card_that_is_placed_has_not_acted(name: str, field: str) -> None:
    """Before it is turned up; it would be found only as the battle begins."""
    game, placement = games.game(name), import_module(f"bloodrage_env.games.{name}.engine").Phase.PLACEMENT
    states, rng = game.new_game(3, games.options_from(name)), np.random.default_rng(1)
    while not (states[0].phase == placement and states[0].face_down.any()):
        game.play.apply(states, 0, int(rng.choice(states[0].mask.nonzero()[0])))
    game.check_state(states, 0)
    states[0][field][states[0].face_down.argmax()] = 1
    with pytest.raises(ValueError, match=r"^this state is damaged: "):
        game.check_state(states, 0)


def fuzzed(game: str, records: int, seed: int, **variables: str) -> dict[str, int]:
    """What `fuzz_states.py` counts, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "fuzz_states.py", game, str(seed), str(records)],
        cwd=TESTS,
        env=os.environ | {"PYTHONPATH": str(TESTS.parent)} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"ended by {done.returncode}: {done.stderr[-2000:]}"
    output: dict[str, int] = json.loads(done.stdout)
    assert "failed" not in output, done.stderr[-2000:]
    return output


@pytest.mark.slow
@pytest.mark.parametrize("game", games.all_names())
def test_damaged_records_are_refused_or_play_within_the_record(game: str) -> None:
    output = fuzzed(game, 4000, seed=1)
    assert output["refused"] > 1000
    assert output["played"] > 100
