"""The log entries of an action: the events in words, the changes of glory, the steps of a battle.

An entry of the log is a dict of JSON: `lines`, a list of [kind, text] with the names of
`notation.Kind`; where glory changed `glory`, a list of [seat, source, amount]; where figures moved `moves`, a list of
[seat, kind, from, to] (places as in `engine.Place`, the reserve and Valhalla too); where a phase of the end of an Age
began `phases`, a list of {"title": its heading} and the table as it was then, the "phase", "age", "places" and "clans"
of a scene; in a battle `battle`, a list of steps, all of them open to everybody:

- {"step": "begin", "place", "pillager", "sides": [[seat, strength], ...], "open": whether cards are played face up, and
  the table as it was then}
- {"step": "play", "seat", "card"}, where they are
- {"step": "reveal", "cards": [[seat, card], ...], "again": whether all are discarded and chosen again}
- {"step": "late", "seat", "card"}
- {"step": "totals", "sides": [[seat, strength, total], ...], "winner": seat or None}
- {"step": "fall", "figures": [[seat, kind], ...]}, those that go to Valhalla
- {"step": "end"}
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

import numpy as np

from ....core.shown.table_page import Entry, entries_for, lines_for
from ..engine import (
    CARD,
    NO,
    NONE,
    BattleStep,
    Decision,
    Phase,
    Piece,
    Place,
    Routine,
    States,
    forces,
    is_secret,
    pieces,
)
from ..notation import events, opening_events
from ..notation.events import phase_heading, revealed
from ..notation.words import PHASES
from ..render.scene import scene

END_OF_AGE: Final = (Phase.QUEST, Phase.RAGNAROK, Phase.VALHALLA)


def opening(states: States, seat: int) -> Entry:
    """Return the first log entry of a new game for a seat, `WATCHER` or `PUBLIC`."""
    return {"lines": lines_for(seat, partial(opening_events, states))}


def entries(before: States, action: int, seats: Iterable[int]) -> dict[int, Entry]:
    """Return the log entry of a legal action for each of `seats`. Seats that may know nothing of it are omitted."""
    open_to_all: Entry = {}
    played = list(pieces(before, 0, action))
    glory = np.argwhere(played[-1].after[0].glory_from != before[0].glory_from).tolist()
    if glory:
        change = played[-1].after[0].glory_from - before[0].glory_from
        open_to_all["glory"] = [[seat, source, int(change[seat, source])] for seat, source in glory]
    parts = {"moves": _moves, "phases": _phases, "battle": _battle_steps}
    for name, parts_of in parts.items():
        if found := [part for piece in played for part in parts_of(piece)]:
            open_to_all[name] = found
    return entries_for(seats, partial(events, before, action), open_to_all)


def _moves(piece: Piece) -> Iterator[list[int]]:
    """Each figure that went from one place to another."""
    change = piece.after[0].figures - piece.before[0].figures
    for seat, kind in np.argwhere(change.any(axis=2)).tolist():
        counts = change[seat, kind]
        left, came = (np.repeat(np.arange(len(counts)), np.maximum(n, 0)).tolist() for n in (-counts, counts))
        yield from ([seat, kind, *places] for places in zip(left, came, strict=False))


def _phases(piece: Piece) -> Iterator[Entry]:
    if piece.routine == Routine.GAME and piece.step in END_OF_AGE:
        s = piece.before[0]
        title = phase_heading(s, Phase(piece.step))
        yield {"title": title, **_table(piece.before), "phase": PHASES[Phase(piece.step)]}


def _table(states: States) -> Entry:
    """Return the public scene of a moment that is shown later."""
    was = scene(states, 0)
    return {name: was[name] for name in ("phase", "age", "places", "clans")}


def _battle_steps(piece: Piece) -> Iterator[Entry]:
    s, after = piece.before[0], piece.after[0]
    seats = range(int(s.num_players))
    if piece.routine == Routine.BATTLE and piece.step == BattleStep.BEGIN:
        place = int(after.battle_province)
        _, strength = forces(piece.after, 0)
        sides = [[seat, int(strength[seat, place])] for seat in seats if after.in_battle[seat]]
        face_up = bool(after.decision == Decision.BATTLE_CARD) and not is_secret(piece.after, 0)
        begun = {"step": "begin", "place": place, "pillager": int(after.pillager), "sides": sides, "open": face_up}
        yield begun | _table(piece.after)
    shown = revealed(piece)
    if shown:
        cards = [[seat, shown[seat]] for seat in seats if seat in shown]
        yield {"step": "reveal", "cards": cards, "again": all(after.main[seat] == NONE for seat in shown)}
    if piece.routine == NONE and s.decision == Decision.BATTLE_CARD and not is_secret(piece.before, 0):
        yield {"step": "play", "seat": int(s.seat), "card": piece.action - CARD}
    if piece.routine == NONE and s.decision == Decision.LATE_CARD and piece.action >= 0 and piece.action != NO:
        yield {"step": "late", "seat": int(s.seat), "card": piece.action - CARD}
    if piece.compares:
        _, strength = forces(piece.before, 0)
        place = int(s.battle_province)
        fighting = [seat for seat in seats if s.in_battle[seat]]
        sides = [[seat, int(strength[seat, place]), int(s.total[seat])] for seat in fighting]
        yield {"step": "totals", "sides": sides, "winner": None if s.winner == NONE else int(s.winner)}
    if s.battle and (fallen := [[seat, kind] for seat, kind, _, to in _moves(piece) if to == Place.VALHALLA]):
        yield {"step": "fall", "figures": fallen}
    if s.battle and not after.battle:
        yield {"step": "end"}
