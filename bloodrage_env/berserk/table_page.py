"""Berserk as the server of tables sees it, and what its page shows of a game."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..core.presentation import Event
from ..core.table_page import WATCHER, Entry, TablePage
from .engine import (
    ACT,
    CELL,
    COLUMNS,
    DECKS,
    DONE,
    LIFE,
    MOVE,
    NONE,
    NUM_ACTS,
    NUM_CARDS,
    NUM_CELLS,
    NUM_DIRECTIONS,
    NUM_SEATS,
    NUM_SLOTS,
    NUMBER,
    ROWS,
    SECRET,
    SQUAD,
    SQUADS,
    STEP,
    Phase,
    States,
)
from .notation import (
    action_name,
    action_text,
    decision_text,
    events,
    opening_events,
    outcome,
    player,
    public_decision_text,
)
from .notation.cards import act_text, card_facts, describe
from .notation.words import PHASES, cell_name, is_secret, slot_name
from .options import Options
from .terminal import card_of

STATIC: Final = Path(__file__).parent / "table"
COLOURS: Final = ":root{--clan-0:#c9971a;--clan-1:#1a8fa6;--ink-0:#111;--ink-1:#fff;}\n"  # of the seats
# Agents from the weakest to the strongest, by spec (docs/berserk/agents.md).
LEVELS: Final = {"random": "Easy", "hold": "Medium", "network": "Hard"}


# ---- what is the same for all games


def files() -> Mapping[str, tuple[str, str]]:
    """The colours of the players."""
    return {"/board/colours.css": (COLOURS, "text/css")}


def texts() -> dict[str, Any]:
    """Names, the size of the board, cards, and what a game can be begun with."""
    return {
        "clans": [player(seat) for seat in range(NUM_SEATS)],
        "columns": COLUMNS,
        "rows": ROWS,
        "squad": SQUAD,
        "cells": [cell_name(cell) for cell in range(NUM_CELLS)],
        "decks": list(DECKS),
        "squads": list(SQUADS),
        "faces": [_face(card) for card in range(NUM_CARDS)],
    }


def _face(card: int) -> dict[str, Any]:
    """What is printed on a card (`notation.cards.Description`), and two lines of it: its `type` and its `facts`."""
    told = describe(card)
    return {
        **told._asdict(),
        "keywords": [str(each) for each in told.keywords],
        "type": told.kind,
        "facts": card_facts(card),
    }


# ---- what a seat is told


def opening(states: States, seat: int) -> Entry:
    """What a seat, or `WATCHER`, is told of a new game."""
    return {"lines": _lines(opening_events(states, _eyes(seat)))}


def told(before: States, action: int, seats: Iterable[int]) -> dict[int, Entry]:
    """What each of these seats is told of a legal action; a seat that may know nothing of it is left out."""
    lines = {seat: _lines(events(before, action, _eyes(seat))) for seat in seats}
    return {seat: {"lines": each} for seat, each in lines.items() if each}


def _eyes(seat: int) -> int | None:
    return None if seat == WATCHER else seat


def _lines(told: Iterable[Event]) -> list[list[str]]:
    return [[event.kind.name.lower(), event.text] for event in told]


# ---- what a seat sees


def seen(known: States, seat: int, asked: bool, _options: Options) -> dict[str, Any]:
    """What the page shows to a seat, by what it may know; for `WATCHER` everything.

    - `scene`: `over`, `outcome` (a text, or None), `head`: the phase and the turn; `question`: None, or who is asked
      and what, as both may know it; `turned`: whether the board is seen from the side of Second; `cards` on the board
      (`_card`), `fires` (cells), `graveyards`, cards by seat;
    - `question`: None unless `asked`; `text` and `choices` (`_choice`);
    - `own`: cards that the seat has been dealt, as [card, copies, bought], while it buys its squad; else empty.
    """
    s = known[0]
    watches = seat == WATCHER
    turn = f", turn {s.turn} of {s.max_turns}" if s.turn else ""
    dead = [[slot for slot in range(each * SQUAD, (each + 1) * SQUAD) if s.died[slot]] for each in range(NUM_SEATS)]
    buys = not watches and s.phase == Phase.PURCHASE
    dealt: list[int] = s.deal[seat].nonzero()[0].tolist() if buys else []
    return {
        "scene": {
            "over": bool(s.over),
            "outcome": outcome(s) if s.over else None,
            "head": f"{PHASES[Phase(int(s.phase))]}{turn}",
            "question": None if s.over else {"seat": int(s.seat), "text": public_decision_text(known, 0)},
            "turned": bool(not watches and s.first not in (NONE, seat)),
            "cards": [_card(s, slot, seat) for slot in range(NUM_SLOTS) if s.cell[slot] != NONE],
            "fires": [cell for cell in range(NUM_CELLS) if s.bonfire[cell]],
            "graveyards": [[int(s.card[slot]) for slot in sorted(each, key=lambda n: s.died[n])] for each in dead],
        },
        "question": {"text": decision_text(known, 0), "choices": choices(known, seat)} if asked else None,
        "own": [[card, int(s.deal[seat, card]), int(s.squad[seat, card])] for card in dealt],
    }


def _card(s: np.record, slot: int, viewer: int) -> dict[str, Any]:
    """A card on the board: `slot`, its `name`, `seat`, `cell`, `card` (None if it is hidden), `down`; of one that is
    seen `closed`, `stunned`, `life` that is left, the `whole`, and what else there is to say of it.
    """
    shown = {"slot": slot, "name": slot_name(slot), "seat": slot // SQUAD, "cell": int(s.cell[slot])}
    if is_secret(s, slot, None if viewer == WATCHER else viewer):
        return {**shown, "card": None, "down": True}
    life = int(LIFE[s.card[slot]])
    counted = (("moves", "movement"), ("tokens", "tokens"), ("poison", "poison"))
    return {
        **shown,
        "card": int(s.card[slot]),
        "down": bool(s.face_down[slot]),
        "closed": bool(s.closed[slot]),
        "stunned": bool(s.stunned[slot]),
        "life": life - int(s.wounds[slot]),
        "whole": life,
        "says": [f"{word} {s[name][slot]}" for name, word in counted if s[name][slot]],
    }


def choices(known: States, seat: int) -> list[dict[str, Any]]:
    """The answers to the open question of a seat; what ends something comes last."""
    actions = np.flatnonzero(known[0].mask).tolist()
    return [_choice(known, seat, action) for action in sorted(actions, key=lambda each: (each == DONE, each))]


def _choice(known: States, seat: int, action: int) -> dict[str, Any]:
    """`action`, its `name` and `text`; `slot`, the own card that moves or acts, and `target`, what it does; `cell`,
    where to; `card`, which is bought, and `facts` of it: each None where it is about none.
    """
    s = known[0]
    slot = cell = card = target = None
    offset = action - MOVE
    if MOVE <= action < ACT:
        slot = seat * SQUAD + offset // NUM_DIRECTIONS
        cell = int(STEP[int(seat != s.first), offset % NUM_DIRECTIONS, s.cell[slot]])
        target = f"to {cell_name(cell)}"
    elif ACT <= action < CELL:
        slot = seat * SQUAD + (action - ACT) // NUM_ACTS
        target = act_text(int(s.card[slot]), (action - ACT) % NUM_ACTS)
    elif CELL <= action < NUMBER:
        cell = action - CELL if seat == s.first else NUM_CELLS - 1 - (action - CELL)
    elif card_of(action) != NONE:
        card = card_of(action)
    return {
        "action": action,
        "name": action_name(action),
        "text": action_text(known, 0, action),
        "slot": slot,
        "target": target,
        "cell": cell,
        "card": card,
        "facts": None if card is None else card_facts(card),
    }


def secret(states: States) -> bool:
    """Whether the open question is answered in secret."""
    return bool(SECRET[states[0].decision])


PAGE: Final = TablePage(
    data_folder="berserk-games",
    static=STATIC,
    folders={"game": STATIC},
    files=files,
    texts=texts,
    opening=opening,
    told=told,
    seen=seen,
    secret=secret,
    secret_count=True,
    levels=LEVELS,
    studies=None,
)
