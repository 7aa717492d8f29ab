"""An answer piece by piece. `engine.apply` runs on to the next choice, past whole battles and phases; who tells what
happened wants to stop in between.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..core.compiled import entry
from ..engine import NONE, RESUMED, STOPPED, Decision, Frame, Routine, States, check_game, clone, compare, go_on
from ..engine import ResolutionStep as Step


@entry
def compare_totals(states: States, index: int) -> None:
    """Fill the totals and the winner of a battle that is about to be compared (rules 4.6)."""
    check_game(states, index)
    compare(states[index])


class Piece(NamedTuple):
    """One piece: arrays of one record each, before and after it."""

    before: States
    after: States
    action: int  # the answer, or RESUMED
    routine: int  # the Routine that went on, or NONE

    @property
    def step(self) -> int:
        """The step at which the routine went on."""
        return frame(self.before[0], Frame.STEP)


def frame(s: np.record, column: int) -> int:
    """A column of the topmost frame of the stack of routines."""
    return int(s.stack[s.depth - 1, column])


def pieces(states: States, index: int, action: int) -> Iterator[Piece]:
    """What a legal action sets off, piece by piece; the game itself is not changed.

    Where totals are about to be compared, `before` has them and the winner already.
    """
    current = clone(states, index)
    while True:
        before = clone(current, 0)
        routine = NONE
        if action < 0 and before[0].decision == Decision.NONE:
            routine = frame(before[0], Frame.ROUTINE)
            if routine == Routine.RESOLUTION and frame(before[0], Frame.STEP) == Step.COMPARE:
                compare_totals(before, 0)
        result = go_on(current, 0, action)
        if result == STOPPED:
            return
        yield Piece(before, clone(current, 0), result, routine)
        action = RESUMED
