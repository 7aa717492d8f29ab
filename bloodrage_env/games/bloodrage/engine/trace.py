"""The pieces of an answer. `apply` continues to the next choice, past whole battles and phases; events need
the states in between.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ....core.engine.flow import RESUMED, STOPPED
from .api import clone, go_on
from .ids import NONE, Decision, Routine
from .previews import battle_outcome
from .rules.resolution import Step as ResolutionStep
from .state import Frame, States


class Piece(NamedTuple):
    """One piece of what an action sets off: the answer, or a routine that goes on; with the game before and after."""

    before: States
    after: States
    action: int  # the answer, or -1
    routine: int  # the Routine that went on, or NONE
    step: int  # at which it went on
    seat: int  # whose routine it is, or NONE
    place: int  # that it is about, or NONE
    following: int  # the Routine on top of the stack after the piece

    @property
    def compares(self) -> bool:
        """Whether the totals of a battle are compared (rules 4.6); `before` has them then."""
        return self.routine == Routine.RESOLUTION and self.step == ResolutionStep.COMPARE


def pieces(states: States, index: int, action: int) -> Iterator[Piece]:
    """What a legal action sets off, piece by piece; the game itself is not changed. ValueError for another action.

    The games are arrays of one record. Where totals are about to be compared, `before` has them and the winner already.
    """
    current = clone(states, index)
    while True:
        before = clone(current, 0)
        s = before[0]
        top = s.stack[s.depth - 1]
        resumes = action < 0 and s.decision == Decision.NONE
        routine = int(top[Frame.ROUTINE]) if resumes else NONE
        result = go_on(current, 0, action)
        if result == STOPPED:
            return
        after = clone(current, 0)
        following = int(after[0].stack[after[0].depth - 1, Frame.ROUTINE])
        step, seat, place = (int(top[column]) for column in (Frame.STEP, Frame.SEAT, Frame.PLACE))
        piece = Piece(before, after, result, routine, step, seat, place, following)
        if piece.compares:
            totals, s.winner = battle_outcome(before, 0)
            s.total[: len(totals)] = totals
        yield piece
        action = RESUMED
