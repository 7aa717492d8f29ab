"""Tables in Markdown. All texts are escaped here, so a name is shown as it is and never is Markdown or HTML."""

import re
from collections.abc import Iterable, Sequence

# Characters that could have a meaning in a cell. An underscore has none within a word; elsewhere it begins an emphasis.
_SPECIAL = re.compile(r"[\x21-\x7e](?<![A-Za-z0-9.,:;!?'=+/()%_-])")
_OTHERS = re.compile(rf"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|{_SPECIAL.pattern}")


def escaped(text: str) -> str:
    """Return a text for a cell; characters that could have a meaning become entities."""
    return _OTHERS.sub(lambda found: f"&#{ord(found[0])};", text)


def code(text: str) -> str:
    """Return a text for a cell, marked as code."""
    if not _SPECIAL.search(text):
        return f"`{text}`"
    return f"<code>{escaped(text)}</code>"


def row(cells: Iterable[str]) -> str:
    """Return the line of a row, from texts that are escaped."""
    return f"| {' | '.join(cells)} |"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], coded: int | None = None) -> list[str]:
    """Return the lines of a table of texts; column `coded` is marked as code."""
    lines = [row(map(escaped, head)), row(["---"] * len(head))]
    return lines + [
        row(code(each) if column == coded else escaped(each) for column, each in enumerate(cells)) for cells in rows
    ]
