"""Processes that write a store: whether they still run."""

import contextlib
import os
from pathlib import Path


def start_of(pid: int) -> str:
    """Return when a process of this machine began, according to the system; "" if there is none."""
    with contextlib.suppress(OSError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return "" if fields[0] in "ZX" else fields[19]  # a zombie is dead
    try:  # a system without such files: that it lives must do
        os.kill(pid, 0)
    except PermissionError:
        return "alive"
    except (OSError, OverflowError):
        return ""
    return "" if Path("/proc/self/stat").exists() else "alive"
