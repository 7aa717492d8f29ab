"""The board as text."""

import textwrap
from collections.abc import Iterator
from typing import Final

import numpy as np

from ..engine import (
    COLUMNS,
    LIFE,
    NONE,
    NUM_CELLS,
    NUM_SEATS,
    NUM_SLOTS,
    ROWS,
    SQUAD,
    TITLE,
    Phase,
    States,
)
from .facts import squad_seen
from .questions import decision_text, public_decision_text
from .words import PHASES, cell_name, is_secret, outcome, player, slot_name

WIDTH: Final = 17  # of a cell
LINE: Final = WIDTH * COLUMNS + COLUMNS  # of the board, with what divides the cells


def board_text(states: States, index: int, viewer: int | None = None) -> str:
    """A game as lines of text: the head, the board, the graveyards, the open question.

    From the side of `viewer`, with what that seat may know; without one from First's side, with what lies open to both.
    """
    s = states[index]
    lines = [_head(s), *_map(states, index, viewer), *_graveyards(s)]
    if s.over:
        lines.append(outcome(s))
    elif viewer == s.seat:
        lines.append(decision_text(states, index))
    else:
        lines.append(public_decision_text(states, index))
    return "\n".join(line.rstrip() for line in lines)


def _head(s: np.record) -> str:
    turn = f", turn {s.turn} of {s.max_turns}" if s.turn else ""
    first = "" if s.first == NONE else f"; First is {player(int(s.first))}"
    return f"{PHASES[Phase(s.phase)]}{turn}{first}"


def _map(states: States, index: int, viewer: int | None) -> Iterator[str]:
    """The rows from the far side on, two lines each."""
    s = states[index]
    turned = viewer is not None and s.first not in (NONE, viewer)
    ruler = "+".join(["-" * WIDTH] * COLUMNS)
    shown = [squad_seen(states, index, seat) or viewer == seat for seat in range(NUM_SEATS)]
    for row in reversed(range(ROWS)):
        cells = [NUM_CELLS - 1 - cell if turned else cell for cell in range(row * COLUMNS, row * COLUMNS + COLUMNS)]
        texts = [_cell(s, cell, viewer, shown) for cell in cells]
        yield ruler
        for line in zip(*texts, strict=True):
            yield "|".join(text[:WIDTH].ljust(WIDTH) for text in line)
    yield ruler


def _cell(s: np.record, cell: int, viewer: int | None, shown: list[bool]) -> tuple[str, str]:
    slot = int(s.at[cell])
    if slot == NONE or not shown[slot // SQUAD]:
        fire = "bonfire" if s.bonfire[cell] else ""
        return f"{cell_name(cell)}", fire
    hidden = s.face_down[slot] and (viewer is None or is_secret(s, slot, viewer))
    if hidden:
        return f"{slot_name(slot)} face down", ""
    return f"{slot_name(slot)} {TITLE[s.card[slot]]}", _state(s, slot)


def _state(s: np.record, slot: int) -> str:
    """Life left, movement left, and what lies on a card: `7/10 m1 closed t2`."""
    life = int(LIFE[s.card[slot]])
    marks = [f"{life - s.wounds[slot]}/{life}", f"m{s.moves[slot]}"]
    marks += ["stunned" if s.stunned[slot] else "closed"] * int(s.closed[slot])
    marks += ["hidden"] * int(s.face_down[slot])
    marks += [f"{letter}{s[name][slot]}" for letter, name in (("t", "tokens"), ("p", "poison")) if s[name][slot]]
    return " ".join(marks)


def _graveyards(s: np.record) -> Iterator[str]:
    for seat in range(NUM_SEATS):
        dead = [slot for slot in range(NUM_SLOTS) if slot // SQUAD == seat and s.died[slot]]
        if dead:
            dead.sort(key=lambda slot: int(s.died[slot]))
            line = f"Graveyard of {player(seat)}: {', '.join(TITLE[s.card[slot]] for slot in dead)}"
            yield from textwrap.wrap(line, LINE, subsequent_indent="  ")
