"""The answers of a language track as JSON lines in a file, which a run appends to and which survives `kill -9`.

The first line says what was asked. Each other line is a `Result` with a checksum. A line that was not written to its
end is dropped.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError
from bloodrage_env.language.transcript import MAX_NUMBER, Talk

from ..schema import Kind, checked, from_text, hexadecimal, line, maybe, number, whole

FORMAT: Final = 1
MAX_BYTES: Final = 256 * 2**20
MAX_SPEC: Final = 1000  # characters
MAX_LINE: Final = 300
CURE: Final = "move it away to begin again"


@dataclass(frozen=True)
class Result:
    """What one item brought for an agent: a value, or the failure of the endpoint."""

    agent: str
    part: str
    number: int
    value: float | None = None
    failed: bool = False  # no legal answer
    talk: Talk | None = None
    failure: str | None = None


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
        head = {"format": FORMAT, "track": "language", "game": game, "version": version, "decisions": digest}
        answers = cls(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        answers._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            answers._read(head)
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
        os.write(self._file, _sealed(asdict(result)))
        self._take(result)

    def _take(self, result: Result) -> None:
        if result.value is None:
            self._failures.setdefault(result.agent, []).append(result)
        else:
            self._found.setdefault((result.agent, result.part), {}).setdefault(result.number, result)

    def _read(self, head: dict[str, Any]) -> None:
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
        self._check_head(head, self._unsealed(texts[0], 1, _HEAD))
        for count, text in enumerate(texts[1:], 2):
            row = self._unsealed(text, count, _RESULT)
            if (row["value"] is None) == (row["failure"] is None):
                raise UserError(f"{self.path}, line {count}: it has no value; {CURE}")
            talk = row.pop("talk")
            self._take(Result(**row, talk=talk and Talk(**talk)))

    def _check_head(self, wanted: dict[str, Any], found: dict[str, Any]) -> None:
        for name, value in wanted.items():
            if found[name] != value:
                raise UserError(
                    f"{self.path} has answers to another {name} ({str(found[name])[:40]}, not {value}); {CURE}, or "
                    "name another folder with --out"
                )

    def _unsealed(self, text: bytes, count: int, kinds: dict[str, Kind]) -> dict[str, Any]:
        """The content of a line."""
        try:
            row = from_text(text)
            checked(row, {"checksum": hexadecimal(16)}, "it", others=True)
            checksum = row.pop("checksum")
            checked(row, kinds, "it")
            if row.get("talk") is not None:
                checked(row["talk"], _TALK, "its talk")
        except UserError as error:
            raise UserError(f"{self.path}, line {count}: {error}; {CURE}") from None
        if checksum != checksum_of(row):
            raise UserError(f"{self.path}, line {count}: it is not what was written; {CURE}")
        return dict(row)


def checksum_of(row: dict[str, Any]) -> str:
    """Return the checksum of a line without it, 16 hex digits."""
    return hashlib.sha256(as_json(row).encode()).hexdigest()[:16]


def _sealed(row: dict[str, Any]) -> bytes:
    row = json.loads(as_json(row))  # numbers as they are read again
    return (as_json({**row, "checksum": checksum_of(row)}) + "\n").encode()


_COUNT: Final = whole(0, MAX_NUMBER)
_AMOUNT: Final = number(0, MAX_NUMBER)
_HEAD: Final[dict[str, Kind]] = {
    "format": _COUNT, "track": line(20), "game": line(40), "version": _COUNT, "decisions": line(16),
}  # fmt: skip
_RESULT: Final[dict[str, Kind]] = {
    "agent": line(MAX_SPEC), "part": line(100), "number": _COUNT, "value": maybe(number(0, 1)),
    "failed": lambda value: type(value) is bool, "talk": lambda value: value is None or isinstance(value, dict),
    "failure": maybe(line(MAX_LINE)),
}  # fmt: skip
_TALK: Final[dict[str, Kind]] = {
    name: _AMOUNT if isinstance(value, float) else _COUNT for name, value in vars(Talk()).items()
}
