"""Folders for compiled functions, in the order in which they are tried, and the locks in them.

No folder has to be writable. Without a writable folder, nothing is stored and each process compiles.
"""

import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Final

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

VARIABLE: Final = "NUMBA_CACHE_DIR"  # the variable that numba has for this
_TEMPORARY: Final = "bloodrage-cache-"
_lock_depth = 0
_alone: Path | None = None  # the only folder, instead of those below
_claims: Path | None = None  # a folder with a lock for each function, while two processes compile side by side


def shared_folders() -> list[Path]:
    """Return the folders for functions of any package: NUMBA_CACHE_DIR, the user's, and the temporary one.

    Folders that do not exist are included. Folders without a setting in the environment are omitted.
    """
    found = [Path(given)] if (given := os.environ.get(VARIABLE)) else []
    with contextlib.suppress(RuntimeError):  # no home directory
        if sys.platform == "win32":
            found.append(
                Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local", "bloodrage", "Cache")
            )
        elif sys.platform == "darwin":
            found.append(Path.home() / "Library" / "Caches" / "bloodrage")
        else:
            found.append(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "bloodrage"))
    with contextlib.suppress(OSError):  # no temporary directory
        found.append(_temporary())
    return found


def keep_alone(folder: Path) -> None:
    """Store compiled functions in this folder alone, and load them from no other one."""
    global _alone
    _alone = folder
    lock_folder.cache_clear()


def folders(source: Path) -> list[Path]:
    """Return the folders for compiled functions of a source file, best first: NUMBA_CACHE_DIR, __pycache__, others."""
    parent = source.parent
    # Several checkouts can share these folders.
    inside = f"{parent.name}_{hashlib.sha1(str(parent).encode()).hexdigest()}"
    if _alone:
        return [_alone / inside]
    found = [folder / inside for folder in shared_folders()]
    found.insert(1 if os.environ.get(VARIABLE) else 0, parent / "__pycache__")
    return found


def read(source: Path, name: str) -> Iterator[bytes]:
    """Yield the content stored for a source file with this name, from each folder that has it."""
    for folder in folders(source):
        with contextlib.suppress(OSError):
            refuse_foreign(folder)
            yield (folder / name).read_bytes()


def write(source: Path, name: str, content: bytes) -> bool:
    """Store it atomically in the first writable folder. Return whether there is one."""
    for folder in folders(source):
        with contextlib.suppress(OSError):
            _make(folder)
            _write(folder / name, content)
            return True
    return False


def writable(source: Path) -> Path | None:
    """Return the first writable folder for a source file, or None."""
    for folder in folders(source):
        with contextlib.suppress(OSError):
            _make(folder)
            tempfile.TemporaryFile(dir=folder).close()
            return folder
    return None


def _temporary() -> Path:
    user = os.getuid() if sys.platform != "win32" else "user"
    return Path(tempfile.gettempdir(), f"{_TEMPORARY}{user}")


def _make(folder: Path) -> None:
    if folder.parent.name.startswith(_TEMPORARY):
        folder.parent.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    refuse_foreign(folder)


def refuse_foreign(folder: Path) -> None:
    """Raise PermissionError for a temporary folder in which another user could place code."""
    above = folder.parent
    if sys.platform == "win32" or not above.name.startswith(_TEMPORARY):
        return
    status = above.stat()
    if status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise PermissionError(f"{above} belongs to somebody else")


def _write(path: Path, content: bytes) -> None:
    # Another process may write the same file.
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
    try:
        part.write_bytes(content)
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


# ---- locks


@functools.cache
def lock_folder() -> Path | None:
    """Return the folder of the locks between compiling processes; None if nothing can be written."""
    return writable(Path(__file__))


@contextlib.contextmanager
def lock(name: str) -> Iterator[None]:
    """Exclude other processes that use the same name, where files can be locked."""
    with contextlib.ExitStack() as held:
        folder = lock_folder()
        if folder is not None:
            with contextlib.suppress(OSError):
                held.enter_context(_file_lock(folder / f"{name}.lock"))
        yield


@contextlib.contextmanager
def build_lock() -> Iterator[bool]:
    """Exclude other processes from compiling. Yield whether this is the outermost use in this process.

    There is one lock for all functions, so two processes cannot wait for each other. Without file locks (some network
    drives), each process compiles for itself. The caller has a lock against other threads.
    """
    global _lock_depth
    with lock("compiling") if _lock_depth == 0 else contextlib.nullcontext():
        _lock_depth += 1
        try:
            yield _lock_depth == 1
        finally:
            _lock_depth -= 1


@contextlib.contextmanager
def claims() -> Iterator[bool]:
    """A context in which a process and its forks never compile a function at the same time; see `claim`.

    Yield False if that is not possible because nothing can be written.
    """
    global _claims
    parent = lock_folder()
    if parent is None:
        yield False
        return
    for left in parent.glob("claims-*"):  # by a process that was killed
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=parent, prefix="claims-") as folder:
        _claims = Path(folder)
        try:
            yield True
        finally:
            _claims = None


@contextlib.contextmanager
def claim(name: str) -> Iterator[None]:
    """Wait until no other process compiles this function."""
    if _claims is None:
        yield
        return
    with _file_lock(_claims / name):
        yield


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
