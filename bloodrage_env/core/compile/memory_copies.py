"""Copies of runs of bytes: of a field of a record into an observation, and of a whole record.

numba assigns a record to an element of an array by a load and a store of each byte. LLVM does not always combine them:
then a copy of 5.7 KB takes 3 microseconds, not 0.1, and the function minutes to compile.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic

_BYTE, _WHOLE, _FLAG = ir.IntType(8).as_pointer(), ir.IntType(64), ir.IntType(1)


def _plain_field(out: Any, start: int, field: Any) -> int:
    out[start : start + field.size] = field.reshape(-1)
    return int(field.size)


def _plain_record(records: Any, index: int, record: Any) -> None:
    records[index] = record


def _copy(builder: Any, target: Any, source: Any, size: Any) -> None:
    kind = ir.FunctionType(ir.VoidType(), [_BYTE, _BYTE, _WHOLE, _FLAG])
    copy = builder.module.declare_intrinsic("llvm.memcpy", [_BYTE, _BYTE, _WHOLE], kind)
    builder.call(copy, [builder.bitcast(target, _BYTE), builder.bitcast(source, _BYTE), size, _FLAG(0)])


def _compiled_field(
    _: Any, out: types.Array, start: types.Integer, field: types.Array
) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target = context.make_array(signature.args[0])(context, builder, arguments[0])
        source = context.make_array(signature.args[2])(context, builder, arguments[2])
        _copy(builder, builder.gep(target.data, [arguments[1]]), source.data, source.nitems)
        return source.nitems

    return types.int64(out, types.int64, field), write


def _compiled_record(
    _: Any, records: types.Array, index: types.Integer, record: types.Record
) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target = context.make_array(signature.args[0])(context, builder, arguments[0])
        _copy(builder, builder.gep(target.data, [arguments[1]]), arguments[2], _WHOLE(record.size))
        return context.get_dummy_value()

    return types.none(records, types.int64, record), write


# copy_field(out, start, field): write the bytes of a C-contiguous int8 array, no number of which is negative, to
# out[start:], an array of uint8, which must have room for them; returns how many.
copy_field = _plain_field if config.DISABLE_JIT else intrinsic(_compiled_field)
# copy_record(records, index, record): records[index] = record, of a C-contiguous array of one dimension.
copy_record = _plain_record if config.DISABLE_JIT else intrinsic(_compiled_record)
