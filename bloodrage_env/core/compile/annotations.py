"""The one signature of a compiled function, as its annotations spell it, and what arguments are in words."""

import inspect
import re
from collections.abc import Callable
from types import NoneType
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

import numba
import numpy as np
import numpy.typing as npt
from numba import types

# What a parameter may be, beside int (or an IntEnum), bool and float: for mypy the first half, for numba the
# second. To add a type, add a line. Arrays are C-contiguous; a 2 at the end means two dimensions. The types of a
# game's record stand beside its dtype, made by `record_type`; `Record` and `Records` are those of whatever game a
# `Compiler` is for. What is returned may also be a tuple of such types, or a NamedTuple.
Record: TypeAlias = np.record
Records: TypeAlias = npt.NDArray[np.record]
Mask: TypeAlias = Annotated[npt.NDArray[np.int8], types.int8[::1]]
Mask2: TypeAlias = Annotated[npt.NDArray[np.int8], types.int8[:, ::1]]
Bytes: TypeAlias = Annotated[npt.NDArray[np.uint8], types.uint8[::1]]
Bytes2: TypeAlias = Annotated[npt.NDArray[np.uint8], types.uint8[:, ::1]]
Shorts: TypeAlias = Annotated[npt.NDArray[np.uint16], types.uint16[::1]]
Ints: TypeAlias = Annotated[npt.NDArray[np.int64], types.int64[::1]]
Ints2: TypeAlias = Annotated[npt.NDArray[np.int64], types.int64[:, ::1]]
Scores: TypeAlias = Annotated[npt.NDArray[np.int32], types.int32[::1]]  # of each seat
Floats: TypeAlias = Annotated[npt.NDArray[np.float32], types.float32[::1]]
Floats2: TypeAlias = Annotated[npt.NDArray[np.float32], types.float32[:, ::1]]

games: dict[types.Record, np.dtype[np.record]] = {}  # the types of games' records
_RECORD = re.compile(r"Record\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)")


def record_type(state: np.dtype[np.record]) -> types.Record:
    """Return the numba type of a game's record, and know it from now on: entries may return arrays of it."""
    found = numba.from_dtype(state)
    games[found] = state
    return found


def declared(function: Callable[..., Any], record: types.Record | None) -> Any:
    """The numba signature that the annotations spell; `Record` is `record`. TypeError for what is not a numba type."""
    hints = get_type_hints(function, include_extras=True)
    try:
        names = [*inspect.signature(function).parameters, "return"]
        *arguments, result = (_numba_type(hints.get(name, "no annotation"), record) for name in names)
    except TypeError as problem:
        raise TypeError(f"{function.__qualname__}: {problem}") from None
    return result(*arguments)


def _numba_type(annotation: Any, record: types.Record | None) -> types.Type:
    """Return the numba type of an annotation. Raise TypeError for other annotations."""
    plain = {bool: types.boolean, float: types.float64, NoneType: types.none}
    if record is not None and annotation in (Record, Records):
        return record if annotation == Record else record[::1]
    if get_origin(annotation) is Annotated:
        return get_args(annotation)[1]
    if isinstance(annotation, type) and issubclass(annotation, tuple):
        parts = get_type_hints(annotation, include_extras=True).values()
        return types.BaseTuple.from_types([_numba_type(part, record) for part in parts], annotation)
    if get_origin(annotation) is tuple:
        return types.Tuple([_numba_type(part, record) for part in get_args(annotation)])
    if annotation in plain:
        return plain[annotation]
    if isinstance(annotation, type) and issubclass(annotation, int):
        return types.int64
    raise TypeError(f"no numba type for {annotation!r}; see the aliases in {__name__}")


def refusal(function: Callable[..., Any], name: str, wanted: types.Type, value: Any) -> TypeError:
    """The error for an argument of another type."""
    return TypeError(f"{function.__qualname__}: {name} must be {_kind(wanted)}, not {_description(value)}")


def _kind(wanted: types.Type) -> str:
    """What an argument has to be, in words."""
    if isinstance(wanted, types.Array):
        dtype = (
            "games" if wanted.dtype in games else "records" if isinstance(wanted.dtype, types.Record) else wanted.dtype
        )
        return f"a writable C-contiguous array of {dtype} with {wanted.ndim} dimension{'s'[: wanted.ndim - 1]}"
    return {types.int64: "a whole number", types.boolean: "true or false"}.get(wanted, str(wanted))


def _description(value: Any) -> str:
    """What an argument is, in words."""
    if not isinstance(value, np.ndarray):
        return f"{value!r:.40} ({type(value).__name__})"
    faults = {"read-only": value.flags.writeable, "not C-contiguous": value.flags.c_contiguous}
    faults["not aligned"] = value.flags.aligned
    words = [word for word, fine in faults.items() if not fine]
    dtype = "games" if value.dtype in games.values() else "records" if value.dtype.names else value.dtype
    return ", ".join([f"one of {dtype} with {value.ndim} dimension{'s'[: value.ndim != 1]}", *words])


def short(message: str) -> str:
    """What numba says against a function, with each record named and not written out."""
    return _RECORD.sub("State", message)
