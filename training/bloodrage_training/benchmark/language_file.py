"""The answers of a language track as JSON lines in a file, which a run appends to and which survives `kill -9`.

The first line says what was asked. Each other line is a `Result` with a checksum. A line that was not written to its
end is dropped.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Self

from msgspec import Meta, to_builtins

from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError
from bloodrage_env.language.transcript import MAX_NUMBER, Talk

from ..schema import Name, Spec, T, Table, decoded

FORMAT: Final = 1
MAX_BYTES: Final = 256 * 2**20
MAX_LINE: Final = 300
CURE: Final = "move it away to begin again"


_Count = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
_Row = dict[str, float | int | str | bool | dict[str, float | int] | None]  # a line, as it was written


class Head(Table, frozen=True):
    """What was asked."""

    format: _Count
    track: Name
    game: Name
    version: _Count
    decisions: Name


class Result(Table, frozen=True):
    """What one item brought for an agent: a value, or the failure of the endpoint."""

    agent: Spec
    part: Annotated[str, Meta(min_length=1, max_length=100)]
    number: _Count
    value: Annotated[float, Meta(ge=0, le=1)] | None = None
    failed: bool = False  # no legal answer
    talk: Talk | None = None
    failure: Annotated[str, Meta(min_length=1, max_length=MAX_LINE)] | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for a result that is none."""
        super().__post_init__()
        if (self.value is None) == (self.failure is None):
            raise ValueError("it has no value")
        if self.talk and not all(0 <= each <= MAX_NUMBER for each in vars(self.talk).values()):
            raise ValueError("its talk has a number out of range")


class Answers:
    """The results in a file. Of several for one item and agent, the first that has a value counts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._found: dict[tuple[str, str], dict[int, Result]] = {}  # by agent and part, then by number
        self._failures: dict[str, list[Result]] = {}
        self._file: int | None = None

    @classmethod
    @contextlib.contextmanager
    def open(cls, path: Path, game: str, version: int, digest: str) -> Iterator[Self]:
        """Open a file to read and append, and make it and its folder if necessary.

        Raise UserError for another file, or one in which something else was asked; OSError.
        """
        answers = cls(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        answers._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            answers._read(Head(FORMAT, "language", game, version, digest))
            yield answers
        finally:
            os.close(answers._file)
            answers._file = None

    def has(self, agent: str, part: str, number: int) -> bool:
        """Return whether an item has a value."""
        return number in self._found.get((agent, part), {})

    def of(self, agent: str, part: str) -> dict[int, Result]:
        """Return the results of a part by number, without failures."""
        return self._found.get((agent, part), {})

    def failures(self, agent: str) -> list[Result]:
        """Return all failures of an agent's endpoint, those of items that were answered later too."""
        return self._failures.get(agent, [])

    def last_failure(self, agent: str) -> str | None:
        """Return why an item has no value, None if there is none like that."""
        left = [each.failure for each in self.failures(agent) if not self.has(agent, each.part, each.number)]
        return left[-1] if left else None

    def add(self, result: Result) -> None:
        """Append a result."""
        assert self._file is not None
        os.write(self._file, _sealed(result))
        self._take(result)

    def _take(self, result: Result) -> None:
        if result.value is None:
            self._failures.setdefault(result.agent, []).append(result)
        else:
            self._found.setdefault((result.agent, result.part), {}).setdefault(result.number, result)

    def _read(self, head: Head) -> None:
        """Read the file, or write the head of a new one."""
        assert self._file is not None
        with os.fdopen(os.dup(self._file), "rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise UserError(f"{self.path} is larger than {MAX_BYTES >> 20} MiB; {CURE}")
        whole_lines = content.rfind(b"\n") + 1
        if whole_lines < len(content):
            os.ftruncate(self._file, whole_lines)
        texts = content[:whole_lines].split(b"\n")[:-1]
        if not texts:
            os.write(self._file, _sealed(head))
            return
        self._check_head(head, self._unsealed(texts[0], 1, Head))
        for count, text in enumerate(texts[1:], 2):
            self._take(self._unsealed(text, count, Result))

    def _check_head(self, wanted: Head, found: Head) -> None:
        for name in wanted.__struct_fields__:
            own, other = getattr(found, name), getattr(wanted, name)
            if own != other:
                raise UserError(
                    f"{self.path} has answers to another {name} ({own}, not {other}); {CURE}, or name another folder "
                    "with --out"
                )

    def _unsealed(self, text: bytes, count: int, kind: type[T]) -> T:
        """The content of a line."""
        try:
            row = decoded(text, _Row)
            checksum = row.pop("checksum", None)
            found = decoded(as_json(row), kind)
        except UserError as error:
            raise UserError(f"{self.path}, line {count}: {error}; {CURE}") from None
        if checksum != checksum_of(row) or to_builtins(found) != row:
            raise UserError(f"{self.path}, line {count}: it is not what was written; {CURE}")
        return found


def checksum_of(row: dict[str, Any]) -> str:
    """Return the checksum of a line without it, 16 hex digits."""
    return hashlib.sha256(as_json(row).encode()).hexdigest()[:16]


def _sealed(content: Head | Result) -> bytes:
    row = json.loads(as_json(to_builtins(content)))  # numbers as they are read again
    return (as_json({**row, "checksum": checksum_of(row)}) + "\n").encode()
