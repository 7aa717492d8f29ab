"""What the numbers of a record can be, field by field: a record from elsewhere is not believed (`invariants.py`)."""

from typing import Final

import numpy as np

from ....core.chance import MASK32
from ....core.ranges import Range, Ranges, ranges_for
from .actions import NUM_ACTIONS
from .board import ALL_CELLS
from .card_ids import CARD_CAPACITY, NUM_CARDS
from .cards import LIFE, MOVEMENT
from .frames import COLUMNS
from .ids import (
    DEAL,
    DIE,
    MAX_COPIES,
    MAX_TOKENS,
    MAX_TURNS,
    NONE,
    NUM_CELLS,
    NUM_DECISIONS,
    NUM_PHASES,
    NUM_SEATS,
    NUM_SLOTS,
    SQUAD,
    Dice,
)
from .state import COMPILER, MAX_DECISIONS, MAX_DEPTH

FLAG: Final = (0, 1)
SEAT_OR_NONE: Final = (NONE, NUM_SEATS - 1)
SLOT_OR_NONE: Final = (NONE, NUM_SLOTS - 1)
CELL_OR_NONE: Final = (NONE, NUM_CELLS - 1)
CELLS: Final = (0, ALL_CELLS)
A_DIE: Final = (0, DIE)
MOST_ENTERED: Final = 60  # cells in a turn: own units, and a push for each enemy strike
MOST_BONUS: Final = SQUAD

# The least and the greatest number of each field; of the stack `COLUMNS` has them.
FIELDS: Final[dict[str, Range]] = {
    "num_players": (NUM_SEATS, NUM_SEATS),
    "skip_forced": FLAG,
    "over": FLAG,
    "truncated": FLAG,
    "decisions": (0, MAX_DECISIONS),
    "decision": (0, NUM_DECISIONS - 1),
    "seat": SEAT_OR_NONE,
    "num_legal": (0, NUM_ACTIONS),
    "mask": FLAG,
    "depth": (1, MAX_DEPTH),
    "combat": FLAG,
    "setup": FLAG,
    "max_turns": (1, MAX_TURNS),
    "placing": FLAG,
    "deck": (0, MAX_COPIES),
    "phase": (0, NUM_PHASES - 1),
    "turn": (0, MAX_TURNS),
    "first": SEAT_OR_NONE,
    "roll_off": (1, DIE),
    "actor": SLOT_OR_NONE,
    "target": SLOT_OR_NONE,
    "deal_size": (1, DEAL),
    "deal": (0, SQUAD),
    "squad": (0, SQUAD),
    "gains": (0, 7),
    "at": SLOT_OR_NONE,
    "standing": CELLS,
    "bonfire": (0, MAX_TURNS + 1),
    "fires": CELLS,
    "card": (NONE, NUM_CARDS - 1),
    "cell": CELL_OR_NONE,
    "fell_at": CELL_OR_NONE,
    "died": (0, NUM_SLOTS),
    "by_enemy": FLAG,
    "wounds": (0, int(LIFE.max()) - 1),
    "closed": FLAG,
    "face_down": FLAG,
    "moves": (0, int(MOVEMENT.max()) + 1),
    "absorbed": (0, 2),
    "poison": (0, 2),
    "tokens": (0, MAX_TOKENS),
    "stunned": FLAG,
    "directed": FLAG,
    "extra_movement": FLAG,
    "extra_armour": FLAG,
    "entered": (0, MOST_ENTERED),
    "stepped": FLAG,
    "strikes": (0, 2),
    "bonus": (0, MOST_BONUS),
    "white": A_DIE,
    "black": A_DIE,
    "block": A_DIE,
    "die": A_DIE,
    "rolled": (0, (1 << len(Dice)) - 1),
    "chance": (0, MASK32),
}

_NO_CARD: Final = np.arange(CARD_CAPACITY) >= NUM_CARDS

RANGES: Final[Ranges] = ranges_for(
    COMPILER, FIELDS, list(COLUMNS.values()), dict.fromkeys(("deck", "deal", "squad"), _NO_CARD)
)
