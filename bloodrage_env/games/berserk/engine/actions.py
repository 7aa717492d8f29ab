"""Action ids: blocks of numbers, the same in every question (rules 9.2). Ids never move: cards
have positions reserved, and new blocks go to the end.

Cells and directions are those of the seat that answers, slots its own. With a flyer in the card table there is a last
block, whose slots are those of all seats, as the seat that answers counts them (rules 12.18).
"""

from typing import Final

from ....core.engine.tables import block, blocks, length, members, numbered, pairs, starts
from .card_ids import CARD_CAPACITY, Card
from .cards import FLYERS
from .ids import MAX_TOKENS, NUM_CELLS, NUM_SLOTS, SQUAD, Act, Direction

_FLYERS: Final = block("FLYER", numbered(NUM_SLOTS), "choose the card in the additional zone", {"slot": "slot"})

BLOCKS: Final = blocks(
    block("DONE", numbered(1), "no more: pass the turn, end the purchase, name no defender or no further target"),
    block(
        "YES",
        numbered(1),
        "be First, keep the deal, face down, regeneration first, roll again, the first die, close, push, go",
    ),
    block("NO", numbered(1), "the other of two"),
    block("CARD", members(Card, CARD_CAPACITY), "buy it", {"card": "card"}),
    block(
        "MOVE", pairs(numbered(SQUAD), members(Direction)), "one step", {"slot": "own_slot", "direction": "direction"}
    ),
    block(
        "ACT",
        pairs(numbered(SQUAD), members(Act)),
        "a simple strike, or ability 1 to 3",
        {"slot": "own_slot", "act": "act"},
    ),
    block("CELL", numbered(NUM_CELLS), "place there, or choose the card or the cell there", {"cell": "cell"}),
    block("NUMBER", numbered(MAX_TOKENS, first=1), "pay so many tokens, from 1", {"tokens": "number"}),
    *[_FLYERS][:FLYERS],
)
NUM_ACTIONS: Final = length(BLOCKS)
DONE, YES, NO, CARD, MOVE, ACT, CELL, NUMBER = list(starts(BLOCKS).values())[:8]
FLYER: Final = NUMBER + MAX_TOKENS  # NUM_ACTIONS without flyers
