"""Selects how functions are compiled: quickly with private parts of numba, or with its public interface only.

The private parts are used if numba has them (`numba_private.lacking`) and a small game compiled with them plays and can
be loaded from disk (`numba_trial.py`). This is tried once for each version of numba in separate processes, because a
part that behaves differently could crash a process. A file stores the result.
"""

import functools
import hashlib
import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import llvmlite
import numba

from . import building, kept

VARIABLE: Final = "BLOODRAGE_NUMBA"  # "private" or "public": for tests
_CODE: Final = "import importlib, sys; sys.path[:] = sys.argv[2:]; importlib.import_module(sys.argv[1])"
_SECONDS: Final = 300.0


@functools.cache
def path() -> Any:
    """The module that compiles, `numba_private` or `numba_public`."""
    wanted = os.environ.get(VARIABLE, "")
    fault = "" if wanted == "private" else f"{VARIABLE} says so" if wanted == "public" else _fault()
    if not fault:
        return importlib.import_module(".numba_private", __package__)
    building.notes.append(f"numba {numba.__version__} can be used by its public interface alone: {fault}")
    building.duration = "several minutes"
    return importlib.import_module(".numba_public", __package__)


def _fault() -> str:
    """Return the reason why the private parts cannot be used, or ""."""
    try:
        fault: str = importlib.import_module(".numba_private", __package__).lacking()
    except (ImportError, AttributeError, TypeError) as error:
        return str(error)
    return fault or _found_by_trial()


def _found_by_trial() -> str:
    here = Path(__file__).parent
    content = "".join((here / f"{name}.py").read_text(encoding="utf-8") for name in ("numba_private", "numba_trial"))
    about = content, numba.__version__, llvmlite.__version__, sys.version
    name = f"numba-{hashlib.sha256(repr(about).encode()).hexdigest()[:16]}.txt"
    for known in kept.read(Path(__file__), name):
        return known.decode(errors="replace")
    with kept.lock("trial"):
        for known in kept.read(Path(__file__), name):  # another process has tried in the meantime
            return known.decode(errors="replace")
        try:
            # The first process stores what it compiles, the second one loads it.
            fault = _try() or _try(again=True)
        except (OSError, subprocess.SubprocessError):
            return ""  # there is no way to try it
        kept.write(Path(__file__), name, fault.encode())
    return fault


def _try(again: bool = False) -> str:
    """Play the small game. With `again`, it must be loaded from disk. Return the fault, or ""."""
    command = [sys.executable, "-c", _CODE, f"{__package__}.numba_trial", *sys.path]
    environment = os.environ | {VARIABLE: "private"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_SECONDS, check=False)
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"a trial ended by {done.returncode}"])[-1][:200]
    if again and kept.lock_folder() is not None and done.stderr:
        return "what it has compiled is not found on disk again"
    return ""
