"""What the numbers of a record can be, for records that come from elsewhere: by field, and by column of a frame."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from .compiled import Compiler, Records

Range = tuple[int, int]  # the least and the greatest number
STACK: Final = "stack"  # the field whose ranges are those of its columns
_WIDTHS: Final = tuple(np.dtype(kind) for kind in (np.int8, np.int16, np.int32, np.int64))


class Ranges(NamedTuple):
    """The ranges of a game's record."""

    least: npt.NDArray[Any]  # one record: the least number at each place
    greatest: npt.NDArray[Any]  # one record: the greatest one
    in_range: Callable[[Records, int], bool]  # a rule: whether each number of a game is in its range
    first_out_of_range: Callable[[Records, int], str]  # where one is not, in words; "" if none is


def ranges_for(
    compiler: Compiler,
    fields: Mapping[str, Range],
    columns: Sequence[Range],
    reserved: Mapping[str, npt.NDArray[np.bool_]],
) -> Ranges:
    """Make the checks for one game from the ranges of its fields, `STACK` excepted, and of the columns of a frame.

    `reserved` says of a field which places are reserved for later ids, in an array that broadcasts to the field: the
    numbers there are 0.
    """
    state = compiler.state
    least, greatest = np.zeros(1, state), np.zeros(1, state)
    for side, bounds in enumerate((least, greatest)):
        for name, field in fields.items():
            bounds[name] = field[side]
        bounds[STACK] = [column[side] for column in columns]
        for name, places in reserved.items():
            bounds[name][:, np.broadcast_to(places, bounds[name].shape[1:])] = 0

    tests = [_test_of(compiler, dtype, *_bounds(state, dtype, least, greatest)) for dtype in _WIDTHS]
    bytes_hold, shorts_hold, ints_hold, longs_hold = tests

    @compiler.rule
    def in_range(states: Records, index: int) -> bool:
        """Whether each number of a game is in its range."""
        return (
            bytes_hold(states, index)
            and shorts_hold(states, index)
            and ints_hold(states, index)
            and longs_hold(states, index)
        )

    def first_out_of_range(states: Records, index: int) -> str:
        """Where a record has a number out of its range, as `hand[2, 5] is 77, not 0 to 3`; nothing if nowhere."""
        for name in state.names or ():
            values, low, high = states[name][index], least[name][0], greatest[name][0]
            for place in np.argwhere((values < low) | (values > high)).tolist():
                at = tuple(place)
                return f"{name}{place or ''} is {values[at]}, not {low[at]} to {high[at]}"
        return ""

    return Ranges(least, greatest, in_range, first_out_of_range)


def _bounds(state: "np.dtype[np.record]", dtype: "np.dtype[Any]", *records: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    """The bounds of a record seen as numbers of one width; elsewhere, in fields of another and padding, any number."""
    limits = np.iinfo(dtype)
    found = []
    for bounds, limit in zip(records, (limits.min, limits.max), strict=True):
        numbers = np.full(state.itemsize // dtype.itemsize, limit, dtype)
        for name, (field, start, *_) in (state.fields or {}).items():
            if field.base == dtype:
                part = slice(start // dtype.itemsize, (start + field.itemsize) // dtype.itemsize)
                numbers[part] = bounds[name].ravel()
        found.append(numbers)
    return found


def _test_of(
    compiler: Compiler, dtype: "np.dtype[Any]", low: npt.NDArray[Any], high: npt.NDArray[Any]
) -> Callable[[Records, int], bool]:
    """Make the rule that looks at the fields of one width."""
    size = len(low)
    limits = np.iinfo(dtype)
    if (low == limits.min).all() and (high == limits.max).all():

        @compiler.rule
        def nothing_to_hold(states: Records, index: int) -> bool:
            """The record has no field of this width."""
            return True

        return nothing_to_hold

    @compiler.rule
    def numbers_hold(states: Records, index: int) -> bool:
        """Whether each number of this width is in its range."""
        numbers = np.frombuffer(states, dtype)[index * size : (index + 1) * size]
        wrong = 0
        for i in range(size):
            wrong += (numbers[i] < low[i]) | (numbers[i] > high[i])
        return wrong == 0

    return numbers_hold
