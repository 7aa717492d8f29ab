"""The language track of a benchmark: several agents are asked the same things. A game provides them as a `Track`.

Results are kept in a file, so that an interrupted run is resumed. What an endpoint does not answer is no loss of the
model: it has no result and is asked again by the next run.
"""

import queue
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO, TypeVar

from bloodrage_agents import registry
from bloodrage_agents.base import AgentLike
from bloodrage_agents.match import one_line
from bloodrage_env.errors import UnavailableError, UserError
from bloodrage_env.language.transcript import Line, Talk
from bloodrage_env.terminal.progress import Progress

from .language_file import Answers, Result

TRACK: Final = "language"
FILE: Final = "language.json"
TRIAL_FILE: Final = "language-trial.json"
ANSWERS_FILE: Final = "language.jsonl"
PART: Final = 10  # a trial has one of so many decisions and questions
DECISIONS, QUESTIONS, GAMES = GROUPS = ("decisions", "questions", "games")
MODEL: Final = "llm"
MAX_FAILURES: Final = 3  # in a row, after which an agent is asked no more in this run

T = TypeVar("T")
R = TypeVar("R")


class Outcome(NamedTuple):
    """What an agent made of an item: the win probability that a decision loses, or 0 to 1 for the others."""

    value: float
    failed: bool  # no legal answer
    lines: Sequence[Line] = ()  # of the transcript


@dataclass(frozen=True)
class Item:
    """One thing that agents are asked. `number` counts through its part. Items of one `cluster` are not independent.

    `ask` takes an agent, which is used for other items too. It raises UnavailableError if the agent can't be asked.
    """

    group: str  # of GROUPS
    part: str  # the name of a result, such as "questions, battle"
    number: int
    cluster: int
    ask: Callable[[Any], Outcome]


@dataclass(frozen=True)
class Track:
    """What agents are asked, in this order, by a version of a protocol. Questions are for language models only."""

    game: str
    version: int
    digest: str  # 16 hex digits, of the decisions
    items: tuple[Item, ...]
    comparable: bool  # whether nothing of the protocol is left out


# The part `language_track` of a game. Takes the number of games against each opponent (None: that of the protocol), and
# a divisor of the number of decisions and questions (1: all).
MakeTrack = Callable[[int | None, int], Track]


@dataclass(frozen=True)
class Entrant:
    """An agent of a run. `base` is the spec that it varies in one argument, `change`; it plays no games then."""

    spec: str
    base: str = ""
    change: str = ""
    talks: bool = False  # whether it is a language model

    def asked(self, items: Iterable[Item]) -> list[Item]:
        """Return the items for this agent."""
        left_out = {*([] if self.talks else [QUESTIONS]), *([GAMES] if self.base else [])}
        return [item for item in items if item.group not in left_out]


def entrants(specs: Sequence[str], changes: Sequence[str], game: str) -> list[Entrant]:
    """Return the agents of a run: the specs, and each language model with each change `argument=value`.

    Raise UserError for an agent that can't be made, and for an argument or a value that it does not have.
    """
    named = [registry.parse(spec, game) for spec in dict.fromkeys(specs)]
    if any(each.name == "human" for each in named):
        raise UserError("a person can't be measured by a benchmark")
    if changes and not any(each.name == MODEL for each in named):
        raise UserError("--vary changes language models; none is named")
    found = dict.fromkeys(dict.fromkeys(specs), ("", ""))
    for change in changes:
        name, _, value = change.partition("=")
        for spec in dict.fromkeys(specs):
            parsed = registry.parse(spec, game)
            if parsed.name == MODEL:
                given = {key: registry.written(each) for key, each in parsed.arguments.items() if each is not None}
                written = ",".join(f"{key}={each}" for key, each in (given | {name: value}).items())
                found.setdefault(registry.canonical(f"{MODEL}:{written}", game), (spec, change))
    return [Entrant(spec, *varied, callable(getattr(registry.make(spec, game), "reply", None)))
            for spec, varied in found.items()]  # fmt: skip


def ask_all(track: Track, entrants: Sequence[Entrant], path: Path, workers: int, stream: TextIO) -> Answers:
    """Ask the agents all that the file does not have yet, several things at a time. Return the content of the file.

    The agents are asked in turn, so that an interrupted run has the same items of all. Raise UserError for a file of
    another track.
    """
    asked = {each.spec: {(item.part, item.number) for item in each.asked(track.items)} for each in entrants}
    with Answers.open(path, track.game, track.version, track.digest) as answers:
        todo = [
            (item, each.spec)
            for item in track.items
            for each in entrants
            if (item.part, item.number) in asked[each.spec] and not answers.has(each.spec, item.part, item.number)
        ]
        total = sum(map(len, asked.values()))
        progress = Progress(stream, total, total - len(todo), things="answers")
        asking = _Asking(track.game)
        for done, result in enumerate(in_threads(todo, asking.ask, workers), total - len(todo) + 1):
            if result is not None:
                answers.add(result)
            progress.update(done)
        progress.end()
    return answers


class _Asking:
    """Asks agents, one object for each agent and thread. An agent whose endpoint fails again and again is left."""

    def __init__(self, game: str) -> None:
        self._game, self._own = game, threading.local()
        self._failures = Counter[str]()  # in a row

    def ask(self, task: tuple[Item, str]) -> Result | None:
        """Return a result, None for an agent that is asked no more."""
        item, spec = task
        if self._failures[spec] >= MAX_FAILURES:
            return None
        agents: dict[str, AgentLike] = self._own.__dict__
        try:
            if spec not in agents:
                agents[spec] = registry.make(spec, self._game)
            outcome = item.ask(agents[spec])
        except UnavailableError as error:
            self._failures[spec] += 1
            return Result(spec, item.part, item.number, failure=one_line(str(error)))
        self._failures[spec] = 0
        talk = Talk.of(outcome.lines) if outcome.lines else None
        return Result(spec, item.part, item.number, float(outcome.value), outcome.failed, talk)


def in_threads(tasks: Sequence[T], work: Callable[[T], R], workers: int) -> Iterator[R]:
    """Yield the results of tasks as they come, from several threads. Raise the exception of a task.

    The threads are daemons: after Ctrl-C nobody waits for a request that goes on.
    """
    left, lock = iter(tasks), threading.Lock()
    results: queue.SimpleQueue[tuple[R | None, BaseException | None]] = queue.SimpleQueue()

    def serve() -> None:
        while True:
            with lock:
                task = next(left, None)
            if task is None:
                return
            try:
                results.put((work(task), None))
            except BaseException as error:
                results.put((None, error))

    for _ in range(min(workers, len(tasks))):
        threading.Thread(target=serve, name="asks", daemon=True).start()
    for _ in tasks:
        value, error = results.get()
        if error is not None:
            raise error
        yield value  # type: ignore[misc]
