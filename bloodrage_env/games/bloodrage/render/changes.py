"""What changed between two values of plain data, so that a row of scenes takes little room.

A change is a dict: what to change at some keys of a dict or at some indices of a list (as text, since JSON has no other
keys); or a list of one element: the new value. `static/scene.js` applies them as `applied` does.
"""

from typing import Any


def difference(old: Any, new: Any) -> Any:
    """The change from one value to another; {} for none."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        keys = list(old)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and _deep(old):
        keys = list(range(len(old)))
    else:
        return {} if _same(old, new) else [new]
    return {str(key): difference(old[key], new[key]) for key in keys if not _same(old[key], new[key])}


def applied(old: Any, change: Any) -> Any:
    """The new value; the old one stays as it is, and the two share what did not change."""
    if isinstance(change, list):
        return change[0]
    if not change:
        return old
    if isinstance(old, list):
        new = list(old)
        for key, inner in change.items():
            new[int(key)] = applied(old[int(key)], inner)
        return new
    return {**old, **{key: applied(old[key], inner) for key, inner in change.items()}}


def _same(old: Any, new: Any) -> bool:
    """Whether two values are written alike: 1 and True are not."""
    return type(old) is type(new) and bool(old == new)


def _deep(values: list[Any]) -> bool:
    """Whether a list holds dicts; others are shorter when written again."""
    return any(isinstance(value, dict) for value in values)
