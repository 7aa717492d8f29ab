"""Writes the sections of an observation that contain a field of the record, as the table of sections says."""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ..compile.decorators import Bytes, Compiler, Record
from ..compile.memory_copies import copy_field
from .forms import Each, Form, One, Row
from .record import Field, Group
from .tables import Section

MOST = 255  # the greatest count


def fields_writer(
    compiler: Compiler,
    groups: Sequence[Group],
    table: Sequence[Section],
    relative: Callable[[Record, int, int], int],
    absent: bool = False,
) -> Callable[[Record, int, Bytes], None]:
    """Make the rule `(s, me, out)` that writes the sections with a field. `out` contains zeros.

    A field with the axis of seats is written for each seat in the game, with `absent` for the others too; or, if the
    section has no such axis, for the observer. `relative(s, me, seat)` returns the number of a seat from the observer.
    How a field is written follows from the form of the section and from the range of the field:

    - a position that is 1 (`One`): a negative number is not written;
    - one number: at most MOST;
    - an array of int8: a copy.

    The source is generated, so that each section is written at a constant place.
    """
    fields = {each.name: each for group in groups for each in group.fields}
    lines = ["def make(copy_field, relative):", "    def write_fields(s: Record, me: int, out: Bytes) -> None:"]
    for when in dict.fromkeys(each.when for each in table):
        rows = [(each, fields[each.field]) for each in table if each.field and each.when == when]
        body = [line for section, field in rows if not _by_seat(section, field) for line in _lines(section, field)]
        by_seat = [line for section, field in rows if _by_seat(section, field) for line in _lines(section, field)]
        if by_seat:
            most = max(field.shape[0] for section, field in rows if _by_seat(section, field))
            head = f"for seat in range({most if absent else 's.num_players'}):"
            body += _block(head, ["r = relative(s, me, seat)", *by_seat])
        body = _block(f"if s.{when} == 1:", body) if when else body
        lines += [f"        {line}" for line in body]
    lines.append("    return write_fields")
    names: dict[str, Any] = {"__name__": __name__, "Record": Record, "Bytes": Bytes}
    exec(compile("\n".join(lines), __file__, "exec"), names)
    made: Callable[[Record, int, Bytes], None] = compiler.rule(names["make"](copy_field, relative))
    return made


def _one(form: Form) -> One | None:
    """Return the innermost form if it is one-hot."""
    while isinstance(form, Each | Row):
        form = form.form
    return form if isinstance(form, One) else None


def _has_seats(field: Field) -> bool:
    return bool(field.axes) and field.axes[0].symbol == "S"


def _by_seat(section: Section, field: Field) -> bool:
    """Whether the section has an axis of seats, as the field has."""
    shape = section.shape[:-1] if _one(section.form) else section.shape
    return _has_seats(field) and len(shape) == len(field.shape)


def _lines(section: Section, field: Field) -> list[str]:
    """Return the lines that write a section, for one seat if it has an axis of seats."""
    if not _by_seat(section, field):
        value = f"s.{field.name}[me]" if _has_seats(field) else f"s.{field.name}"
        inside = field.shape[1:] if _has_seats(field) else field.shape
        return _write(section, field, value, str(section.start), section.shape, inside)
    others = section.shape[0] < field.shape[0]  # without the observer
    shape = section.shape[1:]
    at = f"{section.start} + {'(r - 1)' if others else 'r'} * {prod(shape)}"
    lines = _write(section, field, f"s.{field.name}[seat]", at, shape, field.shape[1:])
    return _block("if r > 0:", lines) if others else lines


def _write(
    section: Section, field: Field, value: str, at: str, shape: tuple[int, ...], inside: tuple[int, ...]
) -> list[str]:
    """Return the lines that write `value`, of the shape `inside`, into the part of a section with this shape."""
    one = _one(section.form)
    if prod(inside) != prod(shape[:-1] if one else shape) or (one and field.greatest >= shape[-1]):
        raise RuntimeError(f"section {section.name}, of the shape {section.shape}, has no room for {field.name}")
    if one is None:
        if field.least < 0 or (inside and field.dtype is not np.int8):
            raise RuntimeError(f"section {section.name} can't contain {field.name}, which is not counts in int8")
        if inside:
            return [f"copy_field(out, {at}, {value}{'' if '[' in value else '[:]'})"]
        return [f"out[{at}] = {f'min({MOST}, int({value}))' if field.greatest > MOST else value}"]
    if inside:
        value, at = f"{value}[i]", f"{at} + i * {shape[-1]}"
    place = f"relative(s, me, {value})" if one.kind == "seat" else f"int({value})"
    lines = [f"out[{at} + {place}] = 1"]
    lines = _block(f"if {value} >= 0:", lines) if field.least < 0 else lines
    return _block(f"for i in range({inside[0]}):", lines) if inside else lines


def _block(head: str, lines: Sequence[str]) -> list[str]:
    """Return a statement with a block of others."""
    return [head, *(f"    {line}" for line in lines)]
