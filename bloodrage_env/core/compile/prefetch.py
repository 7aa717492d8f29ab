"""Records that are asked for before they are needed, so that memory brings them while others are worked on."""

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic

_LINE: Final = 64  # bytes that memory hands over at once


def _plain(_states: Any, _index: int, _first: int, _end: int) -> int:
    return 0


def _prefetch(
    _: Any, states: types.Array, index: types.Integer, first: types.Integer, end: types.Integer
) -> tuple[Any, Callable[..., Any]]:
    assert isinstance(first, types.IntegerLiteral)
    assert isinstance(end, types.IntegerLiteral)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        start = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        whole = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [start.type, whole, whole, whole])
        ask = builder.module.declare_intrinsic("llvm.prefetch.p0", fnty=kind)
        for place in range(first.literal_value, end.literal_value, _LINE):
            line = builder.gep(start, [ir.Constant(ir.IntType(64), place)])
            # To be read, not written; kept in all caches; data, not instructions.
            builder.call(ask, [line, whole(0), whole(3), whole(1)])
        return ir.Constant(ir.IntType(64), 0)

    return types.int64(states, index, first, end), write


# prefetch(states, index, first, end): begin to bring bytes `first` to `end`, constants, of a record of an array into
# the cache. Returns 0; changes nothing. Ask for some 2,000 bytes at once: a processor drops what is asked for beyond.
prefetch = _plain if config.DISABLE_JIT else intrinsic(prefer_literal=True)(_prefetch)
