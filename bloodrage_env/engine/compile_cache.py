"""The compiled engine on disk.

numba stamps a cached function with its own file only, so that an edited rule would go on running in its old
form without a word; a damaged file stops the import; and processes that start together compile side by side.
Here the stamp covers the directory of every compiled function that an entry reaches, damage is a miss, and one
process compiles for all.
"""

import contextlib
import functools
import hashlib
import inspect
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from numba.core import caching, config
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_PACKAGE = Path(__file__).resolve().parents[1]
# Part of every stamp; the directory of the last three is the whole package, and most of that is not compiled.
_STAMPED = (_PACKAGE / "engine", *(_PACKAGE / name for name in ("observation.py", "rewards.py", "vector.py")))
_lock_depth = 0


@functools.cache
def source_stamp(roots: tuple[Path, ...]) -> str:
    """Return the SHA-256 (hex) of the names and contents of all sources and tables at, or below, `roots`."""
    files = {file for root in roots for file in (root, *root.rglob("*")) if file.suffix in (".py", ".csv")}
    digest = hashlib.sha256()
    for file in sorted(filter(Path.is_file, files)):
        content = file.read_bytes()
        digest.update(f"{os.path.relpath(file, _PACKAGE)}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _sources_elsewhere(py_func: Callable[..., Any]) -> list[Path]:
    """The other directories that hold the function, or a compiled one that it can reach by the globals of modules."""
    found: dict[str, Path] = {}
    waiting = [py_func]
    while waiting:
        function = waiting.pop()
        file = Path(inspect.getfile(function)).resolve()
        if function.__module__ not in found and not any(file.is_relative_to(root) for root in _STAMPED):
            found[function.__module__] = file.parent
            named = list(function.__globals__.values())
            modules = [each for each in named if isinstance(each, ModuleType)]
            named += [each for module in modules for each in vars(module).values()]
            waiting += [each.py_func for each in named if isinstance(each, Dispatcher)]
    return sorted(set(found.values()))


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

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        # The flag is in the name, so that a build with bounds checks lives beside the one without.
        name = f"{self._impl.filename_base}-{'checked' if config.BOUNDSCHECK else 'unchecked'}"
        stamp = source_stamp((*_STAMPED, *_sources_elsewhere(py_func)))
        self._cache_file = _CacheFile(self._cache_path, name, stamp)

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
    message = "bloodrage: compiling the engine for this machine (a minute or two, once) ..."
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
