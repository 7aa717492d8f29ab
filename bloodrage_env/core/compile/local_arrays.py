"""Arrays on the stack, for functions that need memory only until they return."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic

from .decorators import Ints, rule

_ALIGNMENT = 16  # bytes: of any field of a record, which a GPU requires


def _plain(size: int, dtype: Any) -> npt.NDArray[Any]:
    return np.zeros(size, dtype)


def _local_zeros(_: Any, size: types.IntegerLiteral, dtype: types.DTypeSpec) -> tuple[Any, Callable[..., Any]]:
    count = size.literal_value
    made = types.Array(dtype.dtype, 1, "C")

    def write(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        element = context.get_data_type(made.dtype)
        length = count * context.get_abi_sizeof(element)
        # Once for each call of the function: within a loop the stack would grow.
        memory = cgutils.alloca_once(builder, ir.ArrayType(element, count))
        memory.align = _ALIGNMENT
        cgutils.memset(builder, memory, ir.Constant(ir.IntType(64), length), 0)
        array = context.make_array(made)(context, builder)
        itemsize = context.get_constant(types.intp, context.get_abi_sizeof(element))
        context.populate_array(
            array,
            data=builder.bitcast(memory, array.data.type),
            shape=[context.get_constant(types.intp, count)],
            strides=[itemsize],
            itemsize=itemsize,
            meminfo=None,
        )
        return array._getvalue()

    return made(size, dtype), write


# local_zeros(size, dtype): an array of zeros, numbers or records, with one dimension of a constant size. It is valid
# until the function that calls this returns: do not return or keep it. Nothing is allocated, which takes time on a CPU
# and is not possible on a GPU.
local_zeros = _plain if config.DISABLE_JIT else intrinsic(prefer_literal=True)(_local_zeros)


@rule
def copy_into(target: Ints, source: Ints) -> None:
    """Fill `target` from the start of `source`. numba would copy a slice twice, because the arrays could overlap."""
    for i in range(len(target)):
        target[i] = source[i]
