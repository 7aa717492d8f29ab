"""The forms in which a section of an observation, or a part of one, is written as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

Labels = tuple[str, ...]  # the names of the positions of an axis
Name = str | int
Names = Mapping[str, Mapping[str, Name]]  # by kind of axis: the shown name of each label; others are not shown
Counts = npt.NDArray[np.uint8]


class Relative(dict[str, Name]):
    """The names of a kind whose positions depend on the seat that looks: a schema allows each of them anywhere."""


Axes = Sequence[Labels]


class Form(Protocol):
    """How counts are written. `labels` are those of the axes of the array; an empty value is left out by the caller."""

    def read(self, counts: Counts, labels: Axes, names: Names) -> Any:
        """Return the JSON value of the counts."""
        ...

    def write(self, value: Any, counts: Counts, labels: Axes, names: Names) -> None:
        """Set the counts, which are 0, to those that `read` has made the value of."""
        ...

    def schema(self, labels: Axes, names: Names) -> dict[str, Any]:
        """Return the JSON Schema of values."""
        ...


def name_of(label: str, kind: str, names: Names) -> Name:
    """Return the name of a label; without a kind the label itself, a number if it is one."""
    if kind:
        return names[kind][label]
    return int(label) if label.isdigit() else label


def shown(labels: Labels, kind: str, names: Names, counts: Counts | None = None) -> list[tuple[int, Name]]:
    """Return the positions of an axis that have names, with their names; with `counts` only those that are not 0."""
    rows: Sequence[int] = range(len(labels))
    if counts is not None:  # most of a vector is 0
        rows = np.flatnonzero(counts if counts.ndim == 1 else counts.reshape(len(labels), -1).any(1)).tolist()
    return [(row, name_of(labels[row], kind, names)) for row in rows if not kind or labels[row] in names[kind]]


def keys(labels: Labels, kind: str, names: Names, counts: Counts | None = None) -> list[tuple[int, str]]:
    """Return the same with names as keys of an object."""
    return [(row, str(name)) for row, name in shown(labels, kind, names, counts)]


def possible(labels: Labels, kind: str, names: Names) -> list[Name]:
    """Return the names that an axis can have in a schema."""
    if kind and isinstance(names[kind], Relative):
        return [*names[kind].values()]
    return [name for _, name in shown(labels, kind, names)]


def schema_of_names(kind: str, names: Names) -> dict[str, Any]:
    """Return the schema of a name of this kind."""
    return {"enum": list(dict.fromkeys(names[kind].values()))}


def _reference(labels: Labels, kind: str, names: Names) -> dict[str, Any]:
    found = possible(labels, kind, names)
    return {"$ref": f"#/$defs/{kind}"} if kind and len(found) == len(names[kind]) else {"enum": found}


@dataclass(frozen=True)
class Number:
    """One number."""

    def read(self, counts: Counts, labels: Axes, names: Names) -> int:
        """Return it."""
        return int(counts.item())

    def write(self, value: int, counts: Counts, labels: Axes, names: Names) -> None:
        """Set it."""
        counts[...] = value

    def schema(self, labels: Axes, names: Names) -> dict[str, Any]:
        """Return the schema of a count."""
        return {"type": "integer", "minimum": 0}


NUMBER: Final = Number()


@dataclass(frozen=True)
class Share(Number):
    """One number of those of `kind` that are shown, which is written as its share of `whole`."""

    kind: str
    whole: int

    def read(self, counts: Counts, labels: Axes, names: Names) -> int:
        """Return the number."""
        return int(counts.item()) * len(names[self.kind]) // self.whole

    def write(self, value: int, counts: Counts, labels: Axes, names: Names) -> None:
        """Set the share."""
        counts[...] = value * (self.whole // len(names[self.kind]))


@dataclass(frozen=True)
class Flag:
    """One number that is 0 or 1, as a truth value."""

    def read(self, counts: Counts, labels: Axes, names: Names) -> bool:
        """Return it."""
        return bool(counts.item())

    def write(self, value: bool, counts: Counts, labels: Axes, names: Names) -> None:
        """Set it."""
        counts[...] = value

    def schema(self, labels: Axes, names: Names) -> dict[str, Any]:
        """Return the schema of a truth value."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class One:
    """The name of the one position that is 1; None where none is."""

    kind: str = ""

    def read(self, counts: Counts, labels: Axes, names: Names) -> Name | None:
        """Return the name."""
        return next((name for _, name in shown(labels[0], self.kind, names, counts)), None)

    def write(self, value: Name, counts: Counts, labels: Axes, names: Names) -> None:
        """Set the position."""
        for row, name in shown(labels[0], self.kind, names):
            counts[row] = name == value

    def schema(self, labels: Axes, names: Names) -> dict[str, Any]:
        """Return the schema of a name."""
        return _reference(labels[0], self.kind, names)


@dataclass(frozen=True)
class Listed:
    """The names of all positions that are 1."""

    kind: str = ""

    def read(self, counts: Counts, labels: Axes, names: Names) -> list[Name]:
        """Return the names."""
        return [name for _, name in shown(labels[0], self.kind, names, counts)]

    def write(self, value: Sequence[Name], counts: Counts, labels: Axes, names: Names) -> None:
        """Set the positions."""
        for row, name in shown(labels[0], self.kind, names):
            counts[row] = name in value

    def schema(self, labels: Axes, names: Names) -> dict[str, Any]:
        """Return the schema of a list of names."""
        return {"type": "array", "items": _reference(labels[0], self.kind, names), "uniqueItems": True}


@dataclass(frozen=True)
class Each:
    """An object with an entry for each position that is not empty."""

    kind: str
    form: Form

    def read(self, counts: Counts, labels: Axes, names: Names) -> dict[str, Any]:
        """Return the entries."""
        rows = keys(labels[0], self.kind, names, counts)
        found = {name: self.form.read(counts[row], labels[1:], names) for row, name in rows}
        return {name: value for name, value in found.items() if value}

    def write(self, value: Mapping[str, Any], counts: Counts, labels: Axes, names: Names) -> None:
        """Set the positions of the entries; other keys are ignored."""
        for row, name in keys(labels[0], self.kind, names):
            if name in value:
                inside = counts[row : row + 1].reshape(counts.shape[1:])
                self.form.write(value[name], inside, labels[1:], names)

    def schema(self, labels: Axes, names: Names) -> dict[str, Any]:
        """Return the schema of the object."""
        inside = self.form.schema(labels[1:], names)
        return {
            "type": "object",
            "propertyNames": {"enum": [str(name) for name in possible(labels[0], self.kind, names)]},
            "additionalProperties": inside,
        }


def counts_by(kind: str = "") -> Each:
    """Return the form of an object with the count of each position that is not 0."""
    return Each(kind, NUMBER)


@dataclass(frozen=True)
class Fields:
    """An object with a number for each of a few positions, which have these names."""

    fields: tuple[str, ...]

    def read(self, counts: Counts, labels: Axes, names: Names) -> dict[str, int]:
        """Return the numbers that are not 0."""
        return {name: number for name, number in zip(self.fields, counts.tolist(), strict=True) if number}

    def write(self, value: Mapping[str, int], counts: Counts, labels: Axes, names: Names) -> None:
        """Set the numbers; other keys are ignored."""
        counts[:] = [value.get(name, 0) for name in self.fields]

    def schema(self, labels: Axes, names: Names) -> dict[str, Any]:
        """Return the schema of the object."""
        properties = {name: {"type": "integer", "minimum": 0} for name in self.fields}
        return {"type": "object", "properties": properties, "additionalProperties": False}


@dataclass(frozen=True)
class Row:
    """A list by position, up to the last one that is not empty."""

    form: Form

    def read(self, counts: Counts, labels: Axes, names: Names) -> list[Any]:
        """Return the list."""
        found = [self.form.read(each, labels[1:], names) for each in counts]
        while found and not found[-1]:
            found.pop()
        return found

    def write(self, value: Sequence[Any], counts: Counts, labels: Axes, names: Names) -> None:
        """Set the positions of the list."""
        for each, row in zip(value, counts, strict=False):
            self.form.write(each, row, labels[1:], names)

    def schema(self, labels: Axes, names: Names) -> dict[str, Any]:
        """Return the schema of the list."""
        return {"type": "array", "items": self.form.schema(labels[1:], names), "maxItems": len(labels[0])}


def plain_form(axes: int, flags: bool) -> Form:
    """Return the form of a section that names none: names of its labels, counts if not all are flags."""
    form: Form = Listed() if flags else counts_by()
    for _ in range(axes - 1):
        form = Each("", form)
    return form
