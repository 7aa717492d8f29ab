"""Numbers that are not zero, found many at once: where they are few, as in an observation, the others cost nothing."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic

from .compiled import Floats, Ints, rule

WORD: Final = 64  # numbers that are compared at once, as bits of an int64


def _plain_word(numbers: Any, word: int) -> int:
    first = min(word * WORD, numbers.size - WORD)
    found = numbers.reshape(-1)[word * WORD : first + WORD] != 0
    return sum(1 << int(i) for i in np.flatnonzero(found))  # not negative, as an int64 may be: Python's has no end


def _wide_word(_: Any, numbers: types.Array, word: types.Integer) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = ir.IntType(WORD)
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        wanted = builder.mul(arguments[1], whole(WORD))
        last = builder.sub(array.nitems, whole(WORD))
        first = builder.select(builder.icmp_signed("<", wanted, last), wanted, last)
        several = ir.VectorType(array.data.type.pointee, WORD)
        place = builder.bitcast(builder.gep(array.data, [first]), several.as_pointer())
        found = builder.load(place, align=numbers.dtype.bitwidth // 8)
        compare = builder.fcmp_unordered if isinstance(numbers.dtype, types.Float) else builder.icmp_unsigned
        differ = builder.bitcast(compare("!=", found, ir.Constant(several, [0] * WORD)), whole)
        return builder.lshr(differ, builder.sub(wanted, first))

    return types.int64(numbers, types.int64), write


def _plain_lowest(bits: int) -> int:
    bits = int(bits)  # numpy's integers of older versions do not tell their length
    return (bits & -bits).bit_length() - 1


def _wide_lowest(_: Any, bits: types.Integer) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(bits), write


# LLVM makes no such instructions of the plain functions.
# set_word(numbers, word): the bits of an int64, bit i set if the number at WORD * word + i is not zero; of a contiguous
# array of int8 or float32 of any shape, counted flat, of WORD numbers or more. Those beyond its end are not set.
set_word = _plain_word if config.DISABLE_JIT else intrinsic(_wide_word)
# lowest_bit(bits): the number of the lowest bit that is set; there must be one.
lowest_bit = _plain_lowest if config.DISABLE_JIT else intrinsic(_wide_lowest)


@rule
def append_set(row: Floats, indices: Ints, values: Floats, at: int) -> int:
    """Write the columns and the values of all numbers of a row that are not zero, from position `at` on; returns the
    position after the last one. ValueError if there is no room for them.
    """
    if len(row) < WORD:
        for column in range(len(row)):
            if row[column] != 0.0:
                at = append(row, column, indices, values, at)
        return at
    for word in range((len(row) + WORD - 1) // WORD):
        bits = set_word(row, word)
        while bits != 0:
            at = append(row, word * WORD + lowest_bit(bits), indices, values, at)
            bits &= bits - 1
    return at


@rule
def append(row: Floats, column: int, indices: Ints, values: Floats, at: int) -> int:
    """As `append_set`, of one number."""
    if at >= len(indices) or at >= len(values):
        raise ValueError("indices and values must have room for all that is not zero")
    indices[at] = column
    values[at] = row[column]
    return at + 1
