"""Damage to files: of their bytes, and of the values in them, with checksums that fit again."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

Tree = Any  # plain values, lists, dicts and arrays

NESTED: Any = [[[[[[[[[[]]]]]]]]]]
# What a value becomes: other types, numbers at and beyond limits, texts that are none, and what only looks alike.
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, 3, -1, 127, 2**31, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**30, 0.0, -0.0, 0.5, 1.0,
    1e308, float("nan"), float("inf"), "", " ", "x", "1", "nan", "\ud800", "a\nb", "\x1b[2J", "\u202e", "x" * 5000,
    [], {}, [[]], [1], ["x"], NESTED, {"": 0}, {"x": [1, {"y": None}]}, "berserk", "random", "../x",
)  # fmt: skip
KINDS = ("<f2", "<f4", "<f8", "<i1", "<i2", "<i4", "<i8", "<u8", "?", "<U9", "<c8", "<M8[s]", "V3")


def bytes_of(content: bytes, rng: random.Random) -> bytes:
    """Bits flipped, bytes changed, parts cut out, doubled, exchanged or written over; the end or the start missing."""
    size = len(content)
    first, second = sorted(rng.choices(range(size + 1), k=2))
    short = slice(first, min(size, first + rng.choice((1, 2, 8, 64, 2048))))
    match rng.randrange(9):
        case 0:
            return content[:first]
        case 1:
            return content[first:]
        case 2:
            return content[: short.start] + content[short.stop :]
        case 3:
            return content[: short.stop] + content[short.start :]
        case 4:
            return content[: short.start] + rng.randbytes(short.stop - short.start) + content[short.stop :]
        case 5:
            return content[second:] + content[first:second] + content[:first]
        case 6:
            added = rng.choice((b"[" * 20_000, b"\xff", b"\0", b"9" * 5000, b"\n", b'"'))
            return content[:first] + added + content[first:]
        case _:
            changed = bytearray(content)
            for _ in range(rng.randint(1, 3)):
                if changed:
                    changed[rng.randrange(size)] ^= 1 << rng.randrange(8)
            return bytes(changed)


def array_of(array: np.ndarray, rng: random.Random) -> Any:
    """An array of another dtype, shape or size, or with another value."""
    match rng.randrange(6):
        case 0:
            kind = np.dtype(rng.choice(KINDS))
            other = kind.kind in "VMU" or array.dtype.kind not in "fiub"
            with np.errstate(all="ignore"):
                return np.zeros(array.shape, kind) if other or rng.random() < 0.5 else array.astype(kind)
        case 1:
            return array.reshape(rng.choice(((-1,), (1, *array.shape), (*array.shape, 1))))
        case 2:
            return array[: rng.randint(0, len(array))] if array.ndim else np.zeros(0, array.dtype)
        case 3:
            return np.concatenate([array, array]) if array.ndim else np.array([array, array])
        case 4:
            return np.array(rng.choice(ODD[:-1]), dtype=object) if rng.random() < 0.3 else np.zeros(3)
        case _:
            changed = array.copy()
            if changed.size and changed.dtype.kind in "fiub":
                value = rng.choice((np.nan, np.inf, -1.0, 1e30) if changed.dtype.kind == "f" else (-1, 0, 99))
                with np.errstate(all="ignore"):
                    changed.reshape(-1)[rng.randrange(changed.size)] = np.array(value).astype(changed.dtype)
            return changed


def tree_of(tree: Tree, rng: random.Random) -> Tree:
    """A copy in which one to three values are another, missing, there twice, exchanged or in one another."""
    changed = _copied(tree)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        held = {"": changed}
        place, key = _place(held, rng)
        _change(place, key, rng, changed)
        changed = held.get("", changed)
    return changed


def _copied(tree: Tree) -> Tree:
    if isinstance(tree, dict):
        return {key: _copied(value) for key, value in tree.items()}
    return [_copied(value) for value in tree] if isinstance(tree, list) else tree


def _keys(place: Tree) -> list[Any]:
    return list(place) if isinstance(place, dict) else list(range(len(place))) if isinstance(place, list) else []


def _place(held: Tree, rng: random.Random) -> tuple[Tree, Any]:
    """A container and a key in it. Each depth is about as likely; the root is rare."""
    place, key = held, ""
    while (inner := _keys(place[key])) and (place is held or rng.random() < 0.7):
        place, key = place[key], rng.choice(inner)
        if place is held and rng.random() < 0.01:
            break
    return place, key


def _change(place: Tree, key: Any, rng: random.Random, whole: Tree) -> None:
    value = place[key]
    match rng.randrange(8):
        case 0 | 1:
            place[key] = rng.choice(ODD)
        case 2:
            del place[key]
        case 3 if isinstance(place, list):
            place.insert(key, _copied(value))
        case 3:
            place[str(rng.choice(ODD))[:40]] = _copied(value)
        case 4:
            other = rng.choice(_keys(place))
            place[key], place[other] = place[other], place[key]
        case 5:
            place[key] = rng.choice(([value], {"x": value}, str(value), [value, value]))
        case 6:
            place[key] = _copied(rng.choice([*_values(whole)]))
        case _:
            place[key] = _alike(value, rng)


def _alike(value: Any, rng: random.Random) -> Any:
    """A value of the same type, or one that compares as equal."""
    if isinstance(value, np.ndarray):
        return array_of(value, rng)
    if isinstance(value, bool):
        return rng.choice((not value, int(value)))
    if isinstance(value, int | float):
        return rng.choice((value + 1, value - 1, -value, float(value) if abs(value) < 1e300 else value, value * 2))
    if isinstance(value, str) and value:
        at = rng.randrange(len(value))
        return rng.choice((value[:at], value[:at] + rng.choice("\n0Zé{") + value[at + 1 :], value * 2, value.upper()))
    return rng.choice(ODD)


def _values(tree: Tree) -> Iterator[Any]:
    """All values of a tree; of long lists the first ones."""
    yield tree
    for key in _keys(tree)[:20]:
        yield from _values(tree[key])


def difference(one: Tree, other: Tree, place: str = "") -> str:
    """Where two trees differ first, "" if they are equal and of the same types: 1 is neither True nor 1.0."""
    if type(one) is type(other) and isinstance(one, dict) and one.keys() == other.keys():
        pairs = [(one[key], other[key], f"{place}/{key}") for key in one]
    elif type(one) is type(other) and isinstance(one, list) and len(one) == len(other):
        pairs = [(*each, f"{place}/{number}") for number, each in enumerate(zip(one, other, strict=True))]
    else:
        return "" if _equal(one, other) else f"{place or 'all'} is {_said(one)} and {_said(other)}"
    return next(filter(None, (difference(*each) for each in pairs)), "")


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    return type(one) is type(other) and bool(one == other)


def _said(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{[*value.shape]}"
    return f"a table of {', '.join(map(repr, value))}" if isinstance(value, dict) else f"{value!r:.300}"
