"""Differences between two values of plain data, to store a sequence of scenes in little space.

A difference is a dict, which changes some keys of a dict or some indices of a list (as text, since JSON has no other
keys), or a list of one element, which is the new value. `static/scene.js` applies them as `applied` does.
"""

from typing import Any


def difference(old: Any, new: Any) -> Any:
    """Return the difference from one value to another, {} for equal values."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        keys = list(old)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and _deep(old):
        keys = list(range(len(old)))
    else:
        return {} if _same(old, new) else [new]
    return {str(key): difference(old[key], new[key]) for key in keys if not _same(old[key], new[key])}


def applied(old: Any, change: Any) -> Any:
    """Return the new value. The old value is unchanged; the two share the parts that are equal."""
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
    """Return whether two values have the same JSON: 1 and True do not."""
    return type(old) is type(new) and bool(old == new)


def _deep(values: list[Any]) -> bool:
    """Return whether a list contains dicts. Other lists are shorter when replaced."""
    return any(isinstance(value, dict) for value in values)
