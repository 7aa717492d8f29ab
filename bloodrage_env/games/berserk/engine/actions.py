"""Action ids: blocks of numbers, the same in every question (rules 9.2). Ids never move: cards
have positions reserved, and new blocks go to the end.

Cells and directions are those of the seat that answers, slots its own. With a flyer in the card table there is a last
block, whose slots are those of all seats, as the seat that answers counts them (rules 12.18).
"""

from typing import Final

from ....core.tables import blocks, length, members, numbered, pairs, starts
from .card_ids import CARD_CAPACITY, Card
from .cards import FLYERS
from .ids import MAX_TOKENS, NUM_CELLS, NUM_SLOTS, SQUAD, Act, Direction

_FLYERS: Final = ("FLYER", numbered(NUM_SLOTS), "FLYER[slot]: choose the card in the additional zone")

BLOCKS: Final = blocks(
    ("DONE", numbered(1), "no more: pass the turn, end the purchase, name no defender or no further target"),
    (
        "YES",
        numbered(1),
        "be First, keep the deal, face down, regeneration first, roll again, the first die, close, push, go",
    ),
    ("NO", numbered(1), "the other of two"),
    ("CARD", members(Card, CARD_CAPACITY), "CARD[card]: buy it"),
    ("MOVE", pairs(numbered(SQUAD), members(Direction)), "MOVE[slot, direction]: one step"),
    ("ACT", pairs(numbered(SQUAD), members(Act)), "ACT[slot, act]: a simple strike, or ability 1 to 3"),
    ("CELL", numbered(NUM_CELLS), "CELL[cell]: place there, or choose the card or the cell there"),
    ("NUMBER", numbered(MAX_TOKENS, first=1), "NUMBER[n]: pay n tokens, from 1"),
    *[_FLYERS][:FLYERS],
)
NUM_ACTIONS: Final = length(BLOCKS)
DONE, YES, NO, CARD, MOVE, ACT, CELL, NUMBER = list(starts(BLOCKS).values())[:8]
FLYER: Final = NUMBER + MAX_TOKENS  # NUM_ACTIONS without flyers
