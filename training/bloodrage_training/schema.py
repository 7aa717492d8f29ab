"""Reads JSON from elsewhere by the types of its entries."""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.errors import UserError

T = TypeVar("T")
Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Seed = Annotated[int, Meta(ge=0, le=MAX_SEED)]
Spec = Annotated[str, Meta(min_length=1, max_length=1000)]  # of an agent
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
