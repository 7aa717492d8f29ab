"""Tables of named runs of numbers: the blocks of action ids, the sections of an observation."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np


class Block(NamedTuple):
    """A run of action ids: `start` to `start + size`."""

    name: str
    start: int
    size: int
    meaning: str


class Section(NamedTuple):
    """A run of an observation: `vector[start : start + size].reshape(shape)`."""

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return int(np.prod(self.shape))


def blocks(*rows: tuple[str, int, str]) -> tuple[Block, ...]:
    """One block after the other, from rows of name, size and meaning."""
    laid: list[Block] = []
    for name, size, meaning in rows:
        laid.append(Block(name, laid[-1].start + laid[-1].size if laid else 0, size, meaning))
    return tuple(laid)


def sections(*rows: tuple[str, tuple[int, ...], str]) -> tuple[Section, ...]:
    """One section after the other, from rows of name, shape and meaning."""
    laid: list[Section] = []
    for name, shape, meaning in rows:
        laid.append(Section(name, laid[-1].start + laid[-1].size if laid else 0, shape, meaning))
    return tuple(laid)


def starts(table: Iterable[Block | Section]) -> dict[str, int]:
    """Where each run of a table begins, by its name."""
    return {each.name: each.start for each in table}


def length(table: Sequence[Block | Section]) -> int:
    """How many numbers a table lays out."""
    last = table[-1]
    return last.start + last.size
