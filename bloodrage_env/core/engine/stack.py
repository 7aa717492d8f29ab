"""The stack of routines and the open question.

A routine is a part of the rules that can be interrupted. Its frame on the stack contains the step at which it
continues, its seat, and its own numbers. A game's `Frame` names the columns, and begins with those of `Column`.
`flow.py` calls the routine on top until one asks a question. An interruption pushes another routine.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

from ..compile.decorators import Compiler, Record

NO_QUESTION = 0  # of the kinds of question


class Column(IntEnum):
    """The columns that every frame begins with."""

    ROUTINE = 0
    STEP = 1
    SEAT = 2


class Stack(NamedTuple):
    """The functions of a game's stack; compiled code calls them."""

    push: Callable[[Record, int, int], None]
    pop: Callable[[Record], None]
    get: Callable[[Record, int], int]
    put: Callable[[Record, int, int], None]
    ask: Callable[[Record, int, int], None]
    clockwise: Callable[[Record, int, int], int]


def stack_for(compiler: Compiler) -> Stack:
    """Make the functions for the record of one game."""

    @compiler.rule
    def push(s: Record, routine: int, seat: int) -> None:
        """Start `routine` at step 0 with its numbers 0. The routine below continues when it is popped."""
        depth = s.depth
        s.stack[depth, :] = 0
        s.stack[depth, Column.ROUTINE] = routine
        s.stack[depth, Column.SEAT] = seat
        s.depth = depth + 1

    @compiler.rule
    def pop(s: Record) -> None:
        """End the routine on top."""
        s.depth -= 1

    @compiler.rule
    def get(s: Record, column: int) -> int:
        """Return a column of the frame on top of the stack."""
        return int(s.stack[s.depth - 1, column])

    @compiler.rule
    def put(s: Record, column: int, value: int) -> None:
        """Write a column of the frame on top. `put(s, Column.STEP, step)` sets where the routine continues."""
        s.stack[s.depth - 1, column] = value

    @compiler.rule
    def ask(s: Record, decision: int, seat: int) -> None:
        """Open a question. All routines pause until the seat has answered."""
        s.decision = decision
        s.seat = seat

    @compiler.rule
    def clockwise(s: Record, first: int, offset: int) -> int:
        """Return the seat `offset` places to the left of `first`."""
        return (int(first) + int(offset)) % int(s.num_players)

    return Stack(push, pop, get, put, ask, clockwise)
