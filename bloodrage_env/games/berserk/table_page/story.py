"""The log entries of an action: the events in words, and what was done on the board.

An entry of the log is a dict of JSON: `lines`, a list of [kind, text] with the names of `core.presentation.Kind`; where
cards changed their cells `moves`, a list of [slot, from, to, whether the card was pushed]; of the action of a card
`fight`, a list of steps, all of them open to everybody:

- {"step": "begin", "who": the attacker, "text": what it does}
- {"step": "aim", "who": the target}, {"step": "defend", "who": the card that takes its place}, and for a bonfire
  {"step": "place", "cell"}
- {"step": "dice", "dice": as in `seen.open_dice`}
- {"step": "result", "text": how the strikes land}
- {"step": "wounds", "hurt": [{"who", "lost": life, less than 0 where it heals, "died"}, ...]}
- {"step": "end"}

A card in a step is {"slot", "name", "seat", "card", "cell" (`page_place`), "life", "whole"}.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np

from ....core.presentation import Event
from ....core.table_page import WATCHER, Entry
from ..engine import (
    ACT,
    AIR,
    CELL,
    FLYER,
    LIFE,
    NONE,
    NUM_ACTS,
    NUM_CELLS,
    NUM_SLOTS,
    RESUMED,
    SQUAD,
    Decision,
    Force,
    Frame,
    Phase,
    Routine,
    States,
    StrikeStep,
)
from ..notation import events, opening_events
from ..notation.cards import act_text
from ..notation.events import pieces
from ..notation.questions import flyer
from ..notation.words import FORCES, is_turned, slot_name
from ..render.faces import page_place
from .seen import open_dice

_BEGINS: Final = (Decision.MAIN, Decision.AGAIN, Decision.VANGUARD)
_AIMS: Final = {Decision.TARGET: "aim", Decision.DEFENDER: "defend"}


def opening(states: States, seat: int) -> Entry:
    """Return the first log entry of a new game for a seat, `WATCHER` or `PUBLIC`."""
    return {"lines": _lines(opening_events(states, _eyes(seat)))}


def entries(before: States, action: int, seats: Iterable[int]) -> dict[int, Entry]:
    """Return the log entry of a legal action for each of `seats`. Seats that may know nothing of it are omitted."""
    open_to_all: Entry = {}
    if before[0].phase == Phase.BATTLE:
        moves: list[list[Any]] = []
        fight: list[dict[str, Any]] = []
        for last, now, done in pieces(before, action):
            moves += _moves(last[0], now[0])
            fight += _steps(last[0], now[0], done)
        open_to_all = {name: found for name, found in (("moves", moves), ("fight", fight)) if found}
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


def _moves(last: np.record, now: np.record) -> Iterator[list[Any]]:
    for slot in range(NUM_SLOTS):
        cells = int(last.cell[slot]), int(now.cell[slot])
        if NONE not in cells and cells[0] != cells[1] != AIR:
            yield [slot, *cells, bool(last.moves[slot] == now.moves[slot])]


def _steps(last: np.record, now: np.record, done: int) -> Iterator[dict[str, Any]]:
    """Yield the steps of a piece of an action (`notation.events.pieces`)."""
    if done != RESUMED and last.decision in _BEGINS and ACT <= done < CELL:
        slot, act = int(last.seat) * SQUAD + (done - ACT) // NUM_ACTS, (done - ACT) % NUM_ACTS
        yield {"step": "begin", "who": _fighter(last, slot), "text": act_text(int(last.card[slot]), act)}
        return
    top = int(last.depth) - 1
    routine = last.stack[top, Frame.ROUTINE]
    if routine not in (Routine.STRIKE, Routine.ABILITY):
        return
    if done != RESUMED and last.decision in _AIMS and done >= CELL:
        cell = NUM_CELLS - 1 - (done - CELL) if is_turned(last, int(last.seat)) else done - CELL
        slot = flyer(int(last.seat), done) if done >= FLYER else int(last.at[cell])
        if slot == NONE:
            yield {"step": "place", "cell": cell}
        else:
            yield {"step": _AIMS[Decision(int(last.decision))], "who": _fighter(now, slot)}
    dice, rolled = open_dice(now), int(now.rolled) & ~(0 if done != RESUMED else int(last.rolled))
    if dice and (rolled or dice != open_dice(last)):
        yield {"step": "dice", "dice": dice}
    frame = now.stack[top]
    if routine == Routine.STRIKE and last.stack[top, Frame.STEP] <= StrikeStep.LAND < frame[Frame.STEP]:
        yield {"step": "result", "text": _result(Force(int(frame[Frame.FORCE])), Force(int(frame[Frame.COUNTER])))}
    if hurt := list(_hurt(last, now)):
        yield {"step": "wounds", "hurt": hurt}
    if now.depth <= top:
        yield {"step": "end"}


def _result(force: Force, counter: Force) -> str:
    lands = "the strike misses" if force == Force.MISS else f"a {FORCES[force]} strike lands"
    return lands if counter == Force.MISS else f"{lands}, a {FORCES[counter]} one comes back"


def _hurt(last: np.record, now: np.record) -> Iterator[dict[str, Any]]:
    """Yield the cards whose life has changed."""
    for slot in range(NUM_SLOTS):
        if last.cell[slot] == NONE or now.face_down[slot]:
            continue
        who, died = _fighter(last, slot), now.cell[slot] == NONE
        lost = who["life"] if died else int(now.wounds[slot]) - int(last.wounds[slot])
        if lost:
            yield {"who": who, "lost": lost, "died": bool(died)}


def _fighter(s: np.record, slot: int) -> dict[str, Any]:
    card = int(s.card[slot])
    whole = int(LIFE[card])
    return {
        "slot": slot,
        "name": slot_name(slot),
        "seat": slot // SQUAD,
        "card": card,
        "cell": page_place(int(s.cell[slot]), slot),
        "life": whole - int(s.wounds[slot]),
        "whole": whole,
    }
