"""`training/tune_style.py`: what is held stays, both signs play the same games, and the result is told by name."""

from argparse import ArgumentTypeError
from pathlib import Path

import numpy as np
import pytest

import tune_style
from bloodrage_agents.compiled.weights import NUM_WEIGHTS, STYLES, TABLE, Weight
from bloodrage_env.engine import Card
from tune_style import Search, held_weight, limited, played, spreads, told

BALANCED = TABLE[STYLES.index("balanced")].astype(np.float64)


def search(seed: int) -> Search:
    spread = spreads(BALANCED, [Weight.QUEST])
    return Search(BALANCED.copy(), spread, 3, 2, np.random.default_rng(seed))


def test_a_step_changes_all_but_what_is_held() -> None:
    found = search(1)
    assert 0 <= found.step(0.5) <= 1
    same = found.row == BALANCED
    named = (Weight.QUEST, Weight.NOISE, Weight.PASS, Weight.HUNT, NUM_WEIGHTS + Card.WIDESPREAD_1)
    assert same[[*named]].all()
    assert not same[[Weight.RAGE, Weight.CROWD, NUM_WEIGHTS + Card.TROLL]].any()
    again = search(1)
    again.step(0.5)
    assert (again.row == found.row).all()


def test_shares_stay_shares() -> None:
    rows = limited(np.stack([BALANCED + 9, BALANCED - 9]))
    assert rows[:, Weight.GUESS].tolist() == [1.0, 0.0]
    assert rows[0, Weight.QUEST] == BALANCED[Weight.QUEST] + 9


def test_both_signs_play_the_same_games() -> None:
    """With no change at all each game of one sign is that of the other."""
    table = np.concatenate([TABLE, np.tile(BALANCED, (4, 1))]).astype(np.float32)
    plus, minus = played(table, 2, 4, 3, np.random.default_rng(3))
    assert (plus == minus).all()
    assert plus[0] != plus[1]


def test_a_style_that_passes_is_worth_less() -> None:
    lazy = BALANCED.copy()
    lazy[Weight.PASS] = 99.0
    table = np.concatenate([TABLE, [BALANCED], [lazy]]).astype(np.float32)
    plus, minus = played(table, 1, 12, 4, np.random.default_rng(3))
    assert plus[0] > minus[0] + 0.2


def test_numbers_are_told_as_a_column_of_the_table() -> None:
    row = BALANCED.copy()
    row[Weight.HUNT] = 0.5
    row[NUM_WEIGHTS + Card.TROLL] = 1.25
    head, *lines = told(row, "fox").splitlines()
    found = dict(line.split(",") for line in lines)
    assert head == "name,fox"
    assert (found["HUNT"], found["TROLL"], found["RAGE"]) == ("0.50", "1.25", "1.13")
    assert "WIDESPREAD_1" not in found  # of a set that is not played


@pytest.mark.parametrize("text", ["HATE=1", "HUNT", "HUNT=much"])
def test_a_weight_that_cannot_be_held_is_named(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=text.partition("=")[0]):
        held_weight(text)


def test_the_script_writes_what_it_found(tmp_path: Path) -> None:
    out = tmp_path / "fox.csv"
    tune_style.main([str(out), "--hold", "HUNT=1", "--minutes", "0.001", "--pairs", "2", "--deals", "1"])
    assert out.read_text().startswith("name,fox\n")
    assert "\nHUNT,1.00\n" in out.read_text()
