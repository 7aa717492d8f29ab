"""Writes observations as bytes, from which the float and the sparse form are made."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .compiled import Bytes, Compiler, Floats, Ints, Record
from .sparse import find_in_bytes


class Writer(NamedTuple):
    """The functions that write an observation; compiled code calls them."""

    write_bytes: Callable[[Record, int, Bytes], None]  # counts, into uint8[OBSERVATION_SIZE]
    write_floats: Callable[[Record, int, Floats], None]  # counts times scales, into float32[OBSERVATION_SIZE]
    to_floats: Callable[[Bytes, Floats], None]  # counts to counts times scales
    to_sparse: Callable[[Bytes, Ints, Floats], int]  # counts to positions and values of those that are not zero


def writer_for(
    compiler: Compiler, write_bytes: Callable[[Record, int, Bytes], None], scales: npt.NDArray[np.float32]
) -> Writer:
    """Makes the other forms of a game's observation in bytes. `scales` is float32[OBSERVATION_SIZE]."""
    size = len(scales)

    @compiler.rule
    def to_floats(row: Bytes, out: Floats) -> None:
        """Write counts times scales."""
        for i in range(size):
            out[i] = np.float32(row[i]) * scales[i]

    @compiler.rule
    def to_sparse(row: Bytes, indices: Ints, values: Floats) -> int:
        """Write positions and float values of the nonzero counts. Returns how many there are.

        Raises ValueError if the arrays are too short. Elements of `indices` beyond the result can change.
        """
        count = find_in_bytes(row, indices, min(len(indices), len(values)), 0)
        for i in range(count):
            values[i] = np.float32(row[indices[i]]) * scales[indices[i]]
        return count

    @compiler.rule
    def write_floats(s: Record, seat: int, out: Floats) -> None:
        """Fill `out` with the information of a seat."""
        row = np.empty(size, np.uint8)
        write_bytes(s, seat, row)
        to_floats(row, out)

    return Writer(write_bytes, write_floats, to_floats, to_sparse)
