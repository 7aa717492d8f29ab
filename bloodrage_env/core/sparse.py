"""Rows of numbers without their zeros: of an observation a few in a hundred are set."""

from typing import Final

import numpy as np

from .compiled import Floats, Ints, rule

_BLOCK: Final = 16  # numbers that are looked at together: float32, a line of the cache


@rule
def append_set(row: Floats, indices: Ints, values: Floats, at: int) -> int:
    """Write the columns and the values of all numbers of a row that are not zero, from position `at` on; returns the
    position after the last one. ValueError if there is no room for them.
    """
    blocks = len(row) // _BLOCK
    bits = row[: blocks * _BLOCK].view(np.int64)
    for block in range(blocks):
        i = block * (_BLOCK // 2)
        # Written out: as a loop it takes twice the time.
        either = (
            bits[i] | bits[i + 1] | bits[i + 2] | bits[i + 3] | bits[i + 4] | bits[i + 5] | bits[i + 6] | bits[i + 7]
        )
        if either != 0:
            at = append_from(row, block * _BLOCK, block * _BLOCK + _BLOCK, indices, values, at)
    return append_from(row, blocks * _BLOCK, len(row), indices, values, at)


@rule
def append_from(row: Floats, first: int, stop: int, indices: Ints, values: Floats, at: int) -> int:
    """As `append_set`, for some of the columns."""
    for column in range(first, stop):
        if row[column] != 0.0:
            if at >= len(indices) or at >= len(values):
                raise ValueError("indices and values must have room for all that is not zero")
            indices[at] = column
            values[at] = row[column]
            at += 1
    return at
