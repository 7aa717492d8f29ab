"""Decorators that compile a game: `rule` for inner functions, `entry` for functions that Python calls.

A function has one signature, declared by its annotations. Compiled code is stored on disk (`kept.py`) with a stamp of
its sources (`stamps.py`). With `NUMBA_DISABLE_JIT=1` the decorators do nothing.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast, get_args, get_type_hints

import numpy as np
from numba import config, types

from .annotations import (
    Bytes,
    Bytes2,
    Floats,
    Floats2,
    Ints,
    Ints2,
    Mask,
    Mask2,
    Record,
    Records,
    Scores,
    Shorts,
    games,
    record_type,
)
from .building import Rule, compile_all, compile_with, entries
from .choice import path

__all__ = [
    "Bytes",
    "Bytes2",
    "Compiler",
    "Floats",
    "Floats2",
    "Ints",
    "Ints2",
    "Mask",
    "Mask2",
    "Record",
    "Records",
    "Scores",
    "Shorts",
    "compile_all",
    "compile_with",
    "direct",
    "entries",
    "entry",
    "quick_entry",
    "record_type",
    "rule",
    "shared_rule",
]

F = TypeVar("F", bound=Callable[..., Any])


def rule(function: F) -> F:
    """Compile an inner function of a game for the types its annotations name. Python cannot call it."""
    return function if config.DISABLE_JIT else cast("F", Rule(function))


def entry(function: F) -> F:
    """Compile a function that Python calls for the types its annotations name, and keep the result on disk.

    Other compiled code may call it too. An argument of another integer type, or a bool, is converted; any other type
    is a TypeError that names the argument, and so is an array that is read-only, not C-contiguous, or of another
    dtype. An integer beyond 64 bits is an OverflowError. Ranges and lengths are for the entry to check (`checks.py`).
    """
    if config.DISABLE_JIT:
        return _plain(function)
    result = get_args(get_type_hints(function, include_extras=True).get("return"))
    returns_games = len(result) == 2 and getattr(result[1], "dtype", None) in games
    return cast("F", (path().GamesEntry if returns_games else path().Entry)(function))


def _plain(function: F) -> F:
    function.direct = function  # type: ignore[attr-defined]
    return function


def direct(entry: Callable[..., Any]) -> Callable[..., Any]:
    """Return an entry without the checks of argument types, which take 200 ns.

    The caller must pass arrays of the declared dtype that are C-contiguous, aligned and writable, and ints for numbers.
    Other arguments are undefined behaviour.
    """
    return entry.direct  # type: ignore[attr-defined, no-any-return]


def quick_entry(function: F) -> F:
    """Do as `entry`, but keep the GIL: a call takes 50 ns less, and no other Python thread runs during it."""
    return _plain(function) if config.DISABLE_JIT else cast("F", path().QuickEntry(function))


def shared_rule(function: F) -> F:
    """Do as `rule`, for a large function that many entries call. They share its machine code, stored on disk."""
    return function if config.DISABLE_JIT else cast("F", path().SharedRule(function))


class Compiler:
    """The decorators for functions that are the same in every game. `Record` in annotations means this game's record.

    `name` distinguishes the game in the names of files on disk.
    """

    def __init__(self, name: str, state: np.dtype[np.record]) -> None:
        self.name = name
        self.state = state
        self.record: types.Record = record_type(state)

    def rule(self, function: F) -> F:
        """Do as `rule`."""
        return self._bound(rule(function))

    def shared_rule(self, function: F) -> F:
        """Do as `shared_rule`."""
        return self._bound(shared_rule(function))

    def entry(self, function: F) -> F:
        """Do as `entry`."""
        if config.DISABLE_JIT:
            return _plain(function)
        returns_games = get_type_hints(function).get("return") == Records
        return self._bound(cast("F", (path().GamesEntry if returns_games else path().Entry)(function)))

    def quick_entry(self, function: F) -> F:
        """Do as `quick_entry`."""
        return self._bound(quick_entry(function))

    def _bound(self, function: F) -> F:
        if not config.DISABLE_JIT:
            function.game, function.record = self.name, self.record  # type: ignore[attr-defined]
        return function
