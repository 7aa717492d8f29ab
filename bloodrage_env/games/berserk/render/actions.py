"""What an action does on the board: where cards go, and the steps of a fight, for pages. All of it is public.

`moves` is a list of [slot, from, to, whether the card was pushed], where cards changed their cells; `fight` is a list
of steps:

- {"step": "begin", "who": the attacker, "text": what it does}
- {"step": "aim", "who": the target}, {"step": "defend", "who": the card that takes its place}, and for a bonfire
  {"step": "place", "cell"}
- {"step": "dice", "dice": as in `open_dice`}
- {"step": "result", "text": how the strikes land}
- {"step": "wounds", "hurt": [{"who", "lost": life, less than 0 where it heals, "died"}, ...]}
- {"step": "end"}

A card in a step is {"slot", "name", "seat", "card", "cell" (`page_place`), "life", "whole"}.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ..engine import (
    ACT,
    AIR,
    CELL,
    FLYER,
    FORCE_OF,
    LIFE,
    NONE,
    NUM_ACTS,
    NUM_CELLS,
    NUM_SLOTS,
    RESUMED,
    SQUAD,
    Combat,
    Decision,
    Force,
    Frame,
    Phase,
    Routine,
    States,
    StrikeStep,
)
from ..notation.cards import act_text
from ..notation.events import pieces
from ..notation.questions import flyer
from ..notation.words import BLACK, FORCES, is_turned, slot_name
from .faces import page_place

_BEGINS: Final = (Decision.MAIN, Decision.AGAIN, Decision.VANGUARD)
_AIMS: Final = {Decision.TARGET: "aim", Decision.DEFENDER: "defend"}


def done_by(before: States, action: int) -> dict[str, list[Any]]:
    """Return the entries `moves` and `fight` of a legal action, without those that are empty."""
    if before[0].phase != Phase.BATTLE:
        return {}
    moves: list[list[Any]] = []
    fight: list[dict[str, Any]] = []
    for last, now, done in pieces(before, action):
        moves += _moves(last[0], now[0])
        fight += _steps(last[0], now[0], done)
    return {name: found for name, found in (("moves", moves), ("fight", fight)) if found}


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


def open_dice(s: np.record) -> list[list[Any]]:
    """Return the open dice as [name, die, what it says]. The result of one depends on the other where differences count
    (rules 4.10).
    """
    book = s.combat == Combat.BOOK
    strike = ["", *(FORCES[Force(int(force))] for force in FORCE_OF[1:])]
    plain = [""] * len(strike)
    rows = (
        ("white", s.white.tolist(), strike if book else plain),
        ("black", s.black.tolist(), BLACK if book else plain),
        ("block", [int(s.block)], plain),
        ("die", [int(s.die)], strike),
    )
    return [[name, die, says[die]] for name, dice, says in rows for die in dice if die]
