"""The record of a game: its fields, their shapes and what they hold.

A slot is a card in play: 0 to 14 are the cards of seat 0, 15 to 29 those of seat 1 (rules 9.3). Cells lie as First sees
them (rules 1.1). What may be known of it all, and by whom, is said in rules 9.4 (`dealing/hide.py`).
"""

from typing import Annotated, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ....core.compile.decorators import Compiler
from ....core.engine.chance import MASK32, NUM_WORDS
from ....core.engine.record import FLAG, Columns, axis, field, group, head, record
from ..mode import NAME
from .actions import NUM_ACTIONS
from .board import AIR, ALL_CELLS
from .card_ids import CARD_CAPACITY, NUM_CARDS
from .cards import FLYERS, LIFE, MARKS, MOST_TARGETS, MOVEMENT, NUM_ROWS
from .ids import (
    DEAL,
    DIE,
    FARTHEST,
    LEAST_PLAYERS,
    MAX_COPIES,
    MAX_TOKENS,
    MAX_TURNS,
    MISS,
    NONE,
    NUM_ACTS,
    NUM_CELLS,
    NUM_PHASES,
    NUM_SEATS,
    NUM_SLOTS,
    SQUAD,
    STRONG,
    Decision,
    Dice,
    Routine,
)

MAX_DEPTH: Final = 4  # of the stack of routines
MAX_DECISIONS: Final = 20_000  # a game that asks more is cut off; MAX_TURNS ends it long before
MAX_ENTERED: Final = 60  # cells that a card enters in a turn: own units, and a push for each enemy strike
LAST_FIRE: Final = MAX_TURNS + NUM_SEATS - 1  # the last turn of a bonfire

A_SEAT: Final = (NONE, NUM_SEATS - 1)
SLOT: Final = (0, NUM_SLOTS - 1)
SLOT_OR_NONE: Final = (NONE, NUM_SLOTS - 1)
PLACE_OR_NONE: Final = (NONE, AIR if FLYERS else NUM_CELLS - 1)
CELLS: Final = (0, ALL_CELLS)  # bits
PLACES: Final = (0, ALL_CELLS | int(FLYERS) << AIR)  # bits of cells, and of the additional zone (rules 12.9)
MARK_FIELDS: Final = ("vulnerable", "no_shot_protection", "no_poison_protection") if MARKS else ()
BITS: Final = np.int32 if NUM_CELLS < 32 else np.int64
A_DIE: Final = (0, DIE)
A_FORCE: Final = (MISS, STRONG)


class Frame(Columns):
    """Columns of a frame on the stack of routines, each with its range, also in a frame that has left the stack."""

    ROUTINE = 0, (0, len(Routine) - 1)
    STEP = 1, (0, 14)
    SEAT = 2, A_SEAT, "whose routine it is, or NONE"
    ACTOR = 3, SLOT, "the slot whose action it is"
    ACT = 4, (0, NUM_ACTS - 1), "Act"
    TARGET = 5, SLOT_OR_NONE, "the slot that is attacked, or NONE"
    BEFORE = 6, SLOT_OR_NONE, "the slot attacked before this one, which may not be attacked again, or NONE"
    COUNT = 7, (0, MOST_TARGETS), "targets attacked so far"
    PAID = 8, (0, MAX_TOKENS), "tokens paid, or to be paid"
    DIRECTED = 9, FLAG, "the simple strike is directed"
    DEFENDED = 10, FLAG, "the target is a named defender"
    LEFT = 11, A_DIE, "dice that may still be rolled again"
    FORCE = 12, A_FORCE, "how the strike of the actor lands, Force"
    COUNTER = 13, A_FORCE, "how that of the other lands, Force"
    DIFFERENCE = 14, (-FARTHEST, FARTHEST), "of the dice (rules 4.10)"
    DONE = 15, (0, NUM_SLOTS), "slots, deaths, or partners, gone through"
    SHOWN = 16, (0, (1 << SQUAD) - 1), "bits: cards of the third row that are to be turned up (rules 2.6)"


S, C = axis("S", NUM_SEATS), axis("C", CARD_CAPACITY, NUM_CARDS)
SLOTS, BOARD = axis("NUM_SLOTS", NUM_SLOTS), axis("NUM_CELLS", NUM_CELLS)

# The record: of each field the range, the meaning and the axes.
GROUPS: Final = (
    group("head", *head((LEAST_PLAYERS, NUM_SEATS), NUM_ACTIONS, Decision, MAX_DECISIONS, Frame, MAX_DEPTH)),
    group(
        "options",
        field("combat", FLAG, "Combat"),
        field("setup", FLAG, "Setup"),
        field("max_turns", (1, MAX_TURNS), "the last turn of both players", dtype=np.int16),
        field("deck", (0, MAX_COPIES), "copies", S, C),
        field("placing", FLAG, "Placing"),
    ),
    group(
        "the clock",
        field("phase", (0, NUM_PHASES - 1), "Phase"),
        field("turn", (0, MAX_TURNS), "of both players, from 1; 0 before the battle", dtype=np.int16),
        field("first", A_SEAT, "the seat that is First, or NONE before it is settled"),
        field("roll_off", (1, DIE), "the last roll of each", S),
    ),
    group(
        "the question that is open",
        field("actor", SLOT_OR_NONE, "the slot whose action or effect the question is about, or NONE"),
        field("target", SLOT_OR_NONE, "the slot that this is done to, or NONE"),
    ),
    group(
        "recruiting",
        field("deal_size", (1, DEAL), "cards", S),
        field("deal", (0, SQUAD), "copies, those bought included", S, C),
        field("squad", (0, SQUAD), "copies bought; stays as it is when cards die", S, C),
        field("gains", (0, 7), "bits of what a start-of-battle effect has read of the squad (`rules/reveal.py`)", S),
    ),
    group(
        "the board",
        field("at", SLOT_OR_NONE, "the slot of the card in each cell, or NONE", BOARD),
        field("standing", PLACES, "bits: cells with a card of this seat, and AIR if it has flyers", S, dtype=BITS),
        field("bonfire", (0, LAST_FIRE), "the last turn of the one lit there, or 0", BOARD, dtype=np.int16),
        field("fires", CELLS, "bits: cells with a bonfire", dtype=BITS),
    ),
    group(
        "cards",
        field("card", (NONE, NUM_ROWS - 1), "or NONE", SLOTS),
        field("cell", PLACE_OR_NONE, "AIR: in the additional zone; NONE: dead, or not placed", SLOTS),
        field("fell_at", PLACE_OR_NONE, "the cell where it died, AIR, or NONE", SLOTS),
        field("died", (0, NUM_SLOTS), "the number of its death among all deaths, from 1; 0 while it lives", SLOTS),
        field("by_enemy", FLAG, "it was killed by an enemy card (rules 6.3)", SLOTS),
        field("wounds", (0, int(LIFE.max()) - 1), "", SLOTS),
        field("closed", FLAG, "", SLOTS),
        field("face_down", FLAG, "", SLOTS),
        field("moves", (0, int(MOVEMENT.max()) + 1), "units of movement left", SLOTS),
        field("absorbed", (0, 2), "wounds that its armour took this turn", SLOTS),
        field("poison", (0, 2), "", SLOTS),
        field("tokens", (0, MAX_TOKENS), "", SLOTS),
        field("stunned", FLAG, "", SLOTS),
        field("directed", FLAG, "gained", SLOTS),
        field("extra_movement", FLAG, "gained", SLOTS),
        field("extra_armour", FLAG, "gained", SLOTS),
        field("entered", (0, MAX_ENTERED), "cells entered this turn", SLOTS),
        field("stepped", FLAG, "it made a step of its own in its owner's last turn, or in the present one", SLOTS),
        field("strikes", (0, 2), "simple and across a row this turn, as actions of its own", SLOTS),
        field("bonus", (0, SQUAD), "of simple strikes this turn", SLOTS),
        *(field(name, FLAG, "for the battle, by a strike (rules 12.22)", SLOTS) for name in MARK_FIELDS),
    ),
    group(
        "dice that lie open until the next question is answered, 0 where there is none; chance",
        field("white", A_DIE, "of the attacker's side", 2),
        field("black", A_DIE, "of the other", 2),
        field("block", A_DIE, "of a card that blocks"),
        field("die", A_DIE, "of an ability"),
        field("rolled", (0, (1 << len(Dice)) - 1), "bits: which of them (Dice) were rolled since the last answer"),
        field("chance", (0, MASK32), "the generator: all that will be rolled and dealt", NUM_WORDS, dtype=np.int64),
    ),
)
STATE: Final = record(GROUPS)

# One game, and an array of games, as arguments of compiled functions; and what compiles those that `core` makes.
COMPILER: Final = Compiler(NAME, STATE)
State: TypeAlias = Annotated[np.record, COMPILER.record]
States: TypeAlias = Annotated[npt.NDArray[np.record], COMPILER.record[::1]]
