"""Schemas of JSON from elsewhere: what each entry may be."""

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.errors import UserError

T = TypeVar("T")
Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Seed = Annotated[int, Meta(ge=0, le=MAX_SEED)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Versions = Annotated[dict[Name, Annotated[str, Meta(min_length=1, max_length=100)]], Meta(max_length=20)]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table that has these entries and no others. Its texts are of one line."""

    def __post_init__(self) -> None:
        """Raise ValueError for a text of several lines."""
        for name in self.__struct_fields__:
            if not _is_printable(getattr(self, name)):
                raise ValueError(f"{name} is not a text of one line")


def _is_printable(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_is_printable, (*value, *value.values())))
    if isinstance(value, list | tuple):
        return all(map(_is_printable, value))
    return not isinstance(value, str) or value.isprintable()


def decoded(text: str | bytes, kind: type[T]) -> T:
    """Return JSON as `kind`. Raise UserError, with one line, for other content."""
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        raise UserError("".join(filter(str.isprintable, str(error)))[:300]) from None
    except (ValueError, RecursionError):
        raise UserError("it is not JSON") from None


Kind = Callable[[Any], bool]  # whether a value is of the kind


def from_text(text: str | bytes) -> Any:
    """Return the content of JSON. Raise UserError for a text that is none, or has numbers that are not finite."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise UserError("it is not JSON") from None


def checked(content: Any, kinds: Mapping[str, Kind], where: str, others: bool = False) -> None:
    """Raise UserError unless `content` has an entry of the kind for each name, and no others."""
    if not isinstance(content, dict):
        raise UserError(f"{where} is not a table")
    for name in kinds:
        if name not in content:
            raise UserError(f"{where} has no {name}")
        if not kinds[name](content[name]):
            raise UserError(f"{where} has an invalid {name}")
    unknown = [] if others else sorted(content.keys() - kinds.keys())
    if unknown:
        raise UserError(f"{where} has an unknown entry {unknown[0][:40]!a}")


def whole(low: int, high: int) -> Kind:
    """Return the kind of whole numbers from `low` to `high`."""
    return lambda value: type(value) is int and low <= value <= high


def number(low: float, high: float) -> Kind:
    """Return the kind of numbers from `low` to `high`."""
    return lambda value: type(value) in (int, float) and low <= value <= high


def line(longest: int, least: int = 1) -> Kind:
    """Return the kind of texts of one line with `least` to `longest` characters."""
    return lambda value: isinstance(value, str) and least <= len(value) <= longest and value.isprintable()


def hexadecimal(length: int) -> Kind:
    """Return the kind of texts of this number of hex digits in lower case."""
    return lambda value: isinstance(value, str) and len(value) == length and {*value} <= {*"0123456789abcdef"}


def maybe(kind: Kind) -> Kind:
    """Return the kind of values that are of `kind` or null."""
    return lambda value: value is None or kind(value)


def listed(kind: Kind, most: int, least: int = 0) -> Kind:
    """Return the kind of lists of `least` to `most` values of `kind`."""
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(kind, value))


def named(key: Kind, kind: Kind, most: int) -> Kind:
    """Return the kind of tables of at most `most` entries whose names are of `key` and values of `kind`."""
    return lambda value: (
        isinstance(value, dict) and len(value) <= most and all(map(key, value)) and all(map(kind, value.values()))
    )


def _no_number(name: str) -> None:
    raise ValueError(name)
