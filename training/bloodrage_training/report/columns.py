"""Columns of tables of results. A column is declared once; text, Markdown, pages, CSV and JSON are written from it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ..tournament.estimates import Estimate
from .page import MISSING, Cell, Row, interval, number, percent, signed

ENDS: Final = ("", "_low", "_high")  # of the names of an estimate's columns in a CSV file


@dataclass(frozen=True)
class Shown:
    """A value, its text in a line, and its cell in a page."""

    value: Estimate | float | str | None
    text: str
    cell: Cell


class Column(NamedTuple):
    """A column: its name in data, its heading, and what it shows of a row."""

    name: str
    heading: str
    show: Callable[[Any], Shown]


def label(text: str) -> Shown:
    """Show a text."""
    return named(text, text)


def named(value: float | str, text: str) -> Shown:
    """Show a value as a text, without an interval."""
    return Shown(value, text, Cell(text))


def count(value: int) -> Shown:
    """Show a number of things."""
    return Shown(value, str(value), Cell(number(value)))


def share(estimate: Estimate) -> Shown:
    """Show a share with its interval, in percent: "0.0 % (0.0 to 0.6)"."""
    text = percent(estimate.value)
    bounds = f" ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})" if estimate.bounded else ""
    return Shown(estimate, text + bounds, Cell(text, interval(estimate)))


def with_interval(estimate: Estimate, form: str) -> str:
    """Return a value and its interval, if it has one, as text: "1.25 (1.00 to 1.50)" for the format ".2f"."""
    ends = f" ({estimate.low:{form}} to {estimate.high:{form}})" if estimate.bounded else ""
    return f"{estimate.value:{form}}{ends}"


def mean(estimate: Estimate, digits: int) -> Shown:
    """Show a mean; its interval is left out of texts."""
    bounds = f"{estimate.low:.{digits}f} to {estimate.high:.{digits}f}" if estimate.bounded else ""
    text = number(estimate.value, digits)
    return Shown(estimate, text, Cell(text, bounds))


def elo(value: float, bound: str) -> Shown:
    """Show an Elo. `bound` precedes one that is a bound (`Ratings.elo_bound`)."""
    text = f"{bound}{value:.0f}"
    return Shown(value, text, Cell(signed(text)))


def difference(estimate: Estimate, bound: str = "") -> Shown:
    """Show a difference in Elo with its interval: "+25 (-3 to +51)". `bound` precedes one that is a bound."""
    if not estimate.known:
        return Shown(estimate, MISSING, Cell(MISSING))
    value, low, high = (f"{each:+.0f}" for each in (estimate.value, estimate.low, estimate.high))
    bounds = f"{low} to {high}" if estimate.bounded else ""
    text = f"{bound}{value} ({bounds})" if bounds else bound + value
    return Shown(estimate, text, Cell(bound + signed(value), signed(bounds)))


def seconds(value: float) -> Shown:
    """Show a time."""
    return named(value, duration(value))


def duration(value: float) -> str:
    """Return a time in seconds as "1.2 s", "3.4 ms" or "56 µs"."""
    if not np.isfinite(value):
        return MISSING
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-6:.3g} µs"


def filled(columns: Iterable[Column], rows: Sequence[Any]) -> list[Column]:
    """Return the columns that have a value in at least one row."""
    return [column for column in columns if any(column.show(row).text != MISSING for row in rows)]


def texts(columns: Sequence[Column], rows: Iterable[Any]) -> list[tuple[str, ...]]:
    """Return the headings, and the texts of each row."""
    shown = [tuple(column.show(row).text for column in columns) for row in rows]
    return [tuple(column.heading for column in columns), *shown]


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table of texts, with the first column flush left and the others flush right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]


def page_rows(columns: Sequence[Column], rows: Iterable[Any]) -> tuple[list[str], list[Row]]:
    """Return the headings and rows for `page.table`. The first column contains the names of the rows."""
    first, *others = columns
    return [column.heading for column in columns], [
        (first.show(row).text, [column.show(row).cell for column in others]) for row in rows
    ]


def records(columns: Sequence[Column], rows: Iterable[Any]) -> Iterator[dict[str, object]]:
    """Yield the values of each row by the names of the columns."""
    for row in rows:
        yield {column.name: column.show(row).value for column in columns}


def csv_rows(columns: Sequence[Column], rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield the names of the columns, and the values of each row. An estimate has three columns, named by ENDS."""
    found = [[column.show(row).value for column in columns] for row in rows]
    wide = [any(isinstance(row[place], Estimate) for row in found) for place in range(len(columns))]
    yield [column.name + end for column, three in zip(columns, wide, strict=True) for end in ENDS[: 3 if three else 1]]
    for values in found:
        yield [each for value in values for each in (ends(value) if isinstance(value, Estimate) else (value,))]


def ends(estimate: Estimate) -> tuple[float, float, float]:
    """Return a value and the ends of its interval, in columns named by ENDS."""
    return estimate.value, estimate.low, estimate.high
