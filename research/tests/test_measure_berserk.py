"""The tables of `research.measure.berserk`."""

from typing import Any

import numpy as np
import pytest

from research.measure import berserk


def test_tables_count_the_games_that_were_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decks and seats are swapped, so that parts are equal."""

    def play(seats: object, decks: object, count: int, *given: Any, **options: Any) -> berserk.Played:
        none = np.zeros(count, np.int64)
        return berserk.Played(np.full(count, 0.5), none, none > 0, none)

    monkeypatch.setattr(berserk, "play", play)
    player = berserk.choice_of_style("hold", berserk.GAME)
    assert {tuple(row[1:3]) for row in berserk.strength(player, 11, None)} == {("8", berserk.cell(0.5, 8))}
    (row,) = berserk.balance({"it": player}, 11)
    assert row == ["it", "10", *[berserk.cell(0.5, 10)] * 2, "0", "0.0 %"]
    for rows in (
        berserk.placing({"it": player}, {"it": 11}),
        berserk.decks_against_each_other({"it": player}, {"it": 11}),
    ):
        assert all("10" in row for row in rows)
    modes = berserk.modes(11)
    assert {row[4] for row in modes} == {"8", "10"}
    assert {len(row) for row in modes} == {len(berserk.HEADS["modes"])}
