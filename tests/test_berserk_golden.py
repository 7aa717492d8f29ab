"""Golden games and the behaviour signature of Berserk, plain Python against compiled, invariants in random games."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from berserk_golden import FOLDER, GAMES, SIGNATURE, game_text, signature
from berserk_position import content, new_game

from bloodrage_env.games.berserk import engine
from bloodrage_env.games.berserk.engine import Invariant
from bloodrage_env.games.berserk.game import GAME
from bloodrage_env.games.berserk.options import Options

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", GAMES)
def test_golden_games(name):
    """If a rule was meant to change, `python -m tests.make_golden` writes them again; name the rule in the commit."""
    assert game_text(*GAMES[name]).splitlines() == (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
def test_the_rules_behave_as_before():
    assert signature() == (FOLDER / "signature.txt").read_text(encoding="utf-8").strip()


def test_the_golden_games_are_small_and_have_many_questions():
    questions = {line.split()[1] for path in FOLDER.glob("*.txt") for line in path.read_text().splitlines()
                 if line[:1].isdigit() and len(line.split()) > 2}  # fmt: skip
    assert len(questions) >= 12
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 250_000


@pytest.mark.parametrize("options", [*SIGNATURE, Options(placing="at_once")], ids=str)
def test_invariants_hold_in_random_games(options):
    tally = np.zeros(4, np.int64)
    games = 3 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 300
    states, numbers = np.zeros(1, engine.STATE), np.array(options.numbers())
    assert engine.play_checked(states, 0, games, numbers, tally) == -1, Invariant(int(tally[1])).name
    assert tally[0] > 20 * games


def test_records_from_elsewhere_are_not_believed():
    """What is damaged is refused, or can be played on."""
    rng = np.random.default_rng(0)
    refused = 0
    for number in range(150):
        states = new_game(number, setup=("full", "fixed")[number % 2])
        engine.play_random(states, 0, number, int(rng.integers(60)))
        engine.check_state(states, 0)
        data = states.view(np.uint8)
        data[rng.integers(len(data))] ^= np.uint8(1 << rng.integers(8))
        if is_game(states):
            for seat in range(2):
                engine.hide(states, 0, seat)
                engine.redeal(states, 0, seat, number)
            engine.play_random(states, 0, number, 200)
        else:
            refused += 1
    assert refused > 75


def is_game(states: np.ndarray) -> bool:
    """Whether a record is believed; if not, the reason is given in one line."""
    try:
        engine.check_state(states, 0)
    except ValueError as error:
        return not re.fullmatch("this state is damaged: .*", str(error))
    return True


def trace() -> list[list[float]]:
    """What happens in some games: answers, observations, redeals, by sums and bytes."""
    rows = []
    vector = np.zeros(GAME.observation_size, np.float32)
    for seed, options in enumerate(SIGNATURE):
        rng = np.random.default_rng(seed)
        states = GAME.new_game(seed, options)
        for _ in range(60):
            if engine.is_over(states, 0):
                break
            engine.apply(states, 0, int(rng.choice(states[0].mask.nonzero()[0])))
            row = [float(sum(content(states)))]
            for seat in (0, 1):
                GAME.observe.observe(states, 0, seat, vector)
                row += [float(vector.sum()), float(vector @ np.arange(len(vector), dtype=np.float32) / 1000)]
                row += [float(sum(content(engine.redeal(states, 0, seat, seed))))]
                row += [float(sum(content(engine.hide(states, 0, seat))))]
            rows.append(row)
    return rows


@pytest.mark.slow
def test_plain_python_plays_the_same_games():
    """A number that overflows would warn there."""
    code = "import json, test_berserk_golden as t; print(json.dumps(t.trace()))"
    paths = os.pathsep.join((str(ROOT), str(ROOT / "tests")))
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", code],
        env=os.environ | {"PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    for number, (row, wanted) in enumerate(zip(json.loads(done.stdout), trace(), strict=True)):
        assert row == pytest.approx(wanted, rel=1e-6), number
