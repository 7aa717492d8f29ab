"""Records that are asked for before they are needed, so that memory brings them while others are worked on."""

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic

_LINE: Final = 64  # bytes that memory hands over at once


def _plain(_states: Any, _index: int, _size: int) -> int:
    return 0


def _prefetch(_: Any, states: types.Array, index: types.Integer, size: types.Integer) -> tuple[Any, Callable[..., Any]]:
    assert isinstance(size, types.IntegerLiteral)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        start = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        whole = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [start.type, whole, whole, whole])
        ask = builder.module.declare_intrinsic("llvm.prefetch.p0", fnty=kind)
        for first in range(0, size.literal_value, _LINE):
            place = builder.gep(start, [ir.Constant(ir.IntType(64), first)])
            builder.call(ask, [place, whole(0), whole(3), whole(1)])
        return ir.Constant(ir.IntType(64), 0)

    return types.int64(states, index, size), write


# prefetch(states, index, size): begin to bring the first `size` bytes, a constant, of a record of an array into the
# cache. Returns 0; changes nothing.
prefetch = _plain if config.DISABLE_JIT else intrinsic(prefer_literal=True)(_prefetch)
