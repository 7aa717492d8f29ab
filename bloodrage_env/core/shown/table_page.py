"""The interface of a game for the server of tables: the data for each seat, and the pages that show it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..compile.decorators import Records
from .lesson import Lesson
from .presentation import Event
from .puzzles import Position

WATCHER: Final = -1  # in place of a seat: a spectator of agents, who sees everything
PUBLIC: Final = -2  # ... a spectator of people, who sees public information
Entry = dict[str, Any]  # of a log; `lines` is a list of [kind, text] with the names of `presentation.Kind`


class Habit(NamedTuple):
    """What a person did in a game. In `text`, # stands for how often it was bad, of how often it was done."""

    text: str
    step: int
    is_bad: bool


def _no_habits(_steps: Iterable[tuple[Records, int]], _seat: int) -> Iterable[Habit]:
    return ()


def _no_reasons(_known: Records, _seat: int, _action: int) -> list[str]:
    return []


@dataclass(frozen=True)
class TablePage:
    """The parts of a game for the server, in addition to rules and texts. States are arrays of one record.

    `static` contains `index.html`, the page on which a game is created, and `play.html`. `folders` are folders whose
    files are served, by the first part of their address. `files` are other contents by address, each as text and media
    type. `texts` are data for the scripts that are the same for all games.

    `opening` returns the log entry of a new game for a seat, `WATCHER` or `PUBLIC`. `entries` returns the log entries
    of a legal action for each of several of these; those that must not see it are omitted. `seen` takes the information
    of a seat (for `WATCHER` everything, for `PUBLIC` public information), the seat, whether it can answer the open
    question now, and the options. It returns the data of the page: `scene`, with `over`, `question`, None or `text` and
    `choices`, and other data.

    `lists` are options whose value a person can upload as a file, by name: a function that reads the bytes and raises
    ValueError, and a name of the file for messages.

    `levels` are agents for opponents by strength, from the weakest to the strongest, by spec. `lessons` returns
    the guided games, the first one first. `tried` returns what the page shows of answers that a seat has not given yet.
    `reasons` returns sentences about a legal action of a seat, from its information. `puzzles` returns the puzzles that
    come with the game. `habits` returns what a seat did in a game, whose positions and actions it takes.
    """

    data_folder: str  # where games are kept, below the user's data
    static: Path
    folders: Mapping[str, Path]
    files: Callable[[], Mapping[str, tuple[str, str]]]
    texts: Callable[[], dict[str, Any]]
    opening: Callable[[Records, int], Entry]
    entries: Callable[[Records, int, Iterable[int]], dict[int, Entry]]
    seen: Callable[[Records, int, bool, Any], dict[str, Any]]
    lists: Mapping[str, Callable[[bytes, str], Any]]
    levels: Mapping[str, str]
    lessons: Callable[[], Sequence[Lesson]] = tuple
    tried: Callable[[Records, int, Sequence[int]], dict[str, Any]] | None = None
    reasons: Callable[[Records, int, int], list[str]] = _no_reasons
    puzzles: Callable[[], Sequence[Position]] = tuple
    habits: Callable[[Iterable[tuple[Records, int]], int], Iterable[Habit]] = _no_habits


def lines_for(seat: int, events_for: Callable[[int | None], Iterable[Event]]) -> list[list[str]]:
    """Return the `lines` of a log entry. `events_for` returns the events that a seat sees, or all of them for None."""
    return [[event.kind.name.lower(), event.text] for event in events_for(_eyes(seat))]


def entries_for(
    seats: Iterable[int], events_for: Callable[[int | None], Iterable[Event]], open_to_all: Entry
) -> dict[int, Entry]:
    """Return a log entry for each of `seats`, with what is open to all. Seats that may know nothing are omitted."""
    found: dict[int, Entry] = {seat: {"lines": lines_for(seat, events_for), **open_to_all} for seat in seats}
    return {seat: entry for seat, entry in found.items() if entry["lines"] or open_to_all}


def _eyes(seat: int) -> int | None:
    return None if seat == WATCHER else seat
