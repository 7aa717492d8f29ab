"""The stack of routines and the open question.

A routine is a chapter of the rules that can be interrupted: its frame keeps the step at which it goes on. `flow.py`
calls the routine on top until one of them asks. A card that interrupts pushes another routine.
"""

from enum import IntEnum

from ..core.compiled import rule
from . import actions
from .ids import NONE
from .state import FRAME_SIZE, Frame, State


class Routine(IntEnum):
    """The routines, by chapter."""

    GAME = 0
    GODS_GIFTS = 1
    ACTION_PHASE = 2
    DISCARD_PHASE = 3
    QUEST_PHASE = 4
    RAGNAROK = 5
    INVADE = 6
    FREE_INVADE = 7
    MARCH = 8
    UPGRADE = 9
    SACRIFICE = 10
    PILLAGE = 11
    PILLAGED = 12
    BATTLE = 13
    RESOLUTION = 14
    BLESSING = 15
    DEATHS = 16
    SMITE_AND_TIDE = 17
    BUY_BACK = 18


@rule
def push(s: State, routine: int, seat: int, place: int) -> None:
    """Start `routine` at step 0, with its other arguments 0; what is below goes on when it pops."""
    depth = s.depth
    for column in range(FRAME_SIZE):
        s.stack[depth, column] = 0
    s.stack[depth, Frame.ROUTINE] = routine
    s.stack[depth, Frame.SEAT] = seat
    s.stack[depth, Frame.PLACE] = place
    s.depth = depth + 1


@rule
def pop(s: State) -> None:
    """End the routine on top."""
    s.depth -= 1


@rule
def get(s: State, column: int) -> int:
    """A column of the frame on top."""
    return int(s.stack[s.depth - 1, column])


@rule
def put(s: State, column: int, value: int) -> None:
    """Write a column of the frame on top; `put(s, Frame.STEP, step)` says where to go on."""
    s.stack[s.depth - 1, column] = value


@rule
def ask(s: State, decision: int, seat: int, place: int, card: int, kind: int) -> None:
    """Open a question. It pauses every routine until the seat has answered."""
    s.decision = decision
    s.seat = seat
    s.about_place = place
    s.about_card = card
    s.about_kind = kind


@rule
def clockwise(s: State, first: int, offset: int) -> int:
    """The seat `offset` places to the left of `first`."""
    return (int(first) + int(offset)) % int(s.num_players)


@rule
def no_question(s: State) -> None:
    """Nothing is open: the routine on top goes on."""
    ask(s, 0, NONE, NONE, NONE, NONE)
    s.low = 0
    s.high = 0
    s.stats = 0
    s.kinds = 0
    s.escape = 0


figure_at = rule(actions.figure_at)
