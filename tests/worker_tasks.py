"""Tasks for tests of pools of workers, in a module that a worker can import."""

import importlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from bloodrage_env.errors import UserError
from bloodrage_training.workers import leaving


def count(to: int) -> Iterator[int]:
    yield from range(to)


def who() -> Iterator[int]:
    yield os.getpid()


def stay() -> Iterator[int]:
    """Yield the id of the process, and do not end."""
    yield os.getpid()
    time.sleep(600)


def hears_ctrl_c() -> Iterator[bool]:
    yield signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def fail(kind: str) -> Iterator[int]:
    yield 1
    if kind == "user":
        raise UserError("no such thing")
    if kind == "fault":
        raise ValueError("a fault\nof two lines")
    if kind == "killed":
        os.kill(os.getpid(), signal.SIGKILL)


def wait_and_save(folder: Path, name: str) -> Iterator[str]:
    """Until it is interrupted; leaves two files."""
    (folder / f"{name}-begun").touch()
    try:
        while True:
            time.sleep(0.05)
    except KeyboardInterrupt:
        time.sleep(0.5)  # the time to write a checkpoint
        (folder / f"{name}-saved").touch()
    yield "saved"


def either(folder: Path, name: str) -> Iterator[str]:
    """Wait as `wait_and_save` does, or fail as soon as that has begun."""
    if name != "fails":
        yield from wait_and_save(folder, name)
        return
    while not any(folder.iterdir()):
        time.sleep(0.05)
    raise UserError("it is there")


def mark(file: Path, fails: bool) -> Iterator[str]:
    """Leave a file, and fail."""
    file.touch()
    if fails:
        raise UserError("it failed")
    yield "marked"


def leave(status: int, waiting: Path | None) -> Iterator[str]:
    """End the process with this status: at once, or when it is interrupted, for which it waits once the file exists."""
    yield "begun"
    try:
        while waiting:
            waiting.touch()
            time.sleep(0.05)
    except KeyboardInterrupt:
        pass
    os._exit(status)


def at_the_end(file: Path, deaf: bool) -> Iterator[str]:
    """Have a file made when the worker ends; or hear of no end."""
    if deaf:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    else:
        leaving.append(file.touch)
    yield "begun"
    while True:
        time.sleep(0.05)


def dies(file: Path, times: int) -> Iterator[str]:
    """Kill the process a number of times, which a file counts."""
    before = len(file.read_text()) if file.exists() else 0
    yield "begun"
    if before < times:
        file.write_text("x" * (before + 1))
        os.kill(os.getpid(), signal.SIGKILL)
    yield "ended"


def place_of(module: str) -> Iterator[str]:
    """The file of a module, as the worker finds it."""
    yield str(importlib.import_module(module).__file__)
