"""Compiles functions: what is compiled, in which order, by which process, and the messages for the user.

A function is compiled when it is first needed, together with all other entries. `numba_private.py` or `numba_public.py`
compiles a single function.
"""

import contextlib
import functools
import gc
import importlib
import inspect
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import numba
from numba import config, types
from numba.extending import typeof_impl

from . import kept, stamps
from .annotations import declared

entries: list["Kept"] = []  # all that is kept on disk and has been imported so far
_loaders: list[Callable[[], None]] = []
_declared: list["Declared"] = []  # all that has been imported so far
notes: list[str] = []  # lines that are printed before anything is compiled
duration = "a minute"  # that everything takes
PAUSE = 10.0  # seconds between two lines of progress outside a terminal
_helping = False  # whether this process only helps another one


def compile_with(load: Callable[[], None]) -> None:
    """Call `load` before this process first compiles. It imports modules whose entries are compiled together.

    So a user waits once, not once per command.
    """
    _loaders.append(load)


def compile_all() -> int:
    """Compile every entry imported so far, or load it from the cache. Return the number of entries."""
    for each in _in_order():
        each.settle()
    return len(entries)


def _known(module: str, key: str) -> Any:
    importlib.import_module(module)
    return next(each for each in reversed(_declared) if each.key == key)


class Declared:
    """A function with one declared signature, which is compiled when it is first needed."""

    record: types.Record | None = None  # what `Record` is in the annotations
    game = ""  # the name of the game whose record that is
    py_func: Callable[..., Any]

    def note(self, function: Callable[..., Any]) -> None:
        """Register the function."""
        self.py_func = function
        stamps.register(function)
        _declared.append(self)

    @functools.cached_property
    def declared(self) -> Any:
        """The numba signature of the annotations."""
        return declared(self.py_func, self.record)

    @functools.cached_property
    def key(self) -> str:
        """A name that is unique among the functions of all games."""
        return f"{self.py_func.__module__}.{self.py_func.__qualname__} {self.game}"

    def __reduce__(self) -> Any:  # numba pickles what a closure holds, to find it on disk: always to the same bytes
        return _known, (self.py_func.__module__, self.key)

    def no_entrance(self) -> TypeError:
        """Return the error for a call of a compiled-only function by Python."""
        return TypeError(f"{self.py_func.__qualname__} is a rule: call it from an @entry, or set NUMBA_DISABLE_JIT=1")


class Rule(Declared):
    """An inner function. numba treats it as its dispatcher, which is made when compiled code first refers to it."""

    make: ClassVar[Callable[["Rule"], Any]]  # compiles a rule: returns numba's dispatcher of it
    _dispatcher: Any = None

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.note(function)

    @property
    def dispatcher(self) -> Any:
        """The compiled function."""
        if self._dispatcher is None:
            self._dispatcher = Rule.make(self)
        return self._dispatcher

    @property
    def signatures(self) -> list[Any]:
        """The signatures that have been compiled."""
        return list(self.dispatcher.signatures)

    def __call__(self, *args: Any, **kws: Any) -> Any:
        """Raise TypeError."""
        raise self.no_entrance()


@typeof_impl.register(Rule)  # type: ignore[untyped-decorator]
def _type_of_rule(rule: Rule, _context: Any) -> types.Type:
    return numba.typeof(rule.dispatcher)


class Kept(Declared):
    """A function whose machine code is stored on disk: an entry, or a shared rule."""

    settled = False  # whether it can be called
    is_shared = False  # whether it is a shared rule

    def load(self) -> bool:
        """Load it from disk, if it is there."""
        raise NotImplementedError

    def compile_now(self) -> None:
        """Compile it and store it on disk."""
        raise NotImplementedError

    def settle(self) -> None:
        """Make the one compiled version, unless it exists."""
        raise NotImplementedError

    def build(self) -> None:
        """Load the compiled version, or compile it together with all other entries, one process at a time.

        Most of the time is spent on the rules below the entries, so all entries are compiled at once. Another process
        that waits for the lock then finds everything it needs.
        """
        if self.load():
            return
        with kept.build_lock() as outermost:
            if self.load():
                return
            if outermost:
                _build_all()
                return
            with kept.claim(self.key):
                if not self.load():
                    self.compile_now()

    @functools.cached_property
    def source(self) -> Path:
        """The file of the function."""
        return Path(inspect.getfile(self.py_func))

    @functools.cached_property
    def file_name(self) -> str:
        """The name of its files on disk without a suffix: one for each Python, game, and setting of bounds checks.

        A function of no game has the name of its package instead, because a mode of a game is a second package with the
        same sources.
        """
        where = f"{self.source.stem}.{self.py_func.__qualname__}-{self.py_func.__code__.co_firstlineno}"
        python = f"py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
        checked = "checked" if config.BOUNDSCHECK else "unchecked"
        owner = self.game or self.py_func.__module__.rpartition(".")[0].partition(".")[2]
        return f"{where}.{python}{owner}-{checked}".replace("<", "").replace(">", "")

    def keep(self, name: str, content: bytes) -> None:
        """Write a file. If that fails, the next process compiles again, and a message is printed once."""
        if not kept.write(self.source, name, content) and not _helping:
            say_that_nothing_is_kept()


def _in_order() -> list[Kept]:
    """Return the functions on disk: the first half of the shared rules, all entries, the second half.

    Both processes that compile begin with shared rules, because entries need them.
    """
    shared = [each for each in entries if each.is_shared]
    half = len(shared) // 2
    return [*shared[:half], *(each for each in entries if not each.is_shared), *shared[half:]]


def _build_all() -> None:
    while _loaders:
        _loaders.pop()()
    missing = [each for each in _in_order() if not each.settled and not each.load()]
    if kept.lock_folder() is None:
        say_that_nothing_is_kept()
    progress = _Progress(len(missing))
    with _helper(), _keeping_garbage():
        for number, each in enumerate(missing):
            progress.update(number)
            each.settle()
    progress.end()


@contextlib.contextmanager
def _helper() -> Iterator[None]:
    """Start a process on another core that compiles from the other end. Each process loads what the other has stored.

    Only on Linux, with at least two cores, no other thread (a fork could copy a lock that is never released), and a
    writable folder.
    """
    if not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2 or threading.active_count() > 1:
        yield
        return
    global _helping
    with kept.claims() as possible:
        if not possible:
            yield
            return
        child = os.fork()
        if child == 0:
            gc.disable()
            _helping = True
            try:
                for each in reversed(_in_order()):
                    each.settle()
            finally:
                os._exit(0)  # the other process compiles and reports what this one could not compile
        try:
            yield
        except BaseException:
            os.kill(child, signal.SIGKILL)
            raise
        finally:
            os.waitpid(child, 0)


@contextlib.contextmanager
def _keeping_garbage() -> Iterator[None]:
    """Turn off garbage collection: numba makes little garbage, and collecting it takes a quarter longer."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


# ---- what the user is shown


@functools.cache
def say_that_nothing_is_kept() -> None:
    """Print, once per process, that the next process will compile again."""
    say(f"compiled functions can be kept nowhere, so each start compiles: set {kept.VARIABLE} to a writable folder")


def say(line: str) -> None:
    """Print a line for the user in one write, because workers print at the same time."""
    if sys.stderr is not None:
        begin = "\r\x1b[K" if sys.stderr.isatty() else ""
        print(f"{begin}bloodrage: {line}", file=sys.stderr, flush=True)


class _Progress:
    """A line about compiled functions: redrawn in a terminal, otherwise printed at most once in PAUSE seconds."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.began = self.printed = time.monotonic()
        self.terminal = sys.stderr is not None and sys.stderr.isatty()
        for line in notes:
            say(line)
        if not self.terminal:
            say(f"compiling {total} functions for this machine ({duration}, once) ...")

    def update(self, done: int) -> None:
        """Show how many are compiled."""
        if self.terminal:
            line = f"compiling for this machine ({duration}, once): {done} of {self.total} ..."
            print(f"\r\x1b[Kbloodrage: {line}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() > self.printed + PAUSE:
            self.printed = time.monotonic()
            say(f"compiled {done} of {self.total} functions after {self.printed - self.began:.0f} s ...")

    def end(self) -> None:
        """Show that all are compiled."""
        if self.terminal:
            say(f"compiled {self.total} functions for this machine in {time.monotonic() - self.began:.0f} s")
