"""Transcripts: what language models were asked and answered in a game, as JSON lines in a file beside its replay.

A line is a decision: `step`, the number of actions before it, `seat`, `action` (None for a forfeit), `tries`,
`refused` (why answers were not accepted), `classes` (of these refusals: `unreadable` or `illegal`), `failed` (requests
without an answer that were repeated), `prompt_tokens`, `answer_tokens`, `cost`, `seconds`, `random` (the action was
drawn) and `messages`, each with `role` and `content`.
"""

import contextlib
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from .. import files
from ..encoding import as_json
from ..errors import UserError
from .final import Refusal

SUFFIX: Final = ".talk.jsonl"  # in place of that of the replay
MAX_FILE: Final = 256 * 1024 * 1024  # bytes
NUMBERS: Final = ("step", "seat", "tries", "prompt_tokens", "answer_tokens", "cost", "seconds")
MAX_NUMBER: Final = 2**53

Line = dict[str, Any]


@dataclass
class Talk:
    """What decisions of language models took: questions, refused answers by class, requests that failed, tokens, cost
    and seconds.
    """

    asked: int = 0
    unreadable: int = 0
    illegal: int = 0
    failed: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0

    @classmethod
    def of(cls, lines: Iterable[Line]) -> "Talk":
        """Return what the lines of transcripts took."""
        talk = cls()
        for line in lines:
            classes = line.get("classes", [])  # files of earlier versions lack them
            talk.asked += 1
            talk.unreadable += classes.count(Refusal.UNREADABLE)
            talk.illegal += classes.count(Refusal.ILLEGAL)
            talk.failed += line.get("failed", 0)
            for name in ("prompt_tokens", "answer_tokens", "cost", "seconds"):
                setattr(talk, name, getattr(talk, name) + line[name])
        return talk

    def add(self, other: "Talk") -> None:
        """Add what other decisions took."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def text(self) -> str:
        """Return the numbers as a line. `asked` is not 0."""
        cost = f"; cost: {self.cost:.4f}" if self.cost else ""
        return (
            f"{self.asked} questions; refused answers: {self.unreadable} unreadable, {self.illegal} illegal; failed "
            f"requests: {self.failed}; tokens: {self.prompt_tokens} of prompts, {self.answer_tokens} of answers{cost}; "
            f"seconds a question: {self.seconds / self.asked:.2f}"
        )


def beside(replay: str | Path) -> Path:
    """Return the path of the transcript of a replay file."""
    return Path(replay).with_suffix(SUFFIX)


def of_agents(agents: Iterable[Any]) -> list[Line]:
    """Return the transcript of a game from the agents that keep one, by a method `transcript`.

    An agent may be anybody's: what can't be stored as a line is left out.
    """
    found: list[Line] = []
    for agent in agents:
        with contextlib.suppress(Exception):
            found += [line for line in agent.transcript() if fault_of(line) is None]
    return sorted(found, key=lambda line: (line["step"], line["seat"]))


def fault_of(line: Any) -> str | None:
    """Return what is wrong with a line, None if nothing is."""
    if not isinstance(line, dict) or any(not _is_number(line.get(name)) for name in NUMBERS):
        return "lacks a number"
    if not _is_number(line.get("failed", 0)):
        return "does not count what failed"
    said, refused = line.get("messages"), line.get("refused")
    texts = [*refused] if isinstance(refused, list) else [None]
    classes = line.get("classes", [])  # files of earlier versions lack them
    texts += classes if isinstance(classes, list) else [None]
    if isinstance(said, list) and all(isinstance(each, dict) for each in said):
        texts += [each.get(name) for each in said for name in ("role", "content")]
    else:
        texts.append(None)
    if not all(isinstance(each, str) for each in texts):
        return "has no messages"
    try:
        as_json(line)
    except (TypeError, ValueError, RecursionError):
        return "has a value that is not JSON"
    return None


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < MAX_NUMBER


def save(lines: Iterable[Line], replay: str | Path, mode: int = 0o666) -> Path | None:
    """Write a transcript beside a replay; return its path. Without lines, remove that of an earlier game there.

    Raise OSError.
    """
    text = "".join(as_json(line, ascii_only=False) + "\n" for line in lines)
    path = beside(replay)
    if not text:
        path.unlink(missing_ok=True)
        return None
    files.write(path, text.encode(errors="replace"), mode)
    return path


def load(replay: str | Path) -> list[Line]:
    """Return the transcript beside a replay, [] if there is none. Raise UserError for another file, or OSError."""
    path = beside(replay)
    if not path.exists():
        return []
    if path.stat().st_size > MAX_FILE:
        raise UserError(f"{path} is not a transcript: it is larger than {MAX_FILE} bytes")
    lines = io.StringIO(path.read_bytes().decode(errors="replace"))  # not `splitlines`: answers can have other ends
    return [_checked(text, f"{path} is not a transcript: line {number}") for number, text in enumerate(lines, 1)]


def _checked(text: str, fault: str) -> Line:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        raise UserError(f"{fault} is not JSON") from None
    if wrong := fault_of(line):
        raise UserError(f"{fault} {wrong}")
    return cast(Line, line)
