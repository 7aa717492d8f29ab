"""Golden games and behaviour signatures of Berserk and its modes, plain Python against compiled, and invariants."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from berserk_golden import FILES, FOLDER, GAMES, SIGNATURES, game_text, part_of, signature
from berserk_position import FIRST, SECOND, struck

from bloodrage_env import games
from bloodrage_env.games.berserk.engine import NONE, Decision

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", GAMES)
def test_golden_games(name):
    """If a rule was meant to change, `python -m tests.make_golden` writes them again; name the rule in the commit."""
    assert game_text(*GAMES[name]).splitlines() == (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("game", SIGNATURES)
def test_the_rules_behave_as_before(game):
    assert signature(game) == (FOLDER / FILES[game]).read_text(encoding="utf-8").strip()


def test_the_golden_games_are_small_and_have_many_questions():
    questions = {line.split()[1] for path in FOLDER.glob("*.txt") for line in path.read_text().splitlines()
                 if line[:1].isdigit() and len(line.split()) > 2}  # fmt: skip
    assert len(questions) >= 12
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 400_000


def test_every_form_of_the_game_has_a_signature_and_golden_games():
    forms = {name for name in games.all_names() if name != games.FIRST}
    assert forms == {*SIGNATURES} == {options.game for _, options in GAMES.values()}


@pytest.mark.parametrize(
    "options",
    [*(options for each in SIGNATURES.values() for options in each), games.options_from("berserk", placing="at_once")],
    ids=lambda options: f"{options.game}, {options}",
)
def test_invariants_hold_in_random_games(options):
    engine, tally = part_of(options.game, "engine"), np.zeros(4, np.int64)
    count = 3 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 300
    states, numbers = np.zeros(1, engine.STATE), options.numbers()
    assert engine.play_checked(states, 0, count, numbers, tally) == -1, engine.Invariant(int(tally[1])).name
    assert tally[0] > 20 * count


@pytest.mark.parametrize("name", SIGNATURES)
def test_records_from_elsewhere_are_not_believed(name):
    """What is damaged is refused, or can be played on."""
    engine, game, rng = part_of(name, "engine"), games.game(name), np.random.default_rng(0)
    refused = 0
    for number in range(150):
        states = game.new_game(number, SIGNATURES[name][number % len(SIGNATURES[name])])
        engine.play_random(states, 0, number, int(rng.integers(60)))
        engine.check_state(states, 0)
        data = states.view(np.uint8)
        data[rng.integers(len(data))] ^= np.uint8(1 << rng.integers(8))
        if is_game(game, states):
            for seat in range(int(states[0].num_players)):
                engine.hide(states, 0, seat)
                engine.redeal(states, 0, seat, number)
            engine.play_random(states, 0, number, 200)
        else:
            refused += 1
    assert refused > 75


def test_a_question_in_the_place_of_another_is_refused_or_can_be_answered():
    """rules 7.18, 7.28: what a strike asks, of its target beside a free cell or a taken one."""
    game = games.game("berserk")
    passed = []
    for card in ("Hammerer", "Gully Gnome"):
        for near in ([], [("Nomad", 22)]):
            p, *_ = struck(card, "Orc", 1, 1, theirs_near=near)
            for decision in (Decision.CLOSE_OR_WOUND, Decision.PUSH, Decision.GO_OR_WOUND):
                states = p.states.copy()
                states[0].moves[states[0].cell == NONE] = 0  # of the squads that the position does not have
                states[0].decision, states[0].seat = decision, FIRST if decision == Decision.PUSH else SECOND
                if is_game(game, states):
                    passed.append((decision, len(near)))
                    for action in states[0].mask.nonzero()[0].tolist():
                        after = game.play.clone(states, 0)
                        game.play.apply(after, 0, action)
                        assert is_game(game, after), (card, decision.name, near)
    assert passed.count((Decision.GO_OR_WOUND, 0)) == 2
    assert (Decision.GO_OR_WOUND, 1) not in passed
    assert {decision for decision, _ in passed} == {Decision.CLOSE_OR_WOUND, Decision.PUSH, Decision.GO_OR_WOUND}


def is_game(game: Any, states: np.ndarray) -> bool:
    """Whether a record is believed; if not, the reason is given in one line."""
    try:
        game.check_state(states, 0)
    except ValueError as error:
        return not re.fullmatch("this state is damaged: .*", str(error))
    return True


def content(states: np.ndarray) -> int:
    """The sum of the bytes of a game; numpy leaves the padding between them undefined in copies."""
    return sum(sum(states[name].tobytes()) for name in states.dtype.names or ())


def trace(name: str) -> list[list[float]]:
    """What happens in some games: answers, observations, redeals, by sums and bytes."""
    engine, game = part_of(name, "engine"), games.game(name)
    rows = []
    vector = np.zeros(game.observation_size, np.float32)
    for seed, options in enumerate(SIGNATURES[name]):
        rng = np.random.default_rng(seed)
        states = game.new_game(seed, options)
        for _ in range(60):
            if engine.is_over(states, 0):
                break
            engine.apply(states, 0, int(rng.choice(states[0].mask.nonzero()[0])))
            row = [float(content(states))]
            for seat in range(options.num_players):
                game.observe.observe(states, 0, seat, vector)
                row += [float(vector.sum()), float(vector @ np.arange(len(vector), dtype=np.float32) / 1000)]
                row += [float(content(engine.redeal(states, 0, seat, seed)))]
                row += [float(content(engine.hide(states, 0, seat)))]
            rows.append(row)
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("name", SIGNATURES)
def test_plain_python_plays_the_same_games(name):
    """A number that overflows would warn there."""
    code = f"import json, test_berserk_golden as t; print(json.dumps(t.trace({name!r})))"
    paths = os.pathsep.join((str(ROOT), str(ROOT / "tests")))
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", code],
        env=os.environ | {"PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    for number, (row, wanted) in enumerate(zip(json.loads(done.stdout), trace(name), strict=True)):
        assert row == pytest.approx(wanted, rel=1e-6), number
