"""Sums of rows of a matrix, and products of two rows, in vectors of the processor.

LLVM would store the sum after every few rows; here it stays in registers. All numbers are added in one order, so that
all processors and plain Python return the same bits.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, codegen, config
from numba.extending import intrinsic

from ..compile.decorators import Floats, Ints

TOGETHER: Final = 4  # rows whose products are added up before they are added to the sum
LANES: Final = 64  # sums of a product of two rows, which are added up in the end
# Columns of a sum that are computed at once: as many as fit the registers, then as many as one vector holds, then one.
_WIDE: Final = not config.DISABLE_JIT and "+avx512f" in (config.CPU_FEATURES or codegen.get_host_cpu_features())
_BLOCKS: Final = (128, 16, 1) if _WIDE else (32, 8, 1)
_WHOLE, _FLOAT, _PLACE = ir.IntType(64), ir.FloatType(), ir.IntType(32)


def _plain_add_rows(out: Floats, index: Ints, factors: Floats, count: int, matrix: Floats) -> None:
    rows = matrix.reshape(-1, len(out))
    whole = count // TOGETHER * TOGETHER
    for k in range(0, whole, TOGETHER):
        total = factors[k] * rows[index[k]]
        for i in range(k + 1, k + TOGETHER):
            total += factors[i] * rows[index[i]]
        out += total
    for k in range(whole, count):
        out += factors[k] * rows[index[k]]


def _plain_dot(left: Floats, right: Floats) -> float:
    whole = len(left) // LANES * LANES
    sums = np.zeros(LANES, np.float32)
    for start in range(0, whole, LANES):
        sums += left[start : start + LANES] * right[start : start + LANES]
    while len(sums) > 1:
        half = len(sums) // 2
        sums = sums[:half] + sums[half:]
    total = sums[0]
    for i in range(whole, len(left)):
        total += left[i] * right[i]
    return float(total)


def _load(builder: Any, data: Any, at: Any, lanes: int) -> Any:
    several = ir.VectorType(_FLOAT, lanes)
    return builder.load(builder.bitcast(builder.gep(data, [at]), several.as_pointer()), align=4)


def _repeated(builder: Any, number: Any, lanes: int) -> Any:
    several = ir.VectorType(_FLOAT, lanes)
    one = builder.insert_element(ir.Constant(several, ir.Undefined), number, _PLACE(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_PLACE, lanes), [0] * lanes))


def _wide_add_rows(
    _: Any, out: types.Array, index: types.Array, factors: types.Array, count: types.Integer, matrix: types.Array
) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        into, rows, times, numbers = (
            context.make_array(signature.args[i])(context, builder, arguments[i]) for i in (0, 1, 2, 4)
        )
        count, width = arguments[3], into.nitems
        whole = builder.and_(count, _WHOLE(-TOGETHER))

        def product(k: Any, at: Any, lanes: int) -> Any:
            start = builder.mul(builder.load(builder.gep(rows.data, [k])), width)
            factor = _repeated(builder, builder.load(builder.gep(times.data, [k])), lanes)
            return builder.fmul(factor, _load(builder, numbers.data, builder.add(start, at), lanes))

        begin = _WHOLE(0)
        for lanes in _BLOCKS:
            end = builder.sub(width, builder.urem(builder.sub(width, begin), _WHOLE(lanes)))
            total = cgutils.alloca_once(builder, ir.VectorType(_FLOAT, lanes))
            with cgutils.for_range_slice(builder, begin, end, _WHOLE(lanes), _WHOLE) as (at, _number):
                builder.store(_load(builder, into.data, at, lanes), total)
                with cgutils.for_range_slice(builder, _WHOLE(0), whole, _WHOLE(TOGETHER), _WHOLE) as (k, _number):
                    some = product(k, at, lanes)
                    for i in range(1, TOGETHER):
                        some = builder.fadd(some, product(builder.add(k, _WHOLE(i)), at, lanes))
                    builder.store(builder.fadd(builder.load(total), some), total)
                with cgutils.for_range_slice(builder, whole, count, _WHOLE(1), _WHOLE) as (k, _number):
                    builder.store(builder.fadd(builder.load(total), product(k, at, lanes)), total)
                target = builder.bitcast(builder.gep(into.data, [at]), total.type)
                builder.store(builder.load(total), target, align=4)
            begin = end
        return context.get_dummy_value()

    return types.none(out, index, factors, types.int64, matrix), write


def _wide_dot(_: Any, left: types.Array, right: types.Array) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        one, other = (context.make_array(signature.args[i])(context, builder, arguments[i]) for i in range(2))
        several = ir.VectorType(_FLOAT, LANES)
        whole = builder.and_(one.nitems, _WHOLE(-LANES))
        sums = cgutils.alloca_once_value(builder, ir.Constant(several, [0.0] * LANES))
        with cgutils.for_range_slice(builder, _WHOLE(0), whole, _WHOLE(LANES), _WHOLE) as (at, _number):
            found = builder.fmul(_load(builder, one.data, at, LANES), _load(builder, other.data, at, LANES))
            builder.store(builder.fadd(builder.load(sums), found), sums)
        added = builder.load(sums)
        lanes = LANES
        while lanes > 1:
            lanes //= 2
            low, high = (
                builder.shuffle_vector(
                    added, added, ir.Constant(ir.VectorType(_PLACE, lanes), list(range(first, first + lanes)))
                )
                for first in (0, lanes)
            )
            added = builder.fadd(low, high)
        total = cgutils.alloca_once_value(builder, builder.extract_element(added, _PLACE(0)))
        with cgutils.for_range_slice(builder, whole, one.nitems, _WHOLE(1), _WHOLE) as (at, _number):
            last = builder.fmul(*(builder.load(builder.gep(each.data, [at])) for each in (one, other)))
            builder.store(builder.fadd(builder.load(total), last), total)
        return builder.load(total)

    return types.float32(left, right), write


# add_rows(out, index, factors, count, matrix): add to `out`, float32[width], the rows `index[:count]` of a matrix of
# this width times their factors. `matrix` is flat.
add_rows = _plain_add_rows if config.DISABLE_JIT else intrinsic(_wide_add_rows)
# dot(left, right): the product of two rows of the same length.
dot = _plain_dot if config.DISABLE_JIT else intrinsic(_wide_dot)
