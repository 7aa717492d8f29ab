"""The figures of a clan times their STR, for all provinces at once: one vector of places for each kind."""

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic

from .board import FJORD_OF
from .ids import KIND_CAPACITY, NUM_KINDS, NUM_OUTER, NUM_PLACES, NUM_PROVINCES, Figure

STRENGTH_BITS: Final = 8  # of one kind, in an int with the STR of all
MOST_STRENGTH: Final = (1 << STRENGTH_BITS) - 1
_LANES: Final = 16  # places of a vector: those of a kind, and the first one of the next kind
if _LANES < NUM_PLACES or (NUM_KINDS - 1) * NUM_PLACES + _LANES > KIND_CAPACITY * NUM_PLACES:
    raise RuntimeError("a vector of figures must be within the figures of a clan")


def _plain(figures: Any, each: int, pair: int, out: Any) -> int:
    for province in range(NUM_PROVINCES):
        for kind in range(NUM_KINDS):
            count = int(figures[kind, province])
            if province < NUM_OUTER:
                count += int(figures[kind, FJORD_OF[province]])
            out[province] += count * (each >> STRENGTH_BITS * kind & MOST_STRENGTH)
            if kind == Figure.WARRIOR:
                out[province] += count // 2 * pair
    return 0


def _vectors(
    _: Any, figures: types.Array, each: types.Integer, pair: types.Integer, out: types.Array
) -> tuple[Any, Callable[..., Any]]:
    byte, number, whole, place = (ir.IntType(bits) for bits in (8, 16, 64, 32))
    places, numbers = ir.VectorType(byte, _LANES), ir.VectorType(number, _LANES)
    zeros = ir.Constant(numbers, [0] * _LANES)

    def chosen(lanes: list[int]) -> Any:
        return ir.Constant(ir.VectorType(place, len(lanes)), lanes)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source = builder.bitcast(_data(context, builder, signature.args[0], arguments[0]), byte.as_pointer())
        target = builder.bitcast(_data(context, builder, signature.args[3], arguments[3]), byte.as_pointer())

        def times(counts: Any, factor: Any) -> Any:
            first = builder.insert_element(zeros, builder.trunc(factor, number), place(0))
            return builder.mul(counts, builder.shuffle_vector(first, zeros, chosen([0] * _LANES)))

        total = zeros
        for kind in range(NUM_KINDS):
            start = builder.bitcast(builder.gep(source, [whole(kind * NUM_PLACES)]), places.as_pointer())
            counts = builder.sext(builder.load(start, align=1), numbers)
            strength = builder.lshr(arguments[1], whole(kind * STRENGTH_BITS))
            total = builder.add(total, times(counts, builder.and_(strength, whole(MOST_STRENGTH))))
            if kind == Figure.WARRIOR:
                pairs = builder.ashr(counts, ir.Constant(numbers, [1] * _LANES))
                total = builder.add(total, times(pairs, arguments[2]))
        fjords = [int(FJORD_OF[province]) for province in range(NUM_OUTER)]
        supported = builder.shuffle_vector(total, zeros, chosen(fjords + [_LANES] * (_LANES - NUM_OUTER)))
        total = builder.trunc(builder.add(total, supported), places)
        outer = builder.shuffle_vector(total, total, chosen(list(range(NUM_OUTER))))
        start = builder.bitcast(target, outer.type.as_pointer())
        builder.store(builder.add(builder.load(start, align=1), outer), start, align=1)
        for province in range(NUM_OUTER, NUM_PROVINCES):
            start = builder.gep(target, [whole(province)])
            builder.store(builder.add(builder.load(start), builder.extract_element(total, place(province))), start)
        return whole(0)

    return types.int64(figures, types.int64, types.int64, out), write


def _data(context: Any, builder: Any, kind: types.Array, value: Any) -> Any:
    return context.make_array(kind)(context, builder, value).data


# weigh(figures, each, pair, out): add to `out`, uint8[NUM_PROVINCES], the STR of figures, int8[KIND_CAPACITY,
# NUM_PLACES], in each province and in its fjord. `each` has the STR of one figure of each kind, STRENGTH_BITS bits a
# kind, the first one lowest; `pair` is what two warriors in one place have in addition. Returns 0.
weigh = _plain if config.DISABLE_JIT else intrinsic(_vectors)
