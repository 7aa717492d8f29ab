"""The log entries of an action: the events in words, and what was done on the board.

An entry of the log is a dict of JSON: `lines`, a list of [kind, text] with the names of
`core.shown.presentation.Kind`, and `moves` and `fight` as in `render.actions`.
"""

from collections.abc import Iterable
from functools import partial

from ....core.shown.table_page import Entry, entries_for, lines_for
from ..engine import States
from ..notation import events, opening_events
from ..render.actions import done_by


def opening(states: States, seat: int) -> Entry:
    """Return the first log entry of a new game for a seat, `WATCHER` or `PUBLIC`."""
    return {"lines": lines_for(seat, partial(opening_events, states))}


def entries(before: States, action: int, seats: Iterable[int]) -> dict[int, Entry]:
    """Return the log entry of a legal action for each of `seats`. Seats that may know nothing of it are omitted."""
    return entries_for(seats, partial(events, before, action), done_by(before, action))
