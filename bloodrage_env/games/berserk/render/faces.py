"""What pages show of the cards and the board, the same for all games."""

from typing import Any, Final

import numpy as np

from ..engine import (
    AIR,
    COLUMNS,
    EFFECTS,
    NONE,
    NUM_CARDS,
    NUM_CELLS,
    NUM_SEATS,
    NUM_TEAMS,
    ROWS,
    SQUAD,
    TITLE,
    Effect,
)
from ..mode import TEAM
from ..notation import player
from ..notation.cards import card_facts, describe
from ..notation.words import LETTERS, cell_name, is_turned, turn_number

# What pages say of an analysis: `#` is a number.
STUDY_WORDS: Final = {
    "chart": "Life",
    "until": "by the end of the next turn",
    "gained": "life taken",
    "fallen": "life lost",
    "fewer": "less",
}


def texts() -> dict[str, Any]:
    """Names, the size of the board, and the cards."""
    return {
        "clans": [player(seat) for seat in range(NUM_SEATS)],
        "columns": COLUMNS,
        "rows": ROWS,
        "squad": SQUAD,
        "teams": NUM_TEAMS,
        "cells": [cell_name(cell) for cell in range(NUM_CELLS)],
        "letters": list(LETTERS),
        "study": STUDY_WORDS,
        "faces": [_face(card) for card, title in enumerate(TITLE) if title],
    }


def page_place(cell: int, slot: int) -> int:
    """A cell as pages count them: those of the additional zone are after the board, one for each slot (rules 12.9)."""
    return NUM_CELLS + slot if cell == AIR else cell


def board_parts(s: np.record) -> list[list[int]] | None:
    """By seat the cells of its part of the board (rules 1.1, 10.2); None until it is rolled who is First."""
    return None if s.first == NONE else [_part(s, seat) for seat in range(NUM_SEATS)]


def _part(s: np.record, seat: int) -> list[int]:
    part, width = turn_number(s, seat) // NUM_TEAMS, COLUMNS // TEAM
    cells = [row * COLUMNS + part * width + column for row in range(ROWS // 2) for column in range(width)]
    return [NUM_CELLS - 1 - cell if is_turned(s, seat) else cell for cell in cells]


def _face(card: int) -> dict[str, Any]:
    """What is printed on a card (`notation.cards.Description`), with no `cost` if it is in no deck, its `type` and its
    `facts`, and the `gold` that it adds to a purchase (rules 2.4).
    """
    facts = describe(card)
    return {
        **facts._asdict(),
        "cost": facts.cost if card < NUM_CARDS else None,
        "keywords": [str(each) for each in facts.keywords],
        "gold": int(EFFECTS[Effect.GOLD, card]),
        "type": facts.kind,
        "facts": card_facts(card),
    }
