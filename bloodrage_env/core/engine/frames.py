"""The valid stacks while a question is open, from a table of the steps at which frames of a game can wait.

A played game satisfies the table. Records from other sources are checked with it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..compile.decorators import Compiler, Record
from .record import Columns, Range
from .stack import Column

# Greatest numbers that depend on the seats of a game.
LAST_SEAT = -10  # the number of players less one
SEATS = -11  # the number of players


class Wait(NamedTuple):
    """A step, or a range of steps, at which a routine can wait: for which questions, and for which routines."""

    routine: int
    step: int | Range
    asks: tuple[int, ...] = ()
    calls: tuple[int, ...] = ()


class Frames(NamedTuple):
    """The rules that follow from the table, for records whose numbers are in range."""

    stack_fits: Callable[[Record], bool]
    question_fits: Callable[[Record], bool]


def frames_for(
    compiler: Compiler,
    columns: type[Columns],
    waits: Iterable[Wait],
    limits: Mapping[Any, Mapping[Any, Range]],
) -> Frames:
    """Make the rules for one game. `limits` has the range of a column in a frame of each routine that can wait, where
    it is not the range of the column; `LAST_SEAT` and `SEATS` are greatest numbers there.
    """
    routines, steps = (list(columns)[column].greatest + 1 for column in (Column.ROUTINE, Column.STEP))
    size = len(columns)
    least, greatest = np.zeros((routines, size), np.int64), np.zeros((routines, size), np.int64)
    for routine in range(routines):
        for column in columns:
            numbers = limits.get(routine, {}).get(column, (column.least, column.greatest))
            least[routine, column], greatest[routine, column] = numbers
    stops = np.zeros((routines, steps), np.bool_)
    asked, called = np.zeros((routines, steps), np.int64), np.zeros((routines, steps), np.int64)  # bits
    for wait in waits:
        first, last = (wait.step, wait.step) if isinstance(wait.step, int) else wait.step
        at = wait.routine, slice(first, last + 1)
        stops[at] = True
        asked[at] |= sum(1 << decision for decision in wait.asks)
        called[at] |= sum(1 << routine for routine in wait.calls)
        if last >= steps or wait.routine not in limits:
            raise RuntimeError(f"step {last} of routine {wait.routine} has no range")

    @compiler.rule
    def bound(s: Record, number: int) -> int:
        """Return a maximum in a game with this number of players."""
        if number == LAST_SEAT:
            return int(s.num_players) - 1
        return int(s.num_players) if number == SEATS else number

    @compiler.rule
    def stack_fits(s: Record) -> bool:
        """Whether each frame waits at a step where it can, with its numbers in range, for the routine above it."""
        for i in range(s.depth):
            routine = int(s.stack[i, Column.ROUTINE])
            step = int(s.stack[i, Column.STEP])
            for column in range(size):
                value = int(s.stack[i, column])
                if value < least[routine, column] or value > bound(s, int(greatest[routine, column])):
                    return False
            if not stops[routine, step]:
                return False
            if i + 1 < s.depth and called[routine, step] >> int(s.stack[i + 1, Column.ROUTINE]) & 1 == 0:
                return False
        return True

    @compiler.rule
    def question_fits(s: Record) -> bool:
        """Whether the routine on top can ask the open question at its step, of a seat of the game."""
        top = s.depth - 1
        bits = asked[int(s.stack[top, Column.ROUTINE]), int(s.stack[top, Column.STEP])]
        return bool(bits >> int(s.decision) & 1 == 1 and s.seat >= 0 and s.seat < s.num_players)

    return Frames(stack_fits, question_fits)
