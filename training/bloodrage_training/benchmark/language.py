"""The language track of a benchmark: results of an agent, and their cost. A game provides the measurements."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bloodrage_env import files
from bloodrage_env.encoding import as_json
from bloodrage_env.language.final import Refusal

TRACK: Final = "language"
FILE: Final = "language.json"
TRIAL_FILE: Final = "language-trial.json"
PART: Final = 10  # a trial has one of so many decisions and questions

# Takes a spec, the number of games against each opponent (None: that of the protocol), how many games to play at a
# time, and a divisor of the number of decisions and questions (1: all). Returns the content of a result file.
Measure = Callable[[str, int | None, int, int], dict[str, Any]]


@dataclass(frozen=True)
class Part:
    """A result: what was measured, how often, the value with its 95 % interval or error, and failures."""

    name: str
    count: int
    value: float
    low: float
    high: float
    failed: int = 0


@dataclass
class Cost:
    """What a language model took: questions, refused answers by class, tokens, cost and seconds."""

    asked: int = 0
    refused: int = 0
    unreadable: int = 0
    illegal: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0

    def add(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Add the lines of a transcript."""
        for line in lines:
            self.asked += 1
            self.refused += len(line["refused"])
            self.unreadable += line["classes"].count(str(Refusal.UNREADABLE))
            self.illegal += line["classes"].count(str(Refusal.ILLEGAL))
            for name in ("prompt_tokens", "answer_tokens", "cost", "seconds"):
                setattr(self, name, getattr(self, name) + line[name])


def line_of(part: Part) -> str:
    """Return a result as text: shares in percent, losses of decisions in points."""
    failed = f", {part.failed} failed" if part.failed else ""
    return (
        f"{part.name}: {100 * part.value:.1f} ({100 * part.low:.1f} to {100 * part.high:.1f}) of {part.count}{failed}"
    )


def lines(found: Mapping[str, Any]) -> list[str]:
    """Return results as text."""
    parts = [line_of(Part(**each)) for each in found["parts"]]
    return [f"{found['agent']}, language track, version {found['version']}", *parts, *_cost(found["cost"])]


def _cost(cost: Mapping[str, Any] | None) -> list[str]:
    """What a model took and which of its answers were refused, as text; nothing for another agent."""
    if not cost:
        return []
    return [
        f"questions: {cost['asked']}; refused answers: {cost['unreadable']} unreadable, {cost['illegal']} illegal",
        f"tokens: {cost['prompt_tokens']} of prompts, {cost['answer_tokens']} of answers; cost: {cost['cost']:.4f}; "
        f"seconds a question: {cost['seconds'] / cost['asked']:.2f}",
    ]


def write(found: Mapping[str, Any], path: Path) -> None:
    """Write results, and make the folder if necessary. Raise OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write(path, (as_json(found, indent=1) + "\n").encode())
