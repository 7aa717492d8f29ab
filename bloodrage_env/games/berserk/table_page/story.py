"""The log entries of an action: the events in words, and what was done on the board.

An entry of the log is a dict of JSON: `lines`, a list of [kind, text] with the names of `core.presentation.Kind`, and
`moves` and `fight` as in `render.actions`.
"""

from collections.abc import Iterable

from ....core.presentation import Event
from ....core.table_page import WATCHER, Entry
from ..engine import States
from ..notation import events, opening_events
from ..render.actions import done_by


def opening(states: States, seat: int) -> Entry:
    """Return the first log entry of a new game for a seat, `WATCHER` or `PUBLIC`."""
    return {"lines": _lines(opening_events(states, _eyes(seat)))}


def entries(before: States, action: int, seats: Iterable[int]) -> dict[int, Entry]:
    """Return the log entry of a legal action for each of `seats`. Seats that may know nothing of it are omitted."""
    open_to_all = done_by(before, action)
    by_seat = {}
    for seat in seats:
        lines = _lines(events(before, action, _eyes(seat)))
        if lines or open_to_all:
            by_seat[seat] = {"lines": lines, **open_to_all}
    return by_seat


def _eyes(seat: int) -> int | None:
    return None if seat == WATCHER else seat


def _lines(found: Iterable[Event]) -> list[list[str]]:
    return [[event.kind.name.lower(), event.text] for event in found]
