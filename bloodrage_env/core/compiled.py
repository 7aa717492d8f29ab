"""How a game is compiled: `rule` for its inner functions, `entry` for what Python calls.

numba compiles a function anew for each mix of argument types, literal numbers included, and links it into
each of its callers; an engine written with plain `@njit` takes minutes to compile. Here a function has one
signature, declared by its annotations. What is compiled is kept as `compile_cache.py` says.

This leans on private parts of numba: the minor version is pinned in `pyproject.toml`, and
`tests/test_compiled.py` covers every such part. With `NUMBA_DISABLE_JIT=1` both decorators do nothing.
"""

import contextlib
import functools
import gc
import inspect
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from types import NoneType
from typing import Annotated, Any, ClassVar, TypeAlias, TypeVar, cast, get_args, get_origin, get_type_hints

import numba
import numpy as np
import numpy.typing as npt
from numba import _dispatcher, types
from numba.core import config, errors
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.typeconv.typeconv import TypeManager

from .compile_cache import Cache, announce, build_lock, claim, claims, register, shared_rules
from .libraries import EntryLibrary, RuleLibrary, compiling

F = TypeVar("F", bound=Callable[..., Any])

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
Ints: TypeAlias = Annotated[npt.NDArray[np.int64], types.int64[::1]]
Ints2: TypeAlias = Annotated[npt.NDArray[np.int64], types.int64[:, ::1]]
Scores: TypeAlias = Annotated[npt.NDArray[np.int32], types.int32[::1]]  # of each seat
Floats: TypeAlias = Annotated[npt.NDArray[np.float32], types.float32[::1]]
Floats2: TypeAlias = Annotated[npt.NDArray[np.float32], types.float32[:, ::1]]

# Inner functions are optimised again inside each caller: a higher level for them only costs compile time.
_RULE_LEVEL, _ENTRY_LEVEL = 1, 3
_games: dict[types.Record, np.dtype[np.record]] = {}
_RECORD = re.compile(r"Record\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)")
_entries: list["_Entry"] = []
_loaders: list[Callable[[], None]] = []


def record_type(state: np.dtype[np.record]) -> types.Record:
    """Return the numba type of a game's record, and know it from now on: entries may return arrays of it."""
    found = numba.from_dtype(state)
    _games[found] = state
    return found


def rule(function: F) -> F:
    """Compile an inner function of a game for the types its annotations name. Python cannot call it."""
    return function if config.DISABLE_JIT else _Rule(function)


def entry(function: F) -> F:
    """Compile a function that Python calls for the types its annotations name, and keep the result on disk.

    Other compiled code may call it too. An argument of another integer type, or a bool, is converted; any other type
    is a TypeError that names the argument, and so is an array that is read-only, not C-contiguous, or of another
    dtype. An integer beyond 64 bits is an OverflowError. Ranges and lengths are for the entry to check (`checks.py`).
    """
    if config.DISABLE_JIT:
        return function
    result = get_args(get_type_hints(function, include_extras=True).get("return"))
    returns_games = len(result) == 2 and getattr(result[1], "dtype", None) in _games
    return _GamesEntry(function) if returns_games else _Entry(function)


def quick_entry(function: F) -> F:
    """Do as `entry`, but keep the GIL: 50 ns less a call, and no other Python thread runs meanwhile."""
    return function if config.DISABLE_JIT else _QuickEntry(function)


def shared_rule(function: F) -> F:
    """Do as `rule`, for a large function that many entries need: they share its machine code, kept on disk."""
    return function if config.DISABLE_JIT else _SharedRule(function)


class Compiler:
    """The decorators for functions that are the same in every game: `Record` in their annotations means this game's.

    `name` tells the game from others in the names of files on disk.
    """

    def __init__(self, name: str, state: np.dtype[np.record]) -> None:
        self.name = name
        self.state = state
        self.record = record_type(state)

    def rule(self, function: F) -> F:
        """Do as `rule`."""
        return function if config.DISABLE_JIT else cast("F", self._bound(_Rule(function)))

    def shared_rule(self, function: F) -> F:
        """Do as `shared_rule`."""
        return function if config.DISABLE_JIT else cast("F", self._bound(_SharedRule(function)))

    def entry(self, function: F) -> F:
        """Do as `entry`."""
        if config.DISABLE_JIT:
            return function
        returns_games = get_type_hints(function).get("return") == Records
        return cast("F", self._bound(_GamesEntry(function) if returns_games else _Entry(function)))

    def quick_entry(self, function: F) -> F:
        """Do as `quick_entry`."""
        return function if config.DISABLE_JIT else cast("F", self._bound(_QuickEntry(function)))

    def _bound(self, dispatcher: Any) -> Any:
        dispatcher.game = self
        return dispatcher


def compile_with(load: Callable[[], None]) -> None:
    """Before this process first compiles, call `load`: it imports modules whose entries are to be compiled along.

    So a user waits once, not once for each command that needs some more.
    """
    _loaders.append(load)


def compile_all() -> int:
    """Compile every entry imported so far, or load it from the cache; returns how many there are."""
    for each in _in_order():
        each.settle()
    return len(_entries)


def _numba_type(annotation: Any, game: Compiler | None) -> types.Type:
    """Return the numba type an annotation stands for; TypeError if it stands for none."""
    plain = {bool: types.boolean, float: types.float64, NoneType: types.none}
    if game is not None and annotation in (Record, Records):
        return game.record if annotation == Record else game.record[::1]
    if get_origin(annotation) is Annotated:
        return get_args(annotation)[1]
    if isinstance(annotation, type) and issubclass(annotation, tuple):
        parts = get_type_hints(annotation, include_extras=True).values()
        return types.BaseTuple.from_types([_numba_type(part, game) for part in parts], annotation)
    if get_origin(annotation) is tuple:
        return types.Tuple([_numba_type(part, game) for part in get_args(annotation)])
    if annotation in plain:
        return plain[annotation]
    if isinstance(annotation, type) and issubclass(annotation, int):
        return types.int64
    raise TypeError(f"no numba type for {annotation!r}; see the aliases in {__name__}")


def _harmless_conversions() -> TypeManager:
    """What an argument of an entry may become: an integer another one, or a bool. numba's own table has floats cut."""
    manager = TypeManager()
    for given in (types.boolean, *types.integer_domain):
        for wanted in (types.int64, types.boolean):
            if given != wanted:
                manager.set_safe_convert(given, wanted)
    return manager


_conversions = _harmless_conversions()


def _kind(wanted: types.Type) -> str:
    """What an argument has to be, in words."""
    if isinstance(wanted, types.Array):
        dtype = (
            "games" if wanted.dtype in _games else "records" if isinstance(wanted.dtype, types.Record) else wanted.dtype
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
    dtype = "games" if value.dtype in _games.values() else "records" if value.dtype.names else value.dtype
    return ", ".join([f"one of {dtype} with {value.ndim} dimension{'s'[: value.ndim != 1]}", *words])


@contextlib.contextmanager
def _helper() -> Iterator[None]:
    """Have a process on another core compile meanwhile, from the other end; each finds on disk what the other has.

    Only on Linux, with two cores or more and no other thread, which might hold a lock that a fork would never see
    released.
    """
    if not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2 or threading.active_count() > 1:
        yield
        return
    with claims():
        child = os.fork()
        if child == 0:
            gc.disable()
            try:
                for each in reversed(_in_order()):
                    each.settle()
            finally:
                os._exit(0)  # what it could not compile, the other one will, and tell
        try:
            yield
        except BaseException:
            os.kill(child, signal.SIGKILL)
            raise
        finally:
            os.waitpid(child, 0)


@contextlib.contextmanager
def _keeping_garbage() -> Iterator[None]:
    """Collect none meanwhile: there is little among all that numba makes, and looking for it takes a quarter longer."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _in_order() -> list["_Entry"]:
    """What is kept on disk: first one half of the shared rules, all entries, then the other half.

    Both processes that compile begin with shared rules, since entries need them.
    """
    shared = [each for each in _entries if isinstance(each, _SharedRule)]
    half = len(shared) // 2
    return [*shared[:half], *(each for each in _entries if each not in shared), *shared[half:]]


class _Declared(CPUDispatcher):
    """A dispatcher that knows one signature, the declared one, and compiles it when first needed."""

    level = _RULE_LEVEL
    library: ClassVar[type[JITCodeLibrary]] = RuleLibrary
    game: Compiler | None = None
    options: ClassVar[dict[str, Any]] = {
        "nopython": True,
        "boundscheck": None,
        "nogil": True,
        "error_model": "numpy",
    }

    def __init__(self, py_func: Callable[..., Any], locals: Any = None, targetoptions: Any = None) -> None:
        super().__init__(py_func, locals, targetoptions or self.options | {"no_cfunc_wrapper": True})
        register(py_func)

    @functools.cached_property
    def declared(self) -> Any:
        """The numba signature that the annotations spell."""
        hints = get_type_hints(self.py_func, include_extras=True)
        try:
            names = [*inspect.signature(self.py_func).parameters, "return"]
            *arguments, result = (_numba_type(hints.get(name, "no annotation"), self.game) for name in names)
        except TypeError as problem:
            raise TypeError(f"{self.__qualname__}: {problem}") from None
        return result(*arguments)

    def settle(self) -> None:
        """Make the one compiled version, if it is not there yet, and refuse any other."""
        with global_compiler_lock:
            if self._can_compile:
                self.build()
                self.disable_compile()

    def build(self) -> None:
        """Compile the declared signature. In what numba has to say against it a record is only named."""
        try:
            with compiling(self.targetctx.codegen(), self.level, self.library):
                self.compile(self.declared)
        except errors.NumbaError as error:
            error.patch_message(_RECORD.sub("State", str(error)))
            raise

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Answer compiled code that wants to call this; numba would compile for `args`, literals and all."""
        self.settle()
        template, signature, args, kws = super().get_call_template(args, kws)
        declared = zip(args, self.declared.args, strict=True)
        args = [wanted if isinstance(given, types.Omitted) else given for given, wanted in declared]
        return template, signature, args, kws


class _Rule(_Declared):
    """An inner function. It has no entrance for Python, which is a good part of its compile time."""

    options = _Declared.options | {"no_cpython_wrapper": True}

    def add_overload(self, cres: Any) -> None:
        """Keep the result for compiled callers alone: the C dispatcher would jump to the missing entrance."""
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        raise _no_entrance(self)

    def _search_new_conversions(self, *args: Any, **kws: Any) -> bool:
        raise _no_entrance(self)


def _no_entrance(rule: _Declared) -> TypeError:
    return TypeError(f"{rule.__qualname__} is a rule: call it from an @entry, or set NUMBA_DISABLE_JIT=1")


class _Entry(_Declared):
    """A function that Python calls, kept on disk."""

    level = _ENTRY_LEVEL
    library = EntryLibrary

    def __init__(self, py_func: Callable[..., Any], locals: Any = None, targetoptions: Any = None) -> None:
        super().__init__(py_func, locals, targetoptions)
        self._cache = Cache(py_func)
        # numba hands a parameter left out to the compiled code as an OmittedArg, a type, hence a signature,
        # of its own. Here the default itself is filled in.
        _dispatcher.Dispatcher.__init__(
            self, _conversions.get_pointer(), self.py_func.__code__.co_argcount, True,
            tuple(inspect.signature(py_func).parameters), py_func.__defaults__ or (), False, False, False,
        )  # fmt: skip
        _entries.append(self)

    def build(self) -> None:
        """Load the compiled version, or, one process at a time, compile it, and all other entries with it.

        All at once, since the costly part is the rules below the entries: another process that waits for the
        lock then finds whatever it needs.
        """
        self._cache.open("" if self.game is None else self.game.name)
        if self._load():
            return
        with build_lock() as outermost:
            if self._load():
                return
            if outermost:
                announce()
                while _loaders:
                    _loaders.pop()()
                with _helper(), _keeping_garbage():
                    compile_all()
                return
            with claim(self.cache_key()):
                if not self._load():
                    super().build()

    def cache_key(self) -> str:
        """What tells it from the functions of all games."""
        return f"{self.py_func.__module__}.{self.__qualname__} {'' if self.game is None else self.game.name}"

    def _load(self) -> bool:
        with compiling(self.targetctx.codegen(), self.level, self.library):
            cres = self._cache.load_overload(self.declared, self.targetctx)
        if cres is None:
            return False
        self.targetctx.insert_user_function(cres.entry_point, cres.fndesc, [cres.library])
        self.add_overload(cres)
        return True

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        self.settle()
        return self  # the C dispatcher calls what it gets here with the same arguments

    def _search_new_conversions(self, *args: Any, **kws: Any) -> bool:
        """Allow members of an IntEnum, and no more: numba would look in its own table, which has floats cut."""
        members = [given for given in map(self.typeof_pyval, args) if isinstance(given, types.IntEnumMember)]
        for given in members:
            _conversions.set_safe_convert(given, types.int64)
        return bool(members)

    def _explain_matching_error(self, *args: Any, **kws: Any) -> None:
        """Name the first argument that does not fit."""
        for name, wanted, value in zip(
            inspect.signature(self.py_func).parameters, self.declared.args, args, strict=True
        ):
            given = self.typeof_pyval(value)
            if given != wanted and _conversions.check_compatible(given, wanted) is None:
                raise TypeError(f"{self.__qualname__}: {name} must be {_kind(wanted)}, not {_description(value)}")


class _QuickEntry(_Entry):
    options = _Entry.options | {"nogil": False}


class _SharedRule(_Entry):
    """A rule that is kept on disk as an entry is."""

    options = _Rule.options

    def __init__(self, py_func: Callable[..., Any], locals: Any = None, targetoptions: Any = None) -> None:
        super().__init__(py_func, locals, targetoptions)
        shared_rules.append(self)

    def add_overload(self, cres: Any) -> None:
        """As for a rule; its library tells whose it is, to note in the file of an entry that calls it."""
        self.overloads[tuple(cres.signature.args)] = cres
        self.code = cres.library
        self.code.key, self.code.symbol = self.cache_key(), cres.fndesc.llvm_func_name

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        raise _no_entrance(self)

    def _search_new_conversions(self, *args: Any, **kws: Any) -> bool:
        raise _no_entrance(self)


class _GamesEntry(_Entry):
    """An entry that returns games: numba forgets that they are records, with fields as attributes."""

    def __call__(self, *args: Any, **kws: Any) -> Any:
        return super().__call__(*args, **kws).view(_games[self.declared.return_type.dtype])
