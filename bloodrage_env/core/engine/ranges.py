"""Whether each number of a record is in the range that the table of fields gives it, for records from elsewhere."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..compile.decorators import Compiler, Records
from .record import Group, bounds

_WIDTHS: Final = tuple(np.dtype(kind) for kind in (np.int8, np.int16, np.int32, np.int64))


def in_range_for(compiler: Compiler, groups: Sequence[Group]) -> Callable[[Records, int], bool]:
    """Make the rule for one game that returns whether each number of a record is in its range."""
    least, greatest = bounds(groups)
    tests = [_test_of(compiler, dtype, *_flat(compiler.state, dtype, least, greatest)) for dtype in _WIDTHS]
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

    return in_range


def first_out_of_range(groups: Sequence[Group], states: npt.NDArray[Any], index: int) -> str:
    """The first number of a game out of its range, as `hand[2, 5] is 77, not 0 to 3`; an empty text if none is."""
    least, greatest = bounds(groups)
    for name in states.dtype.names or ():
        values, low, high = states[name][index], least[name][0], greatest[name][0]
        for place in np.argwhere((values < low) | (values > high)).tolist():
            at = tuple(place)
            return f"{name}{place or ''} is {values[at]}, not {low[at]} to {high[at]}"
    return ""


def _flat(state: "np.dtype[np.record]", dtype: "np.dtype[Any]", *records: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    """The bounds of a record seen as numbers of one width; elsewhere, in fields of another and padding, any number."""
    limits = np.iinfo(dtype)
    found = []
    for limit, unchecked in zip(records, (limits.min, limits.max), strict=True):
        numbers = np.full(state.itemsize // dtype.itemsize, unchecked, dtype)
        for name, (kind, start, *_) in (state.fields or {}).items():
            if kind.base == dtype:
                part = slice(start // dtype.itemsize, (start + kind.itemsize) // dtype.itemsize)
                numbers[part] = limit[name].ravel()
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
