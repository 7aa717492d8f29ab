"""What a seat may know as text: an observation struct in short lines.

    line  = key [`: ` items]
    items = item (`, ` item)*
    item  = name | name ` ` value | `[` items `]` | name ` [` items `]`

The keys of an object that have a word or a number stand on its own line, its objects and lists on lines below it,
indented by two blanks. Objects from the third level on are in brackets. A flag is its key alone.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

HEAD: Final = ("version", "game", "you", "question")  # keys of a struct that are said elsewhere
LEGEND: Final = (
    "HOW TO READ THE STATE. A number after a name is how many or how much. What is not named is 0, none or no."
)
_DEEPEST: Final = 2  # level of objects on lines of their own


def table(struct: Mapping[str, Any]) -> str:
    """Return the lines of an observation struct, without its `HEAD`."""
    return "\n".join(_lines({key: value for key, value in struct.items() if key not in HEAD}, "", 0))


def _lines(node: Mapping[str, Any], head: str, level: int) -> Iterator[str]:
    """The lines of an object: its head with what is no object or list, then the others."""
    own = {key: value for key, value in node.items() if not isinstance(value, dict | list)}
    yield f"{head}{': ' if head and own else ''}{_items(own)}"
    margin = "  " * level
    for key, value in node.items():
        if key in own:
            continue
        name = margin + spoken(key)
        nested = isinstance(value, dict) and any(isinstance(each, dict | list) for each in value.values())
        if nested and level < _DEEPEST:
            yield from _lines(value, name, level + 1)
        else:
            yield f"{name}: {_items(value)}"


def _items(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(spoken(key) if each is True else f"{spoken(key)} {_item(each)}" for key, each in value.items())
    return ", ".join(map(_item, value))


def _item(value: Any) -> str:
    return f"[{_items(value)}]" if isinstance(value, dict | list) else str(value)


def spoken(key: str) -> str:
    """Return a key as words."""
    return key.replace("_", " ")
