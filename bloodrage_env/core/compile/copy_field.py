"""Fields of a record that an observation contains as they are: copied as one run of bytes."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic


def _plain(out: Any, start: int, field: Any) -> int:
    out[start : start + field.size] = field.reshape(-1)
    return int(field.size)


def _copy(_: Any, out: types.Array, start: types.Integer, field: types.Array) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target = context.make_array(signature.args[0])(context, builder, arguments[0])
        source = context.make_array(signature.args[2])(context, builder, arguments[2])
        byte, whole, flag = ir.IntType(8).as_pointer(), ir.IntType(64), ir.IntType(1)
        place = builder.bitcast(builder.gep(target.data, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, byte, whole, flag])
        copy = builder.module.declare_intrinsic("llvm.memcpy", [byte, byte, whole], kind)
        builder.call(copy, [place, builder.bitcast(source.data, byte), source.nitems, flag(0)])
        return source.nitems

    return types.int64(out, types.int64, field), write


# copy_field(out, start, field): write the bytes of a C-contiguous int8 array, no number of which is negative, to
# out[start:], an array of uint8, which must have room for them; returns how many.
copy_field = _plain if config.DISABLE_JIT else intrinsic(_copy)
