"""A self-contained page: the frame of `page.html`, tables and sections. All texts are escaped here."""

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from string import Template
from typing import Final

from bloodrage_env import files

from ..tournament.estimates import Estimate
from .charts import clean, shorten

MISSING: Final = "–"  # a number that nobody knows
TEXT: Final = ' class="text"'
MAX_NAME: Final = 80  # characters of the name of a row


@dataclass(frozen=True)
class Cell:
    """A cell of a table. `small` is a second line, `shade` a colour from -1 (worse) to 1 (better)."""

    content: str
    small: str = ""
    shade: float | None = None
    says: str = ""  # when pointed at
    text: bool = False  # a text, not a number
    links: Sequence[tuple[str, str, str]] = ()  # below: address, text, what it says when pointed at

    def html(self, column: str) -> str:
        """Return the element. On a phone, where cells are below each other, it begins with the name of its column."""
        inside = clean(self.content) + (f"<small>{clean(self.small)}</small>" if self.small else "")
        for address, text, says in self.links:
            inside += f'<a href="{clean(address)}" title="{clean(says)}">{clean(text)}</a>'
        title = f' title="{clean(self.says)}"' if self.says else ""
        title += f' data-column="{clean(column)}"'
        if self.shade is None:
            return f"<td{TEXT if self.text else ''}{title}>{inside}</td>"
        kind = "better" if self.shade >= 0 else "worse"
        return f'<td class="{kind}" style="--shade:{min(abs(self.shade), 1):.2f}"{title}>{inside}</td>'


Row = tuple[str, Sequence[Cell | str]]  # the name of the row, then its cells


def page(title: str, body: str, scripts: str = "'none'") -> str:
    """Return the whole page. `body` is HTML, `scripts` are the sources that the content policy allows."""
    frame = resources.files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    return Template(frame).substitute(title=clean(title), body=body, scripts=scripts)


def write(path: str | os.PathLike[str], text: str) -> None:
    """Write a file atomically. Raise OSError."""
    files.write(path, text.encode())


def section(anchor: str, heading: str, how_to_read: str, *content: str) -> str:
    """Return a part of the page; `content` is HTML."""
    read = f'<p class="read">{clean(how_to_read)}</p>'
    return f'<section id="{anchor}"><h2>{clean(heading)}</h2>{read}{"".join(content)}</section>\n'


def figure(svg: str) -> str:
    """Return a chart without a table."""
    return f"<figure>{svg}</figure>"


def details(summary: str, content: str) -> str:
    """Return HTML that is collapsed at first."""
    return f"<details><summary>{clean(summary)}</summary>{content}</details>"


def table(caption: str, head: Sequence[str], rows: Iterable[Row], matrix: bool = False) -> str:
    """Return a table whose first column contains the names of the rows; `head` includes that column."""
    rows = list(rows)
    first = ["", *rows[0][1]] if rows else []
    texts = {number for number, cell in enumerate(first) if isinstance(cell, Cell) and cell.text}
    columns = "".join(
        f'<th scope="col"{TEXT if number in texts else ""}>{clean(name)}</th>' for number, name in enumerate(head)
    )
    lines = "".join(
        f'<tr><th scope="row">{clean(shorten(name, MAX_NAME))}</th>'
        + "".join(
            (cell if isinstance(cell, Cell) else Cell(cell)).html(column)
            for column, cell in zip(head[1:], cells, strict=True)
        )
        + "</tr>"
        for name, cells in rows
    )
    kind = ' class="matrix"' if matrix else ""
    title, top = f"<caption>{clean(caption)}</caption>", f"<thead><tr>{columns}</tr></thead>"
    # A table that is too wide scrolls in its frame, which the keyboard must reach.
    frame = f'<div class="wide" role="region" aria-label="{clean(caption)}" tabindex="0">'
    return f"{frame}<table{kind}>{title}{top}<tbody>{lines}</tbody></table></div>"


def number(value: float, digits: int = 0) -> str:
    """Return a number with this number of decimals: "1,234.5"."""
    return signed(f"{value:,.{digits}f}") if math.isfinite(value) else MISSING


def signed(text: str) -> str:
    """Return a printed number with a minus sign as wide as a plus sign."""
    return text.replace("-", "\N{MINUS SIGN}")


def percent(value: float, digits: int = 1) -> str:
    """Return a share in percent."""
    return f"{100 * value:.{digits}f} %" if math.isfinite(value) else MISSING


def interval(share: Estimate) -> str:
    """Return the interval of a share: "22.0 to 26.3 %"."""
    return f"{100 * share.low:.1f} to {100 * share.high:.1f} %" if share.bounded else ""
