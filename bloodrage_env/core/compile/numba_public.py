"""How a function is compiled by the public interface of numba alone, where `numba_private.py` can't be used.

`numba.njit` is given the one signature of each function. That takes minutes, since each function has a copy of all
below it, and a call by Python is slower; the results are the same. numba itself keeps what is compiled, and notices a
change only in a function's own file: so it is given a folder of its own for each entry and stamp.
"""

import contextlib
import functools
import hashlib
import inspect
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, Final

import llvmlite.binding
import numba
import numpy as np
from numba import config, types
from numba.core.errors import NumbaError
from numba.extending import typeof_impl

from . import building, kept, stamps
from .annotations import games, refusal, short
from .building import Kept, Rule
from .symbols import numbered_apart

_OPTIONS: Final = {"error_model": "numpy", "nogil": True}
_BITS: Final = 64
_lock = threading.RLock()  # for calls by Python; numba has its own, which is always taken after it


def _compiled(function: Callable[..., Any], signatures: Any, **options: Any) -> Any:
    """Return the dispatcher of a function with these signatures."""
    try:
        with numbered_apart():
            return numba.njit(signatures, **options)(function)
    except NumbaError as error:
        raise type(error)(short(str(error))) from None


def _for_callers(function: Callable[..., Any], signature: Any) -> list[Any]:
    """The signatures by which compiled code calls: for it, a parameter left out has a type of its own."""
    signatures, arguments = [signature], list(signature.args)
    for place, default in reversed([*enumerate(function.__defaults__ or (), -len(function.__defaults__ or ()))]):
        arguments[place] = types.Omitted(default)
        signatures.append(signature.return_type(*arguments))
    return signatures


def _made(rule: Rule) -> Any:
    return _compiled(rule.py_func, _for_callers(rule.py_func, rule.declared), **_OPTIONS)


Rule.make = staticmethod(_made)


class Entry(Kept):
    """A function that Python calls, kept on disk."""

    options: ClassVar[dict[str, Any]] = _OPTIONS

    def __init__(self, py_func: Callable[..., Any]) -> None:
        functools.update_wrapper(self, py_func)
        self.note(py_func)
        self._dispatcher: Any = None
        self._for_callers: Any = None
        self._signature = inspect.signature(py_func)
        building.entries.append(self)

    @property
    def settled(self) -> bool:  # type: ignore[override]
        """Whether it can be called."""
        return self._dispatcher is not None

    @property
    def signatures(self) -> list[Any]:
        """The signature, once it has been compiled."""
        return [] if self._dispatcher is None else [tuple(self.declared.args)]

    def settle(self) -> None:
        """Make the compiled version, if it is not there yet."""
        with _lock:
            if self._dispatcher is None:
                self.build()

    @property
    def direct(self) -> Any:
        """The compiled version, for callers that are sure of the types of their arguments."""
        self.settle()
        return self._dispatcher

    def for_callers(self) -> Any:
        """What compiled code calls. It has numba's lock already, so that it must not wait for the one here."""
        if self._for_callers is None:
            self._for_callers = _compiled(self.py_func, _for_callers(self.py_func, self.declared), **_OPTIONS)
        return self._for_callers

    def compile_now(self) -> None:
        """Compile it and put it on the disk."""
        folder = self._folder(kept.writable(self.source))
        if folder is None:
            self._dispatcher = _compiled(self.py_func, [self.declared], **self.options)
            return
        for other in folder.parent.glob(f"{folder.name.rpartition('-')[0]}-*"):
            shutil.rmtree(other, ignore_errors=True)  # of earlier stamps
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._compile_in(folder)
            (folder / "complete").touch()
        except OSError:
            building.say_that_nothing_is_kept()
            self._dispatcher = _compiled(self.py_func, [self.declared], **self.options)

    def load(self) -> bool:
        """Take it from the disk; a damaged file is none."""
        for place in kept.folders(self.source):
            folder = self._folder(place)
            with contextlib.suppress(Exception):  # unpickling may raise anything
                kept.refuse_foreign(place)
                if folder is not None and (folder / "complete").exists():
                    self._compile_in(folder)
                    return True
        return False

    def _folder(self, place: Path | None) -> Path | None:
        if place is None:
            return None
        processor = llvmlite.binding.get_host_cpu_name(), llvmlite.__version__, numba.__version__
        about = stamps.stamp(self.py_func), str(self.declared), processor
        return place / "public" / f"{self.file_name}-{hashlib.sha256(repr(about).encode()).hexdigest()[:16]}"

    def _compile_in(self, folder: Path) -> None:
        with _cached_in(folder):
            self._dispatcher = _compiled(self.py_func, [self.declared], cache=True, **self.options)

    def __call__(self, *args: Any, **kws: Any) -> Any:
        """Call it."""
        if self._dispatcher is None:
            self.settle()
        return self._dispatcher(*self._arguments(args, kws))

    def _arguments(self, args: tuple[Any, ...], kws: dict[str, Any]) -> list[Any]:
        """The arguments as the declared signature has them. TypeError, or OverflowError, if they don't fit."""
        if kws or len(args) != len(self.declared.args):
            try:
                bound = self._signature.bind(*args, **kws)
            except TypeError as error:
                raise TypeError(f"{self.py_func.__qualname__}: {error}") from None
            bound.apply_defaults()
            args = bound.args
        names = self._signature.parameters
        return [self._argument(*each) for each in zip(names, self.declared.args, args, strict=True)]

    def _argument(self, name: str, wanted: types.Type, value: Any) -> Any:
        if wanted in (types.int64, types.boolean):
            if not isinstance(value, int | np.integer | np.bool_):
                raise refusal(self.py_func, name, wanted, value)
            number = int(value)
            if not -(2 ** (_BITS - 1)) <= number < 2 ** (_BITS - 1):
                raise OverflowError(f"{self.py_func.__qualname__}: {name} is beyond {_BITS} bits")
            return number if wanted == types.int64 else bool(number)
        try:
            fits = numba.typeof(value) == wanted
        except ValueError:  # numba has no type for it
            fits = False
        if not fits:
            raise refusal(self.py_func, name, wanted, value)
        return value


@typeof_impl.register(Entry)  # type: ignore[untyped-decorator]
def _type_of_entry(entry: Entry, _context: Any) -> types.Type:
    return numba.typeof(entry.for_callers())


@contextlib.contextmanager
def _cached_in(folder: Path) -> Iterator[None]:
    """Have numba keep there what it compiles."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


class QuickEntry(Entry):
    """An entry that keeps the GIL."""

    options = _OPTIONS | {"nogil": False}


class GamesEntry(Entry):
    """An entry that returns games: numba forgets that they are records, with fields as attributes."""

    def __call__(self, *args: Any, **kws: Any) -> Any:
        """Call it."""
        return super().__call__(*args, **kws).view(games[self.declared.return_type.dtype])


SharedRule = Rule  # numba can't share machine code
