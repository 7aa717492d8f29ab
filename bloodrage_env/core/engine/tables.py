"""Tables of named runs of numbers: the blocks of action ids, the sections of an observation.

Positions have names. A file that depends on a layout can store the names and be matched by name after the layout has
grown. An axis can reserve positions, so that appended names move nothing.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from .forms import Form, Labels, plain_form


class Block(NamedTuple):
    """A run of action ids: `start` to `start + size`. `labels` name them within the block.

    `arguments` are the names of the parts of a label, each with the kind of its names in structs, "" without one.
    """

    name: str
    start: int
    size: int
    meaning: str
    labels: Labels
    arguments: Mapping[str, str]


class Section(NamedTuple):
    """A run of an observation: `vector[start : start + size].reshape(shape)`. `labels` name the positions of each axis.

    `unit` is the count that 1.0 represents in a float observation, `most` the greatest count: one number, or nested
    tuples that broadcast to `shape`.

    `path` is where a struct has the section: keys with dots between them. `{kind}` is a key for each name of an axis.
    The axes that the path does not take are written by `form`. A path that ends with `*` adds the keys of the form to
    the object there.

    `seen_by` is ALL if every seat can compute the section of every other seat, or OWN if it contains what only the
    observer knows.

    `field` is the field of the record that the section contains: `fields_writer` writes it, while the flag `when`, if
    there is one, is set. Without a field a rule of the game computes the section.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str
    labels: tuple[Labels, ...]
    unit: Any
    most: Any
    path: str
    form: Form
    seen_by: str
    field: str
    when: str

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self.shape))


Run = TypeVar("Run", Block, Section)
ALL, OWN = "all", "own"  # who sees a section


def numbered(count: int, first: int = 0) -> Labels:
    """Return the labels of an axis whose positions are numbers."""
    return tuple(str(first + i) for i in range(count))


def labels(names: Iterable[str], size: int = 0) -> Labels:
    """Return the labels of an axis of at least `size` positions. Reserved positions have their numbers as labels."""
    named = tuple(names)
    if size and len(named) > size:
        raise RuntimeError(f"{len(named)} names where {size} positions are reserved, the last one {named[-1]}")
    return named + tuple(str(i) for i in range(len(named), size))


def members(kind: type[IntEnum], size: int = 0) -> Labels:
    """Return the labels of an axis whose positions are the members of an enumeration that counts from 0."""
    return labels((kind(i).name for i in range(sum(member >= 0 for member in kind))), size)


def pairs(first: Labels, second: Labels) -> Labels:
    """Return the labels of an axis of all pairs."""
    return tuple(f"{one}, {other}" for one, other in itertools.product(first, second))


def block(name: str, names: Labels, meaning: str, arguments: Mapping[str, str] | None = None) -> Block:
    """Return a block with these labels. Raise RuntimeError if it does not name each part of them."""
    arguments = arguments or {}
    if len(arguments) != (names[0].count(", ") + 1 if len(names) > 1 else 0):
        raise RuntimeError(f"block {name} names {len(arguments)} arguments, not one for each part of a label")
    described = f"{name}[{', '.join(arguments)}]: {meaning}" if arguments else meaning
    return Block(name, 0, len(names), described, names, arguments)


def blocks(*rows: Block) -> tuple[Block, ...]:
    """Return consecutive blocks."""
    return _consecutive(rows)


def section(name: str, axes: tuple[Labels, ...], meaning: str, unit: Any = 1, most: Any = None) -> Section:
    """Return a section with these labels of its axes, which a struct has by its name and its labels.

    By default, the greatest count is the unit.
    """
    flags = bool(np.all(np.asarray(unit if most is None else most) == 1))
    return shown(name, name, plain_form(len(axes), flags), axes, meaning, unit, most)


def shown(
    name: str,
    path: str,
    form: Form,
    axes: tuple[Labels, ...],
    meaning: str,
    unit: Any = 1,
    most: Any = None,
    seen_by: str = ALL,
    field: str = "",
    when: str = "",
) -> Section:
    """Return a section with its path and form in a struct, and its field in the record. Otherwise as `section`."""
    greatest_count = unit if most is None else most
    return Section(
        name, 0, tuple(map(len, axes)), meaning, axes, unit, greatest_count, path, form, seen_by, field, when
    )


def sections(*rows: Section) -> tuple[Section, ...]:
    """Return consecutive sections."""
    return _consecutive(rows)


def _consecutive(rows: Sequence[Run]) -> tuple[Run, ...]:
    ends = itertools.accumulate((row.size for row in rows), initial=0)
    return tuple(row._replace(start=start) for row, start in zip(rows, ends, strict=False))


def starts(table: Iterable[Block | Section]) -> dict[str, int]:
    """Return the start of each run of a table, by its name."""
    return {each.name: each.start for each in table}


def length(table: Sequence[Block | Section]) -> int:
    """Return the total size of a table."""
    last = table[-1]
    return last.start + last.size


def scales(table: Sequence[Section]) -> npt.NDArray[np.float32]:
    """Return float32[length(table)], the factors that convert counts of an observation to numbers of order one."""
    return np.float32(1) / _by_position(table, [each.unit for each in table])


def greatest(table: Sequence[Section]) -> npt.NDArray[np.float32]:
    """Return float32[length(table)], the maximum of each value of a float observation; the minimum is 0."""
    return _by_position(table, [each.most for each in table]) * scales(table)


def _by_position(table: Sequence[Section], values: Sequence[Any]) -> npt.NDArray[np.float32]:
    """Return a number for each position, from one per section, or nested tuples that broadcast to its shape."""
    parts = [
        np.broadcast_to(np.asarray(value, np.float32), each.shape).ravel()
        for each, value in zip(table, values, strict=True)
    ]
    return np.concatenate(parts)


def action_names(table: Sequence[Block]) -> Labels:
    """Return the name of each action id: its block, with its label in brackets if the block has several ids."""
    return tuple(each.name if each.size == 1 else f"{each.name}[{label}]" for each in table for label in each.labels)
