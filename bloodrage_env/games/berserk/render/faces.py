"""What pages show of the cards and the board, the same for all games."""

from typing import Any

from ..engine import COLUMNS, EFFECTS, NUM_CARDS, NUM_CELLS, NUM_SEATS, ROWS, SQUAD, Effect
from ..notation import player
from ..notation.cards import card_facts, describe
from ..notation.words import cell_name


def texts() -> dict[str, Any]:
    """Names, the size of the board, and the cards."""
    return {
        "clans": [player(seat) for seat in range(NUM_SEATS)],
        "columns": COLUMNS,
        "rows": ROWS,
        "squad": SQUAD,
        "cells": [cell_name(cell) for cell in range(NUM_CELLS)],
        "faces": [_face(card) for card in range(NUM_CARDS)],
    }


def _face(card: int) -> dict[str, Any]:
    """What is printed on a card (`notation.cards.Description`), two lines of it, its `type` and its `facts`, and the
    `gold` that it adds to a purchase (rules 2.4).
    """
    facts = describe(card)
    return {
        **facts._asdict(),
        "keywords": [str(each) for each in facts.keywords],
        "gold": int(EFFECTS[Effect.GOLD, card]),
        "type": facts.kind,
        "facts": card_facts(card),
    }
