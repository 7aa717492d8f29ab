"""The stack of routines and the open question (`core/engine/stack.py`)."""

from typing import Final

from ....core.compile.decorators import rule
from ....core.engine.stack import stack_for
from .ids import NONE
from .state import COMPILER, Frame, State

STACK: Final = stack_for(COMPILER)
push, pop, get, put = STACK.push, STACK.pop, STACK.get, STACK.put
open_question = STACK.ask


@rule
def go_to(s: State, step: int) -> None:
    """The routine on top goes on with this step."""
    put(s, Frame.STEP, step)


@rule
def push_action(s: State, routine: int, seat: int, actor: int, act: int, before: int) -> None:
    """Start the action of a card; the card in slot `before` (or NONE) may not be attacked."""
    push(s, routine, seat)
    put(s, Frame.ACTOR, actor)
    put(s, Frame.ACT, act)
    put(s, Frame.TARGET, NONE)
    put(s, Frame.BEFORE, before)


@rule
def ask(s: State, decision: int, seat: int, actor: int, target: int) -> None:
    """Open a question. It pauses every routine until the seat has answered."""
    open_question(s, decision, seat)
    s.actor = actor
    s.target = target


@rule
def no_question(s: State) -> None:
    """Nothing is open: the routine on top goes on."""
    ask(s, 0, NONE, NONE, NONE)
