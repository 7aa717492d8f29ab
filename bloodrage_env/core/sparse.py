"""Rows of numbers without their zeros: of an observation a few in a hundred are set."""

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic

from .compiled import Floats, Ints, rule

_BLOCK: Final = 16  # numbers that are compared in one instruction where the processor has wide ones


def _plain_bits(row: Floats, first: int) -> int:
    """A number whose bit i is set if `row[first + i]` is not zero, for _BLOCK numbers."""
    return sum(1 << i for i in range(_BLOCK) if row[first + i] != 0.0)


def _plain_lowest(bits: int) -> int:
    """The number of the lowest bit that is set; there must be one."""
    return (bits & -bits).bit_length() - 1


def _wide_bits(_: Any, row: types.Array, first: types.Integer) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers = ir.VectorType(ir.FloatType(), _BLOCK)
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), numbers.as_pointer())
        found = builder.load(place, align=4)
        differ = builder.fcmp_unordered("!=", found, ir.Constant(numbers, [0.0] * _BLOCK))
        return builder.zext(builder.bitcast(differ, ir.IntType(_BLOCK)), ir.IntType(64))

    return types.int64(row, first), write


def _wide_lowest(_: Any, bits: types.Integer) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(bits), write


# LLVM makes no such instructions of the plain functions.
_set_bits = _plain_bits if config.DISABLE_JIT else intrinsic(_wide_bits)
_lowest_bit = _plain_lowest if config.DISABLE_JIT else intrinsic(_wide_lowest)


@rule
def append_set(row: Floats, indices: Ints, values: Floats, at: int) -> int:
    """Write the columns and the values of all numbers of a row that are not zero, from position `at` on; returns the
    position after the last one. ValueError if there is no room for them.
    """
    whole = len(row) - len(row) % _BLOCK
    for first in range(0, whole, _BLOCK):
        bits = _set_bits(row, first)
        while bits != 0:
            at = append(row, first + _lowest_bit(bits), indices, values, at)
            bits &= bits - 1
    for column in range(whole, len(row)):
        if row[column] != 0.0:
            at = append(row, column, indices, values, at)
    return at


@rule
def append(row: Floats, column: int, indices: Ints, values: Floats, at: int) -> int:
    """As `append_set`, of one number."""
    if at >= len(indices) or at >= len(values):
        raise ValueError("indices and values must have room for all that is not zero")
    indices[at] = column
    values[at] = row[column]
    return at + 1
