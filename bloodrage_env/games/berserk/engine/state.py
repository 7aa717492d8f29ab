"""The record of a game: its fields, their shapes and what they hold.

A slot is a card in play: 0 to 14 are the cards of seat 0, 15 to 29 those of seat 1 (rules 9.3). Cells lie as First sees
them (rules 1.1). What may be known of it all, and by whom, is said in rules 9.4 (`dealing/hide.py`).
"""

from enum import IntEnum
from typing import Annotated, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ....core.chance import NUM_WORDS
from ....core.compiled import Compiler
from ....core.record import fields, record
from .actions import NUM_ACTIONS
from .card_ids import CARD_CAPACITY
from .ids import NUM_CELLS, NUM_SEATS, NUM_SLOTS

MAX_DEPTH: Final = 4  # of the stack of routines
MAX_DECISIONS: Final = 20_000  # a game that asks more is cut off; MAX_TURNS ends it long before


class Frame(IntEnum):
    """Columns of a frame on the stack of routines. Which ones a routine uses is said in `frames.py`."""

    ROUTINE = 0
    STEP = 1
    SEAT = 2  # whose routine it is, or NONE
    ACTOR = 3  # the slot whose action it is
    ACT = 4  # Act
    TARGET = 5  # the slot that is attacked, or NONE
    BEFORE = 6  # the slot attacked before this one, which may not be attacked again, or NONE
    COUNT = 7  # targets attacked so far
    PAID = 8  # tokens paid, or to be paid
    DIRECTED = 9  # the simple strike is directed
    DEFENDED = 10  # the target is a named defender
    LEFT = 11  # dice that may still be rolled again
    FORCE = 12  # how the strike of the actor lands, Force
    COUNTER = 13  # how that of the other lands, Force
    DIFFERENCE = 14  # of the dice (rules 4.10)
    DONE = 15  # slots, or deaths, gone through
    SHOWN = 16  # bits: cards of the third row that are to be turned up (rules 2.6)


FRAME_SIZE: Final = len(Frame)

_OPTIONS = [
    ("combat", np.int8),
    ("setup", np.int8),
    ("max_turns", np.int16),
    ("deck", np.int8, (NUM_SEATS, CARD_CAPACITY)),  # copies
    ("placing", np.int8),
]
_CLOCK = [
    ("phase", np.int8),  # Phase
    ("turn", np.int16),  # of both players, from 1; 0 before the battle
    ("first", np.int8),  # the seat that is First, or NONE before it is settled
    ("roll_off", np.int8, NUM_SEATS),  # the last roll of each
]
_QUESTION = [
    ("actor", np.int8),  # the slot whose action or effect the question is about, or NONE
    ("target", np.int8),  # the slot that this is done to, or NONE
]
_RECRUITING = [
    ("deal_size", np.int8, NUM_SEATS),
    ("deal", np.int8, (NUM_SEATS, CARD_CAPACITY)),  # copies, those bought included
    ("squad", np.int8, (NUM_SEATS, CARD_CAPACITY)),  # copies bought; stays as it is when cards die
    ("gains", np.int8, NUM_SEATS),  # bits of what a start-of-battle effect has told of the squad (`rules/reveal.py`)
]
_BOARD = [
    ("at", np.int8, NUM_CELLS),  # the slot of the card in each cell, or NONE
    ("standing", np.int32, NUM_SEATS),  # bits: cells with a card of this seat
    ("bonfire", np.int16, NUM_CELLS),  # the last turn of the one lit there, 0 if there is none
    ("fires", np.int32),  # bits: cells with a bonfire
]
_CARDS = [
    (name, np.int8, NUM_SLOTS)
    for name in (
        "card",  # or NONE
        "cell",  # or NONE: dead, or not placed
        "fell_at",  # the cell where it died, or NONE
        "died",  # the how many-th of all deaths its death was, 0 while it lives
        "by_enemy",  # it was killed by an enemy card (rules 6.3)
        "wounds",
        "closed",
        "face_down",
        "moves",  # units of movement left
        "absorbed",  # wounds that its armour took this turn
        "poison",
        "tokens",
        "stunned",
        "directed",  # gained
        "extra_movement",  # gained
        "extra_armour",  # gained
        "entered",  # cells entered this turn
        "stepped",  # it made a step of its own in its owner's last turn, or in the present one
        "strikes",  # simple and across a row this turn, as actions of its own
        "bonus",  # of simple strikes this turn
    )
]
_CHANCE = [
    # Dice that lie open until the next question is answered, 0 where there is none.
    ("white", np.int8, 2),  # of the attacker's side
    ("black", np.int8, 2),  # of the other
    ("block", np.int8),  # of a card that blocks
    ("die", np.int8),  # of an ability
    ("rolled", np.int8),  # bits: which of them (`Dice`) were rolled since the last answer
    ("chance", np.int64, NUM_WORDS),  # the generator: all that is still to be rolled and dealt
]

STATE = record(
    fields(NUM_ACTIONS, MAX_DEPTH, FRAME_SIZE), _OPTIONS, _CLOCK, _QUESTION, _RECRUITING, _BOARD, _CARDS, _CHANCE
)

# One game, and an array of games, as arguments of compiled functions; and what compiles those that `core` makes.
COMPILER: Final = Compiler("berserk", STATE)
State: TypeAlias = Annotated[np.record, COMPILER.record]
States: TypeAlias = Annotated[npt.NDArray[np.record], COMPILER.record[::1]]
