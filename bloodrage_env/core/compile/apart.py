"""Whether arrays share memory: an entry that writes one while it reads another would not see what it has checked."""

from collections.abc import Callable
from itertools import combinations
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic


def _plain_apart(arrays: tuple[Any, ...]) -> bool:
    return not any(np.may_share_memory(one, other) for one, other in combinations(arrays, 2))


def _wide_apart(_: Any, arrays: types.BaseTuple) -> tuple[Any, Callable[..., Any]]:
    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = ir.IntType(64)
        spans = []
        for place, kind in enumerate(signature.args[0]):
            array = context.make_array(kind)(context, builder, builder.extract_value(arguments[0], place))
            start = builder.ptrtoint(array.data, whole)
            spans.append((start, builder.add(start, builder.mul(array.nitems, array.itemsize))))
        apart = cgutils.true_bit
        for (start, end), (other, its_end) in combinations(spans, 2):
            last = builder.select(builder.icmp_unsigned(">", start, other), start, other)
            first_end = builder.select(builder.icmp_unsigned("<", end, its_end), end, its_end)
            # Spans that touch share nothing, and a span of no bytes shares none.
            apart = builder.and_(apart, builder.icmp_unsigned(">=", last, first_end))
        return apart

    return types.boolean(arrays), write


# apart(arrays): whether no two of a tuple of C-contiguous arrays share memory; one of no elements shares none.
apart: Final = _plain_apart if config.DISABLE_JIT else intrinsic(_wide_apart)
