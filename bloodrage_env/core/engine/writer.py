"""Writes observations as bytes, from which the float and the sparse form are made."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..compile.decorators import Bytes, Compiler, Floats, Record, Shorts
from .sparse import append_counts


class Writer(NamedTuple):
    """The functions that write an observation; compiled code calls them."""

    write_bytes: Callable[[Record, int, Bytes], None]  # counts, into uint8[OBSERVATION_SIZE]
    write_floats: Callable[[Record, int, Floats], None]  # counts times scales, into float32[OBSERVATION_SIZE]
    to_floats: Callable[[Bytes, Floats], None]  # counts to counts times scales
    to_sparse: Callable[[Bytes, Shorts, Bytes, int], int]  # counts to those that are not zero, and their columns


def writer_for(
    compiler: Compiler, write_bytes: Callable[[Record, int, Bytes], None], scales: npt.NDArray[np.float32]
) -> Writer:
    """Make the other forms of a game's observation in bytes. `scales` is float32[OBSERVATION_SIZE]."""
    size = len(scales)

    @compiler.rule
    def to_floats(row: Bytes, out: Floats) -> None:
        """Write counts times scales."""
        for i in range(size):
            out[i] = np.float32(row[i]) * scales[i]

    @compiler.rule
    def write_floats(s: Record, seat: int, out: Floats) -> None:
        """Fill `out` with the information of a seat."""
        row = np.empty(size, np.uint8)
        write_bytes(s, seat, row)
        to_floats(row, out)

    return Writer(write_bytes, write_floats, to_floats, append_counts)
