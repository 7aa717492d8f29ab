"""Arrays without a count of references, for functions that only work while somebody else holds them.

numba counts references whenever an array is handed on, by an atomic instruction that waits for all writes before it.
"""

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import config
from numba.extending import intrinsic


def _plain(array: Any) -> Any:
    return array


def _borrowed(_: Any, array: types.Array) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        found = context.make_array(signature.args[0])(context, builder, arguments[0])
        # Where there is no MemInfo, numba has nothing to count.
        found.meminfo = context.get_constant_null(types.MemInfoPointer(array.dtype))
        return found._getvalue()

    return array(array), write


# borrowed(array): the same array. The caller of the function that borrows it keeps it alive.
borrowed = _plain if config.DISABLE_JIT else intrinsic(_borrowed)
