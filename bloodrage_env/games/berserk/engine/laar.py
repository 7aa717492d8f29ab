"""What several chapters ask about the Battle for Laar (rules 11): who has the angel, who plays, and with how much life
the demon and the angel begin. Without it each of these is a constant, which costs nothing.
"""

from typing import Final

import numpy as np

from ....core.compile.decorators import rule
from .being_table import LIFE_AT_FIRST
from .board import COLUMN_OF, ROW_OF
from .card_ids import DEMON, NUM_CARDS
from .cards import ELEMENT, ROWS, Effect
from .ids import LAAR, NUM_CELLS, WIDTH, Element
from .keyword_hooks import text
from .state import State

# Where they begin, both in the view of the demon's side (rules 11.5): the centres of its first and second row.
_CENTRE: Final = [cell for cell in range(NUM_CELLS) if COLUMN_OF[cell] == WIDTH // 2]
ANGEL_AT: Final = next(cell for cell in _CENTRE if ROW_OF[cell] == 2)
DEMON_AT: Final = next(cell for cell in _CENTRE if ROW_OF[cell] == 1)
# The life of each being, from DEMON on, by column of the table.
BEGINS: Final = np.array([[int(row[name]) for name in LIFE_AT_FIRST] for row in ROWS[DEMON:]] or [[0] * 3], np.int64)


@rule
def angel_seat(s: State) -> int:
    """The seat that has the angel and a squad: the only player, or First of two (rules 11.3)."""
    return 0 if s.num_players == 1 else int(s.first)


@rule
def recruits(s: State, seat: int) -> bool:
    """Whether a seat has a deal and a squad (rules 11.3)."""
    return not LAAR or seat == angel_seat(s)


@rule
def first_to_recruit(s: State) -> int:
    """Who is dealt to, buys and places first, before the seats after it in the order of turns."""
    return angel_seat(s) if LAAR else int(s.first)


@rule
def plays(s: State, seat: int) -> bool:
    """Whether a player has the cards of a seat: against one player nobody has the demon (rules 11.2)."""
    return not LAAR or seat < s.num_players


@rule
def life_at_first(s: State, being: int) -> int:
    """The life with which the demon or the angel begins, by number of players and the angel's deck (rules 11.1)."""
    if s.num_players > 1:
        return int(BEGINS[being - DEMON, 1])
    for card in range(NUM_CARDS):
        if ELEMENT[card] == Element.MOUNTAIN and s.deck[angel_seat(s), card] > 0:
            return int(BEGINS[being - DEMON, 0])
    return int(BEGINS[being - DEMON, 2])


@rule
def storm_wounds(s: State, slot: int) -> int:
    """Wounds to every card as the turn of the card's owner starts (rules 11.7)."""
    return text(s, slot, Effect.STORM) if LAAR else 0


@rule
def allies_healing(s: State, slot: int) -> int:
    """Wounds that other cards of the owner heal when a simple strike of the card has landed (rules 11.8)."""
    return text(s, slot, Effect.HEAL_ALLIES) if LAAR else 0
