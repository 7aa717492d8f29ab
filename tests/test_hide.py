"""Hide: what one seat knows of a game, as a record. It must hold all of that and not a trace of anything else."""

import numpy as np
import pytest
from random_play import differing
from test_redeal import HIDDEN, observed, positions, waits

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine.ids import NONE
from bloodrage_env.games.bloodrage.engine.state import NOTHING

QUESTION = {"decision", "decisions", "seat", "about_place", "stack"}  # of a question that is asked in secret


@pytest.mark.slow
def test_a_redeal_hides_to_the_same_record():
    """The hidden cards drawn anew make no difference (rules 2.6)."""
    count = 0
    for seed, states, seat, number in positions(0.05):
        where = f"seed {seed}, decision {states[0].decisions}, seat {seat}"
        before = states.copy()
        view = engine.hide(states, 0, seat)
        assert not differing(states, before), f"{where}: the original changed"
        other = engine.redeal(states, 0, seat, number)
        assert not differing(engine.hide(other, 0, seat), view), f"{where}: the hidden cards shine through"
        assert not differing(engine.hide(view, 0, seat), view), f"{where}: hiding twice is hiding once"
        count += 1
    assert count > 4000


@pytest.mark.slow
def test_nothing_that_the_seat_knows_is_lost():
    """Its observation, its redeals and its own cards are as in the game itself."""
    for seed, states, seat, number in positions(0.03):
        where = f"seed {seed}, decision {states[0].decisions}, seat {seat}"
        s, view = states[0], engine.hide(states, 0, seat)
        assert set(differing(states, view)) <= (HIDDEN | QUESTION if waits(states, seat) else HIDDEN), where
        assert np.array_equal(observed(states, seat), observed(view, seat)), where
        assert not differing(engine.redeal(states, 0, seat, number), engine.redeal(view, 0, seat, number)), where
        for name in ("hand", "quests", "pending", "gone"):
            assert np.array_equal(s[name][seat], view[0][name][seat]), f"{where}: own {name}"
        if s.seat == seat:
            assert np.array_equal(s.mask, view[0].mask), where


def test_nothing_of_the_others_is_left():
    """Their hands, quests, choices and the mask of their questions are empty."""
    for seed, states, seat, _ in positions(0.03):
        where = f"seed {seed}, decision {states[0].decisions}, seat {seat}"
        s, v = states[0], engine.hide(states, 0, seat)[0]
        others = [other for other in range(int(s.num_players)) if other != seat]
        assert not v.hand[others].any(), where
        assert not v.gone[others].any(), where
        assert set(v.pending[others].ravel().tolist()) <= {NONE, NOTHING}, where
        assert v.quests_open or (v.quests[others] == NONE).all(), where
        if s.seat != seat:
            assert v.num_legal == 0, where
            assert not v.mask.any(), where
