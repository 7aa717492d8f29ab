"""Action ids: blocks of numbers, the same in every question (rules 9.2). Ids never move: append only.

Cells and directions are those of the seat that answers, slots its own.
"""

from typing import Final

from ...core.tables import blocks, length, starts
from .card_ids import NUM_CARDS
from .ids import MAX_TOKENS, NUM_ACTS, NUM_CELLS, NUM_DIRECTIONS, SQUAD

BLOCKS: Final = blocks(
    ("DONE", 1, "no more: pass the turn, end the purchase, name no defender or no further target"),
    ("YES", 1, "be First, keep the deal, face down, regeneration first, roll again, the first die, close, push, go"),
    ("NO", 1, "the other of two"),
    ("CARD", NUM_CARDS, "CARD[card]: buy it"),
    ("MOVE", SQUAD * NUM_DIRECTIONS, "MOVE[slot, direction]: one step"),
    ("ACT", SQUAD * NUM_ACTS, "ACT[slot, act]: a simple strike, or ability 1 to 3"),
    ("CELL", NUM_CELLS, "CELL[cell]: place there, or choose the card or the cell there"),
    ("NUMBER", MAX_TOKENS, "NUMBER[n]: pay n tokens, from 1"),
)
NUM_ACTIONS: Final = length(BLOCKS)
DONE, YES, NO, CARD, MOVE, ACT, CELL, NUMBER = starts(BLOCKS).values()
