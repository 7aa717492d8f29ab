"""The stack of routines and the open question.

A routine is a chapter of the rules that can be interrupted: its frame keeps the step at which it goes on
(`core/engine/stack.py`). A card that interrupts pushes another routine.
"""

from typing import Final

from ....core.compile.decorators import rule
from ....core.engine.stack import stack_for
from . import actions
from .ids import NONE
from .state import COMPILER, Frame, State

STACK: Final = stack_for(COMPILER)
pop, get, put, clockwise = STACK.pop, STACK.get, STACK.put, STACK.clockwise
push_frame, open_question = STACK.push, STACK.ask


@rule
def push(s: State, routine: int, seat: int, place: int) -> None:
    """Start `routine` at step 0, with its other arguments 0; what is below goes on when it pops."""
    push_frame(s, routine, seat)
    put(s, Frame.PLACE, place)


@rule
def ask(s: State, decision: int, seat: int, place: int, card: int, kind: int) -> None:
    """Open a question. It pauses every routine until the seat has answered."""
    open_question(s, decision, seat)
    s.about_place = place
    s.about_card = card
    s.about_kind = kind


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
