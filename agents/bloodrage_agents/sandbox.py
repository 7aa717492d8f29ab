"""Restricts the process of a plug-in, as far as the platform supports it, before the plug-in is loaded.

The process gets named variables of the environment only, because others may hold keys. It has no terminal, and no open
file but two pipes to its parent. On Linux more needs no privileges. seccomp blocks other processes and the network
(`seccomp.py`). Landlock blocks all
files except those that the process needs, which it can read but not write, so no process can leave data for a later
one. On other platforms the process has the rights of the user, and `lacking` reports it.
"""

import contextlib
import ctypes
import importlib.util
import os
import platform
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from bloodrage_env.core.compile import kept

from . import seccomp

MEMORY: Final = 4 * 2**30  # bytes of data that a plug-in may hold
FILES: Final = "reading and writing the user's files, the store with the coming deals among them"
PROCESSES: Final = "starting, stopping and reading processes, or using the network"

# What a process that enters gets of the environment: where Python, its libraries and compiled functions are, the
# language, and settings of this project and of numba. Others may hold secrets.
INHERITED: Final = (
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "XDG_CACHE_HOME",
    "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "PYTHONHASHSEED",
    "BLOODRAGE_BERSERK_CARDS", "BLOODRAGE_NUMBA",
    "NUMBA_BOUNDSCHECK", "NUMBA_CACHE_DIR", "NUMBA_CPU_FEATURES", "NUMBA_CPU_NAME", "NUMBA_DISABLE_JIT", "NUMBA_OPT",
)  # fmt: skip
# Rights are those of a thread, so no library may start others as it is loaded.
_ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_TRY: Final = """
import sys
sys.path[:] = sys.argv[1:]
from bloodrage_agents import child, sandbox
for lacking in sandbox.enter([], []):
    print(lacking)
"""
_PACKAGES: Final = ("bloodrage_env", "bloodrage_agents", "bloodrage_training")  # this project, wherever it is installed
# Beside Python and the plug-in's own files: the system's libraries, chance, and how many cores there are.
_SYSTEM: Final = (
    "/usr", "/lib", "/lib32", "/lib64", "/nix/store", "/etc/ld.so.cache", "/etc/localtime",
    "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero",
    "/proc/cpuinfo", "/sys/devices/system/cpu",
)  # fmt: skip
_NEVER: Final = ("/dev", "/proc", "/run", "/sys")  # but for those above

_PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 4, 24, 38
_CAPABILITY_VERSION: Final = 0x20080522
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446  # system calls, the same on every machine
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
# The last right over files that a version of Landlock knows, from version 1 on; and from version 6 on also: sockets
# and signals of processes outside.
_LAST_RIGHT: Final = (12, 13, 14)
_SCOPES: Final = 3


def enter(readable: Sequence[str], hidden: Sequence[str]) -> list[str]:
    """Give up all rights that a plug-in does not need. Return those that could not be given up, of FILES and
    PROCESSES.

    The process can read the files and folders `readable`, Python and this project, but no path that begins with one of
    `hidden`. It must have one thread: start it with `environment()`.
    """
    _limit()
    hide_memory()
    if sys.platform != "linux" or len(os.listdir("/proc/self/task")) != 1:
        return [FILES, PROCESSES]
    system = ctypes.CDLL(None, use_errno=True)
    system.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _drop_capabilities(system)
    lacking = []
    try:
        _restrict_files(system, [*_always_readable(), *readable], tuple(map(os.path.realpath, hidden)))
    except OSError:
        lacking.append(FILES)
    try:
        seccomp.restrict()
    except OSError:
        lacking.append(PROCESSES)
    return lacking


def environment() -> dict[str, str]:
    """Return the environment of a process that enters: variables of INHERITED, and one thread for each library."""
    return {name: os.environ[name] for name in INHERITED if name in os.environ} | dict.fromkeys(_ONE_THREAD, "1")


def lacking() -> list[str]:
    """Return the restrictions that this platform does not support, of FILES and PROCESSES. A process tries them."""
    command = [sys.executable, "-c", _TRY, *sys.path]
    tried = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    return [FILES, PROCESSES] if tried.returncode else tried.stdout.splitlines()


def hide_memory() -> None:
    """Protect the memory of this process from all processes, where Landlock does not protect it from plug-ins."""
    if sys.platform == "linux":
        system = ctypes.CDLL(None, use_errno=True)
        if _landlock_version(system) < 1:
            system.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _limit() -> None:
    """Limit memory to `MEMORY`, and write no core file, where the system supports it."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if sys.platform == "linux":  # counts what is written to, where RLIMIT_AS counts what is only reserved
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    with contextlib.suppress(OSError):  # if memory runs out nevertheless, this process is the first to go
        Path("/proc/self/oom_score_adj").write_text("1000")


def _drop_capabilities(system: ctypes.CDLL) -> None:
    """Drop the capabilities of an administrator over other users' processes and files."""
    capability = 0
    while system.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    system.capset(struct.pack("=Ii", _CAPABILITY_VERSION, 0), bytes(24))


# ---- files


def _always_readable() -> Iterator[str]:
    """Return the files and folders of Python, its path, this project and the system."""
    yield from (*_SYSTEM, *sys.path)
    for spec in filter(None, map(importlib.util.find_spec, _PACKAGES)):
        yield from spec.submodule_search_locations or ()
    yield from (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)
    # Compiled functions, where they are kept if not beside their sources.
    yield from map(str, kept.shared_folders())


def _restrict_files(system: ctypes.CDLL, readable: Sequence[str], hidden: tuple[str, ...]) -> None:
    """Let this process read these paths and write nothing. Raise OSError without Landlock."""
    version = _landlock_version(system)
    if version < 1:
        raise OSError("no Landlock")
    rights = (1 << _LAST_RIGHT[min(version, len(_LAST_RIGHT)) - 1] + 1) - 1
    attributes = struct.pack("=QQQ", rights, 0, _SCOPES)[: 24 if version >= 6 else 8]
    rules = _checked(system.syscall(_LANDLOCK_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0))
    seen: set[str] = set()
    for path in readable:
        _allow(system, rules, os.path.realpath(path), hidden, seen)
    for path in filter(_is_never, _SYSTEM):
        _rule(system, rules, path, _READ_FILE | _READ_DIR)
    _checked(system.syscall(_LANDLOCK_RESTRICT, rules, 0))
    os.close(rules)


def _allow(system: ctypes.CDLL, rules: int, path: str, hidden: tuple[str, ...], seen: set[str]) -> None:
    """Allow reading of `path` and everything below it except hidden paths. The names in a folder are not hidden."""
    inside = path.rstrip("/") + "/"
    if path in seen or path.startswith(hidden) or _is_never(path):
        return
    seen.add(path)
    if not any(each.startswith(inside) for each in (*hidden, *_NEVER)):
        _rule(system, rules, path, _READ_FILE | _READ_DIR)
        return
    _rule(system, rules, path, _READ_DIR)
    with contextlib.suppress(OSError):
        for name in os.listdir(path):
            _allow(system, rules, os.path.realpath(inside + name), hidden, seen)


def _is_never(path: str) -> bool:
    """Whether a path is one of `_NEVER` or below it."""
    return any(path == each or path.startswith(f"{each}/") for each in _NEVER)


def _rule(system: ctypes.CDLL, rules: int, path: str, rights: int) -> None:
    """Add a right for a path and everything below it; do nothing if the path does not exist."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _READ_FILE
        _checked(system.syscall(_LANDLOCK_ADD, rules, 1, struct.pack("=Qi", rights, place), 0))
    finally:
        os.close(place)


def _landlock_version(system: ctypes.CDLL) -> int:
    """Return the version of Landlock, 0 or below if there is none."""
    known = platform.machine() != "alpha"  # where these numbers are others'
    return int(system.syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1)) if known else 0


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "landlock")
    return result
