"""An answer piece by piece. `engine.apply` runs on to the next choice, past whole battles and phases; who tells what
happened wants to stop in between.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..engine import clone
from ..engine.actions import NUM_ACTIONS
from ..engine.checks import check_game
from ..engine.compiled import States, entry
from ..engine.flow import answer, fill_mask, only_answer, openly_forced, resume
from ..engine.ids import NONE, Decision
from ..engine.rules.resolution import Step, compare
from ..engine.stack import Routine, no_question
from ..engine.state import MAX_DECISIONS, Frame

RESUMED = -1
STOPPED = -2


@entry
def go_on(states: States, index: int, action: int) -> int:
    """Do one piece of what `engine.apply` does at once.

    Answers the open question with `action`; with RESUMED lets one routine go on, or gives the one answer of a question
    that is not asked. Returns the action answered, RESUMED, or STOPPED where `apply` stops too, with nothing changed.
    """
    check_game(states, index)
    s = states[index]
    if s.over == 1:
        return STOPPED
    if action != RESUMED and (action < 0 or action >= NUM_ACTIONS or s.mask[action] == 0):
        raise ValueError("action must be legal, or RESUMED")
    if action < 0 and s.decision != Decision.NONE:
        if s.decisions >= MAX_DECISIONS:
            s.truncated = 1
            s.over = 1
        elif s.skip_forced == 0 or not openly_forced(s):
            return STOPPED
        else:
            action = only_answer(s)
    if action >= 0:
        answer(s, action)
    elif s.over == 0:
        no_question(s)
        resume(s)
    if s.over == 1:
        no_question(s)
        s.num_legal = 0
        s.mask[:] = 0
    elif s.decision != Decision.NONE:
        fill_mask(s)
    return action if action >= 0 else RESUMED


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
