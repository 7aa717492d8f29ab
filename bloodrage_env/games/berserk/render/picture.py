"""A game as shapes, for a picture of 1280 by 800: the board from First's side, the players, the open question.

Cards are read in structs alone, so that a picture contains public information. Players differ in colour and letter.
"""

import textwrap
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

import numpy as np

from ....render.shapes import FRAME, INK, Box, Disc, Polygon, Rect, Shape, Words
from ....text import counted
from ..engine import COLUMNS, NONE, NUM_SEATS, ROWS, SQUAD, Phase, States
from ..notation.board import state_of
from ..notation.questions import public_decision_text
from ..notation.seen import Seen, name_in, seen_by
from ..notation.words import CELLS, LETTERS, PHASES, SLOTS, outcome, player, role, who

PAPER: Final = "#efe9dd"
HEADER_FILL: Final = "#2b2f36"
WHITE: Final = "#ffffff"
FAINT: Final = "#6d665a"
LINE: Final = "#b9b2a3"
GROUND: Final = ("#cfd9c2", "#dde3d2")  # of cells, in turns
BACK: Final = "#4a4f58"  # of a card face down
FIRE: Final = "#d8662c"
LIFE: Final = "#2f8f4e"
LOST: Final = "#c9c1b0"
FILL: Final = ("#2e62b8", "#b8401c", "#1f8f6e", "#a4539a")  # of players, by seat
HEADER: Final = Rect(0, 0, FRAME.w, 40)
BOARD: Final = Rect(12, 52, 800, 736)
SIDE: Final = Rect(828, 52, 440, 736)
CELL_WIDTH, CELL_HEIGHT = BOARD.w / COLUMNS, BOARD.h / ROWS
LETTER: Final = 0.6  # width of a letter, by its size
SIZE: Final = 14.0 if COLUMNS < 10 else 10.5  # of letters on cards
TEXT: Final = 14.0  # of letters beside the board
PITCH: Final = 18.0
QUESTION_LINES: Final = 4
PANEL: Final = (SIDE.h - PITCH * QUESTION_LINES) / NUM_SEATS  # height of what is said of a player


def ground() -> Iterator[Shape]:
    """Yield what never changes: the cells with their names."""
    yield Box(FRAME, PAPER, radius=0)
    for number, cell in enumerate(CELLS):
        rect = _cell(cell)
        yield Box(rect, GROUND[(number + number // COLUMNS * (1 - COLUMNS % 2)) % 2], LINE, radius=0)
        yield Words(rect.x + 5, rect.bottom - 6, cell, 11, FAINT)


def things(states: States) -> Iterator[Shape]:
    """Yield the cards of a game, an array of one record, and what is beside the board."""
    s, seen = states[0], seen_by(states, None)
    turn = f", turn {s.turn} of {s.max_turns}" if s.turn else ""
    yield Box(HEADER, HEADER_FILL, radius=0)
    yield Words(BOARD.x, 27, f"{PHASES[Phase(s.phase)]}{turn}", 18, WHITE, bold=True)
    for cell, left in seen.get("bonfires", {}).items():
        yield from _fire(_cell(cell), seen["turn"]["begun"] + left - 1)
    for slot, card in seen["cards"].items():
        if "row" in card:
            yield from _card(_cell(f"{card['column']}{card['row']}"), slot, card)
    said = outcome(s) if s.over else public_decision_text(states, 0)
    yield from islice(_lines(said, SIDE.x, SIDE.y + TEXT, bold=True), QUESTION_LINES - 1)
    for seat in range(NUM_SEATS):
        yield from _player(s, seen, seat, SIDE.y + PITCH * QUESTION_LINES + PANEL * seat)


def _cell(name: str) -> Rect:
    """Return the place of a cell; the first row is below."""
    column, row = CELLS[name] % COLUMNS, CELLS[name] // COLUMNS
    return Rect(BOARD.x + CELL_WIDTH * column, BOARD.bottom - CELL_HEIGHT * (row + 1), CELL_WIDTH, CELL_HEIGHT)


def _card(cell: Rect, slot: str, card: Mapping[str, Any]) -> Iterator[Shape]:
    """Yield a card: the player's colour, the slot, the name, life, and what else its state is."""
    fill = FILL[SLOTS[slot] // SQUAD]
    rect = Rect(cell.x + 4, cell.y + 4, cell.w - 8, cell.h - 24)
    hidden = "card" not in card
    yield Box(rect, BACK if hidden else WHITE, fill, 3, 6)
    yield Box(Rect(rect.x, rect.y, rect.w, 20), fill, radius=6)
    yield Words(rect.x + 6, rect.y + 15, slot, 13, WHITE, bold=True)
    if hidden:
        yield Words(rect.middle[0], rect.middle[1] + 14, "face down", SIZE, WHITE, anchor="middle")
        return
    longest = max(map(len, card["card"].split()))
    size = min(SIZE, (rect.w - 8) / (longest * LETTER))  # a word is not broken
    y = rect.y + 20 + SIZE + 2
    for line in textwrap.wrap(card["card"], round((rect.w - 8) / (size * LETTER))):
        yield Words(rect.middle[0], y, line, size, bold=True, anchor="middle")
        y += SIZE + 2
    share = card["life"] / (card["life"] + card.get("wounds", 0))
    bar = Rect(rect.x + 6, rect.bottom - 14, rect.w - 12, 8)
    yield Box(bar, LOST, radius=3)
    yield Box(Rect(bar.x, bar.y, bar.w * share, bar.h), LIFE, radius=3)
    for line in reversed(textwrap.wrap(state_of(card), int((rect.w - 8) / (SIZE * LETTER)))[:2]):
        bar = bar._replace(y=bar.y - SIZE)
        yield Words(rect.middle[0], bar.y + SIZE - 4, line, SIZE - 1, anchor="middle")


def _fire(cell: Rect, until: int) -> Iterator[Shape]:
    x, y = cell.middle
    yield Polygon(((x - 16, y + 18), (x - 8, y - 8), (x, y + 4), (x + 7, y - 20), (x + 17, y + 18)), FIRE, INK)
    yield Words(x, y + 34, f"to turn {until}", 11, anchor="middle")


def _player(s: np.record, seen: Seen, seat: int, top: float) -> Iterator[Shape]:
    """Yield a player: the name, the place in the order of turns, flyers beside the board and the graveyard."""
    yield Disc(SIDE.x + 12, top + 12, 12, FILL[seat])
    yield Words(SIDE.x + 12, top + 17, LETTERS[seat], 14, WHITE, bold=True, anchor="middle")
    known = s.first != NONE or int(s.roll_off[seat]) > 0
    title = f"{who(s, seat)}: {role(s, seat)}" if known else who(s, seat)
    yield Words(SIDE.x + 32, top + 17, title, 16, bold=True)
    cards = {slot: card for slot, card in seen["cards"].items() if SLOTS[slot] // SQUAD == seat}
    flyers = [f"{name_in(seen, slot)} {state_of(c)}" for slot, c in cards.items() if "in_play" in c and "row" not in c]
    dead = [name_in(seen, slot) for slot in seen.get("graveyards", {}).get(player(seat), ())]
    text = [
        f"{counted(sum('in_play' in card for card in cards.values()), 'card')} in play",
        *([f"In the additional zone: {', '.join(flyers)}"] if flyers else []),
        *([f"Graveyard: {', '.join(dead)}"] if dead else []),
    ]
    y = top + 17 + PITCH
    for part in text:
        for line in _lines(part, SIDE.x + 32, y):
            if line.y > top + PANEL - PITCH:
                return
            yield line
            y = line.y + PITCH


def _lines(text: str, x: float, y: float, bold: bool = False) -> Iterator[Words]:
    """Yield a text that is broken at the right edge."""
    for number, line in enumerate(textwrap.wrap(text, int((SIDE.right - x) / (TEXT * LETTER)))):
        yield Words(x, y + PITCH * number, line, TEXT, bold=bold)
