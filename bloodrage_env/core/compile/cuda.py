"""Compiles the rules of a game for a GPU, from the functions that the CPU runs, with numba-cuda.

A kernel calls rules as any compiled function does. numba-cuda asks for the type of a `Rule` when it meets one, and gets
that of a device function with the source of the rule. So each rule is compiled when a kernel first needs it, and a rule
has one source for both processors. Importing this module needs numba-cuda, but no GPU.
"""

import contextlib
import functools
import hashlib
import importlib.metadata
import operator
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np
from llvmlite import ir
from numba import config, cuda, types
from numba.cuda.cudadrv import nvvm
from numba.cuda.extending import overload, typeof_impl
from numba.cuda.target import CUDATargetContext
from numba.cuda.typing.arraydecl import GetItemBuffer, SetItemBuffer
from numba.cuda.typing.templates import infer_global

from . import kept, stamps
from .annotations import declared
from .building import Declared

_GLOBAL: Final = 1  # the address space of the memory that all threads can read
_ALIGNMENT: Final = 16  # bytes


def compiled(function: Callable[..., Any], record: types.Record) -> Any:
    """Return a function as a kernel, compiled for the current GPU by its annotations, in which `record` is `Record`.

    The machine code is stored on disk for each state of the sources, as that of the CPU is.
    """
    folder = _folder(function, record)
    with _as_on_the_cpu(), _cached_in(folder):
        return cuda.jit(declared(function, record), cache=folder is not None, lto=False)(function)


def ptx_of(function: Callable[..., Any], record: types.Record, capability: tuple[int, int]) -> str:
    """Return a function as a kernel in PTX, the assembly language of GPUs, for a compute capability."""
    with _as_on_the_cpu():
        text: str = cuda.compile_ptx(function, declared(function, record), cc=capability)[0]
    return text


@functools.cache
def device(rule: Declared) -> Any:
    """Return the device function of a rule or an entry, which kernels and other device functions call.

    It has the one signature of its annotations, to which arguments are converted, as on the CPU.
    """
    return cuda.jit(rule.declared, device=True, lto=False)(rule.py_func)


@typeof_impl.register(Declared)  # type: ignore[untyped-decorator]
def _type_of_declared(rule: Declared, context: Any) -> types.Type:
    return typeof_impl(device(rule), context)


# ---- what is kept on disk


def _folder(function: Callable[..., Any], record: types.Record) -> Path | None:
    """Return the folder for the code of a kernel, or None if there is none to write to.

    numba-cuda notices a change in the file of the kernel only, so the folder has a stamp of all sources.
    """
    place = kept.writable(Path(function.__code__.co_filename))
    if place is None:
        return None
    about = stamps.stamp(function), str(record), numba.__version__, importlib.metadata.version("numba-cuda")
    return place / "cuda" / hashlib.sha256(repr(about).encode()).hexdigest()[:16]


@contextlib.contextmanager
def _cached_in(folder: Path | None) -> Iterator[None]:
    """Have numba-cuda keep there what it compiles."""
    before = config.CACHE_DIR
    config.CACHE_DIR = before if folder is None else str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


# ---- members of an IntEnum, where numba-cuda expects integers


@overload(int, strict=False)  # type: ignore[untyped-decorator]
def _int_of_member(x: Any) -> Callable[..., Any] | None:
    return (lambda x: x.value) if isinstance(x, types.IntEnumMember) else None


def _as_integer(index: types.Type) -> types.Type:
    """Return the type of an index with intp in place of members of an IntEnum."""
    if isinstance(index, types.BaseTuple):
        return types.BaseTuple.from_types([_as_integer(each) for each in index.types])
    return types.intp if isinstance(index, types.IntEnumMember) else index


@infer_global(operator.getitem)
class _GetByMember(GetItemBuffer):
    """The type of `array[index]` for an index with members of an IntEnum, which are then converted."""

    def generic(self, args: Any, kws: Any) -> Any:
        array, index = args
        return super().generic((array, _as_integer(index)), kws) if _as_integer(index) != index else None


@infer_global(operator.setitem)
class _SetByMember(SetItemBuffer):
    """The same for `array[index] = value`."""

    def generic(self, args: Any, kws: Any) -> Any:
        array, index, value = args
        return super().generic((array, _as_integer(index), value), kws) if _as_integer(index) != index else None


# ---- tables and floats of a game


@contextlib.contextmanager
def _as_on_the_cpu() -> Iterator[None]:
    """While a kernel is compiled, put constant arrays into global memory, once each, and round after each operation.

    numba-cuda puts a copy for each use into constant memory, which has 64 KB; the tables of a game have more. NVVM
    computes a * b + c with one rounding, the CPU with two.
    """
    before = CUDATargetContext.make_constant_array, nvvm.compile_ir
    CUDATargetContext.make_constant_array = _make_constant_array
    nvvm.compile_ir = functools.partial(before[1], fma=False)
    try:
        yield
    finally:
        CUDATargetContext.make_constant_array, nvvm.compile_ir = before


def _make_constant_array(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    array = np.ascontiguousarray(array)
    content = array.tobytes()
    name = f"table_{hashlib.sha256(content).hexdigest()[:16]}"
    module, byte = builder.module, ir.IntType(8)
    if name not in module.globals:
        table = ir.GlobalVariable(module, ir.ArrayType(byte, len(content)), name, addrspace=_GLOBAL)
        table.linkage, table.global_constant, table.align = "linkonce_odr", True, _ALIGNMENT
        table.initializer = ir.Constant(table.value_type, bytearray(content))
    pointer = builder.addrspacecast(module.globals[name], byte.as_pointer(), "generic")
    made = context.make_array(array_type)(context, builder)
    context.populate_array(
        made,
        data=builder.bitcast(pointer, made.data.type),
        shape=[context.get_constant(types.intp, each) for each in array.shape],
        strides=[context.get_constant(types.intp, each) for each in array.strides],
        itemsize=made.itemsize,
        parent=made.parent,
        meminfo=None,
    )
    return made._getvalue()
