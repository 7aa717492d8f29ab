"""The record of a game as one table of fields: of each its name, range, meaning, axes and dtype.

The dtype follows from the table, and with it what records from elsewhere are checked against (`ranges.py`), the page of
fields in the documentation and the texts of whole states.
"""

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, Self, cast

import numpy as np
import numpy.typing as npt

NONE = -1  # no seat

Range = tuple[int, int]  # the least and the greatest number
FLAG: Range = (0, 1)


class Axis(NamedTuple):
    """An axis of fields. Positions from `used` on are reserved for later ids: the numbers there are 0."""

    symbol: str
    size: int
    used: int


class Field(NamedTuple):
    """A field: arrays of numbers along its axes, or one number without any.

    `least` and `greatest` are one number each, or one for each position of the last axis.
    """

    name: str
    least: Any
    greatest: Any
    meaning: str
    axes: tuple[Axis, ...]
    dtype: type[np.signedinteger[Any]]

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        return tuple(axis.size for axis in self.axes)

    def within(self, least: int, greatest: int) -> "Field":
        """The same field with another range."""
        return self._replace(least=least, greatest=greatest)


class Group(NamedTuple):
    """Fields that belong together, in the order of the record."""

    title: str
    fields: tuple[Field, ...]


class Columns(IntEnum):
    """Base of the columns of a frame on the stack (`stack.py`): a member is its position, range and meaning."""

    least: int
    greatest: int
    meaning: str

    def __new__(cls, position: int, bounds: Range, meaning: str = "") -> Self:
        """Make a member; its value is the position."""
        member = int.__new__(cls, position)
        member._value_ = position
        member.least, member.greatest = bounds
        member.meaning = meaning
        return member


class Head(NamedTuple):
    """The fields that `core` reads and writes: the record of every game has them."""

    num_players: Field
    skip_forced: Field
    over: Field
    truncated: Field
    decisions: Field
    decision: Field
    seat: Field
    num_legal: Field
    mask: Field
    depth: Field
    stack: Field


def axis(symbol: str, size: int, used: int | None = None) -> Axis:
    """An axis of `size` positions; those from `used` on are reserved."""
    return Axis(symbol, size, size if used is None else used)


def field(
    name: str,
    bounds: Range,
    meaning: str = "",
    *axes: Axis | int,
    dtype: type[np.signedinteger[Any]] = np.int8,
) -> Field:
    """A row of the table. An axis without a name is given by its size."""
    named = tuple(axis(str(each), each) if isinstance(each, int) else each for each in axes)
    return Field(name, *bounds, meaning, named, dtype)


def group(title: str, *fields: Field) -> Group:
    """Fields under a title."""
    return Group(title, fields)


def head(
    seats: Range, num_actions: int, decisions: type[IntEnum], max_decisions: int, frame: type[Columns], max_depth: int
) -> Head:
    """The fields of every game. `seats` are the fewest and the most, `decisions` the kinds of question."""
    columns = tuple(frame)
    stack = Field(
        "stack",
        [column.least for column in columns],
        [column.greatest for column in columns],
        "by depth from the bottom, and Frame",
        (axis("MAX_DEPTH", max_depth), axis("FRAME_SIZE", len(columns))),
        np.int16,
    )
    return Head(
        field("num_players", seats),
        field("skip_forced", FLAG, "open questions with one legal answer are not asked"),
        field("over", FLAG, "the game has ended, or was cut off"),
        field("truncated", FLAG, "it was cut off"),
        field("decisions", (0, max_decisions), "answers given so far, skipped ones too", dtype=np.int32),
        field("decision", (0, max(decisions)), "Decision; 0 if no question is open"),
        field("seat", (NONE, seats[1] - 1), "who must answer, or NONE"),
        field("num_legal", (0, num_actions), "legal actions", dtype=np.int16),
        field("mask", FLAG, "1 for each legal action", axis("NUM_ACTIONS", num_actions)),
        field("depth", (1, max_depth), "frames on the stack"),
        stack,
    )


def fields_of(groups: Sequence[Group]) -> Iterator[Field]:
    """The fields of a record in its order."""
    for each in groups:
        yield from each.fields


def record(groups: Sequence[Group]) -> "np.dtype[np.record]":
    """The dtype of a game: records, so that fields are attributes without compilation too."""
    rows: list[Any] = [(each.name, each.dtype, each.shape) for each in fields_of(groups)]
    return cast("np.dtype[np.record]", np.dtype((np.record, np.dtype(rows, align=True))))


def bounds(groups: Sequence[Group]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Two arrays of one record: the least and the greatest number at each place."""
    limits = np.zeros(1, record(groups)), np.zeros(1, record(groups))
    for each in fields_of(groups):
        for limit, numbers in zip(limits, (each.least, each.greatest), strict=True):
            limit[each.name] = numbers
            for at, along in enumerate(each.axes):
                limit[each.name][(slice(None),) * (at + 1) + (slice(along.used, None),)] = 0
    return limits
