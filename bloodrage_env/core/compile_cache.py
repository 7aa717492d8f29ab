"""The compiled engine on disk.

numba stamps a cached function with its own file only, so that an edited rule would go on running in its old
form without a word; a damaged file stops the import; and processes that start together compile side by side.
Here the stamp covers every source that an entry is made from, whatever package it lies in, damage is a miss, and
one process compiles for all.
"""

import contextlib
import functools
import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from numba.core import caching, config
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# An import at the head of a module: its dots, its module, the names; or a module.
_IMPORT = re.compile(r"^(?:from (\.*)([\w.]*) import (\([^)]*\)|.*)|import ([\w.]+))", re.MULTILINE)
_packages = {__name__.partition(".")[0]}  # those with compiled functions
_lock_depth = 0
_claims: Path | None = None  # a folder with a lock for each function, while two processes compile side by side
shared_rules: list[Any] = []  # those imported so far


def register(function: Callable[..., Any]) -> None:
    """Know the package of a compiled function: what compiled functions take from it belongs to their sources."""
    _packages.add(function.__module__.partition(".")[0])


def stamp(function: Callable[..., Any]) -> str:
    """Return the SHA-256 (hex) of all sources that a compiled function is made from.

    Those are its module and all that it imports, directly or not, from packages with compiled functions, since a
    constant leaves no trace in what is compiled; the tables beside them; and the modules that compile.
    """
    return _stamp_of(frozenset(modules_of(function)))


def modules_of(function: Callable[..., Any]) -> set[str]:
    """The modules of a function, and of the compiled ones in its closure."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    enclosed = [modules_of(each.py_func) for each in cells if isinstance(each, Dispatcher)]
    return {function.__module__}.union(*enclosed)


@functools.cache
def _stamp_of(modules: frozenset[str]) -> str:
    digest = hashlib.sha256()
    for name in sources(modules):
        digest.update(f"{name}\0{_content_of(name)}\0".encode())
    return digest.hexdigest()


def sources(modules: Iterable[str]) -> list[str]:
    """The modules and all that they import, directly or not, from packages with compiled functions, sorted."""
    found: set[str] = set()
    waiting = {*modules, f"{__package__}.compiled"}
    while waiting:
        found |= waiting
        waiting = {each for name in waiting for each in _imported(name)} - found
    return sorted(found)


@functools.cache
def _imported(module: str) -> frozenset[str]:
    """What a module imports at its head, of packages with compiled functions."""
    inside = module if _file_of(module).name == "__init__.py" else module.rpartition(".")[0]
    found = set()
    for dots, source, names, plain in _IMPORT.findall(_file_of(module).read_text(encoding="utf-8")):
        above = inside.split(".")[: len(inside.split(".")) + 1 - len(dots)] if dots else []
        base = ".".join([*above, source or plain]).strip(".")
        found |= {base, *(f"{base}.{name}" for name in re.findall(r"\w+", names))}
    return frozenset(each for each in found if each.partition(".")[0] in _packages and each in sys.modules)


@functools.cache
def _content_of(module: str) -> str:
    """The SHA-256 (hex) of a module's source and of the tables beside it."""
    file = _file_of(module)
    digest = hashlib.sha256()
    for each in (file, *sorted(file.parent.glob("*.csv"))):
        content = each.read_bytes()
        digest.update(f"{each.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _file_of(module: str) -> Path:
    return Path(str(sys.modules[module].__file__))


class _TemporaryLocator(caching.UserWideCacheLocator):
    """The last resort, where neither the package nor the home directory can be written to."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)
        user = os.getuid() if sys.platform != "win32" else "user"
        directory = Path(tempfile.gettempdir(), f"bloodrage-cache-{user}")
        self._cache_path = str(directory / self.get_suitable_cache_subpath(py_file))

    def ensure_cache_path(self) -> None:
        """Make the directory, and refuse one in which somebody else could plant code."""
        directory = Path(self._cache_path).parent
        directory.mkdir(mode=0o700, exist_ok=True)
        status = directory.stat()
        if sys.platform != "win32" and (status.st_uid != os.getuid() or status.st_mode & 0o022):
            raise PermissionError(f"{directory} belongs to somebody else")
        super().ensure_cache_path()


class _CacheImpl(caching.CompileResultCacheImpl):
    _locator_classes = (
        caching.UserProvidedCacheLocator,  # NUMBA_CACHE_DIR
        caching.InTreeCacheLocator,
        caching.UserWideCacheLocator,
        _TemporaryLocator,
    )

    def reduce(self, cres: Any) -> Any:
        """What is kept, with the names of the shared rules that it calls."""
        return {each.key: each.symbol for each in cres.library.shared}, super().reduce(cres)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """The inverse; ValueError if a shared rule has been compiled once more since, and is called otherwise now."""
        symbols, kept = payload
        shared = []
        for key, symbol in symbols.items():
            rule = next(each for each in reversed(shared_rules) if each.cache_key() == key)
            rule.settle()
            if rule.code.symbol != symbol:
                raise ValueError(f"{key} is not what was called")
            shared.append(rule.code)
        result = super().rebuild(target_context, kept)
        result.library.shared = frozenset(shared)
        return result


class _CacheFile(caching.IndexDataCacheFile):
    def _load_index(self) -> Any:
        """Return what is cached, nothing if the file is damaged: unpickling may then raise anything."""
        try:
            return super()._load_index()
        except Exception:
            return {}


class Cache(caching.FunctionCache):
    """numba's cache of one function, but stale once any source changed of what it is compiled from."""

    _impl_class = _CacheImpl

    def open(self, game: str) -> None:
        """Find the files of the function. `game` tells those of one game from those of another.

        To be called once all that the function calls has been imported. Where the files lie is settled before, since a
        process that has given up its rights can't find out any more.
        """
        # The flag is in the name, so that a build with bounds checks lives beside the one without.
        name = f"{self._impl.filename_base}{game}-{'checked' if config.BOUNDSCHECK else 'unchecked'}"
        self._cache_file = _CacheFile(self._cache_path, name, stamp(self._py_func))

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        """What tells compiled versions apart: numba would add a closure's contents, but these the stamp covers."""
        return sig, codegen.magic_tuple(), hashlib.sha256(self._py_func.__code__.co_code).hexdigest()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled version, or None if there is none or its file is damaged."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save the compiled version; failing that (a full disk, say), the next process compiles again."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


@functools.cache
def announce() -> None:
    """Say, once a process, what the user is waiting for."""
    message = "bloodrage: compiling for this machine (a minute, once) ..."
    print(message, file=sys.stderr, flush=True)


@contextlib.contextmanager
def build_lock() -> Iterator[bool]:
    """Keep other processes from compiling meanwhile; yields whether this is the outermost use in this one.

    One lock for all entries, so that two processes cannot wait for each other; without file locks (some
    network drives have none) each process just compiles for itself.
    """
    global _lock_depth
    with contextlib.ExitStack() as held, global_compiler_lock:
        if _lock_depth == 0:
            with contextlib.suppress(OSError):
                held.enter_context(_file_lock(_lock_path()))
        _lock_depth += 1
        try:
            yield _lock_depth == 1
        finally:
            _lock_depth -= 1


@contextlib.contextmanager
def claims() -> Iterator[None]:
    """While this is open, a process and those that it forks compile no function at the same time; see `claim`."""
    global _claims
    with tempfile.TemporaryDirectory() as folder:
        _claims = Path(folder)
        try:
            yield
        finally:
            _claims = None


@contextlib.contextmanager
def claim(name: str) -> Iterator[None]:
    """Wait until no other process is at this function."""
    if _claims is None:
        yield
        return
    with _file_lock(_claims / name):
        yield


def _lock_path() -> Path:
    return Path(_CacheImpl(_lock_path).locator.get_cache_path(), "compiling.lock")


@contextlib.contextmanager
def _file_lock(path: Path) -> Iterator[None]:
    with path.open("ab") as file:
        if sys.platform == "win32":
            while True:  # it gives up after ten seconds
                with contextlib.suppress(OSError):
                    msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                    break
        else:
            fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            if sys.platform == "win32":
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
            else:
                fcntl.flock(file, fcntl.LOCK_UN)  # closing is not enough where a fork has a copy
