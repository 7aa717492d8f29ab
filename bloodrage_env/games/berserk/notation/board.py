"""The board as text."""

import textwrap
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

import numpy as np

from ..card_lists import deck_name
from ..engine import (
    AIR,
    COLUMNS,
    LIFE,
    MARK_FIELDS,
    NONE,
    NUM_CELLS,
    NUM_SEATS,
    NUM_SLOTS,
    ROWS,
    SQUAD,
    TITLE,
    Combat,
    Phase,
    Setup,
    States,
)
from ..shape import TEAM
from .facts import squad_seen
from .questions import decision_text, public_decision_text
from .words import (
    MARKED,
    PHASES,
    card_name,
    cell_name,
    is_secret,
    is_turned,
    outcome,
    player,
    recruiting,
    slot_name,
    teams_text,
    who,
)

# What is shown below the board of a card, by field; "moved" is what a Firesetter asks.
_NOTES: Final = (
    ("directed", "directed for the battle"), ("extra_movement", "movement +{} for the battle"),
    ("extra_armour", "armour {} for the battle"), ("absorbed", "armour has taken {} this turn"),
    ("bonus", "simple strike +{} this turn"), ("strikes", "strikes this turn: {}"),
    ("entered", "cells entered this turn: {}"), ("stepped", "moved in its owner's last turn"),
    *((name, MARKED[name]) for name in MARK_FIELDS),
)  # fmt: skip
_GAINS: Final = ("a start-of-battle effect", "a steppe creature", "a mountain creature")  # by bit of `gains`
WIDTH: Final = 17 if TEAM == 1 else 9  # of a cell; the board of a team battle has twice the columns
LINE: Final = WIDTH * COLUMNS + COLUMNS  # of the board, with what divides the cells


def board_text(states: States, index: int, viewer: int | None = None) -> str:
    """Return a game as lines of text: the head, the board, the graveyards, the open question.

    With `viewer` the text is seen from the side of that seat and contains what it may know. Without it the text is seen
    from First's side and contains public information.
    """
    s = states[index]
    lines = [
        *_head(s, viewer),
        *_map(states, index, viewer),
        *_zones(states, index, viewer),
        *_graveyards(s),
        *_notes(s, viewer),
    ]
    if s.over:
        lines.append(outcome(s))
    elif viewer == s.seat:
        lines.append(decision_text(states, index))
    else:
        lines.append(public_decision_text(states, index))
    return "\n".join(line.rstrip() for line in lines)


def _head(s: np.record, viewer: int | None) -> Iterator[str]:
    """Return the phase, the turn and the options."""
    turn = f", turn {s.turn} of {s.max_turns}" if s.turn else f", {s.max_turns} turns to come"
    first = "" if s.first == NONE else f"; First is {who(s, int(s.first))}"
    yield f"{PHASES[Phase(s.phase)]}{turn}{first}"
    if TEAM > 1:
        yield teams_text(viewer)
    parts = [f"fights by the table of {'the book' if s.combat == Combat.BOOK else 'differences'}"]
    if s.setup == Setup.FULL:
        decks = ", ".join(f"{player(seat)} {deck_name(s.deck[seat])}" for seat in recruiting(s))
        sizes = ", ".join(f"{player(seat)} {s.deal_size[seat]} cards" for seat in recruiting(s))
        parts = [f"decks: {decks}", f"deals: {sizes}", *parts]
    text = "; ".join(parts)
    yield from textwrap.wrap(text[0].upper() + text[1:], LINE)


def _map(states: States, index: int, viewer: int | None) -> Iterator[str]:
    """Return the rows from the far side on, each with as many lines as its cells need, two at least."""
    s = states[index]
    turned = is_turned(s, viewer)
    ruler = "+".join(["-" * WIDTH] * COLUMNS)
    shown = [viewer == seat or seat >= s.num_players or squad_seen(states, index, seat) for seat in range(NUM_SEATS)]
    for row in reversed(range(ROWS)):
        cells = [NUM_CELLS - 1 - cell if turned else cell for cell in range(row * COLUMNS, row * COLUMNS + COLUMNS)]
        texts = [_cell(s, cell, viewer, shown) for cell in cells]
        yield ruler
        for line in zip_longest(*texts, ["", ""], fillvalue=""):
            yield "|".join(text.ljust(WIDTH) for text in line[:COLUMNS])
    yield ruler


def _cell(s: np.record, cell: int, viewer: int | None, shown: list[bool]) -> list[str]:
    slot = int(s.at[cell])
    if slot == NONE or not shown[slot // SQUAD]:
        texts = [cell_name(cell), f"fire to turn {s.bonfire[cell]}" if s.bonfire[cell] else ""]
    elif s.face_down[slot] and (viewer is None or is_secret(s, slot, viewer)):
        texts = [f"{slot_name(slot)} face down"]
    else:
        texts = [f"{slot_name(slot)} {TITLE[s.card[slot]]}", _state(s, slot)]
    return [line for text in texts for line in textwrap.wrap(text, WIDTH)]


def _zones(states: States, index: int, viewer: int | None) -> Iterator[str]:
    """Return the flyers in the additional zone of each player (rules 12.9)."""
    s = states[index]
    for seat in range(NUM_SEATS):
        flyers = [slot for slot in range(seat * SQUAD, (seat + 1) * SQUAD) if s.cell[slot] == AIR]
        if flyers and (viewer == seat or squad_seen(states, index, seat)):
            names = [f"{slot_name(slot)} {TITLE[s.card[slot]]} {_state(s, slot)}" for slot in flyers]
            line = f"Additional zone of {who(s, seat)}: {'; '.join(names)}"
            yield from textwrap.wrap(line, LINE, subsequent_indent="  ")


def _state(s: np.record, slot: int) -> str:
    """Return life left, movement left, and tokens of a card: `7/10 m1 closed t2`."""
    life = int(LIFE[s.card[slot]])
    marks = [f"{life - s.wounds[slot]}/{life}", f"m{s.moves[slot]}"]
    marks += ["stunned" if s.stunned[slot] else "closed"] * int(s.closed[slot] or s.stunned[slot])
    marks += ["hidden"] * int(s.face_down[slot])
    marks += [f"{letter}{s[name][slot]}" for letter, name in (("t", "tokens"), ("p", "poison")) if s[name][slot]]
    return " ".join(marks)


def _graveyards(s: np.record) -> Iterator[str]:
    for seat in range(NUM_SEATS):
        dead = [slot for slot in range(NUM_SLOTS) if slot // SQUAD == seat and s.died[slot]]
        if dead:
            dead.sort(key=lambda slot: int(s.died[slot]))
            names = (f"{card_name(s, slot)}{'' if s.by_enemy[slot] else ', not by an enemy'}" for slot in dead)
            line = f"Graveyard of {who(s, seat)}: {'; '.join(names)}"
            yield from textwrap.wrap(line, LINE, subsequent_indent="  ")


def _notes(s: np.record, viewer: int | None) -> Iterator[str]:
    """Return further facts about cards and squads."""
    for slot in range(NUM_SLOTS):
        if s.cell[slot] == NONE or is_secret(s, slot, viewer) or (viewer is None and s.face_down[slot]):
            continue
        notes = [text.format(s[name][slot]) for name, text in _NOTES if s[name][slot]]
        if notes:
            line = f"{card_name(s, slot)}: {', '.join(notes)}"
            yield from textwrap.wrap(line, LINE, subsequent_indent="  ")
    for seat in range(NUM_SEATS):
        gains = [name for bit, name in enumerate(_GAINS) if int(s.gains[seat]) >> bit & 1]
        if gains:
            yield f"The squad of {player(seat)} began with {', '.join(gains)}"
