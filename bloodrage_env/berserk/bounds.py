"""The least and the greatest numbers of an observation of Berserk: those that a record can have, in their units."""

from typing import Final

import numpy as np

from ..core.bounds import bounds_of
from .engine import LIFE, MAX_COPIES, MAX_TOKENS, MAX_TURNS, MOVEMENT, SQUAD
from .observation import CARD_NUMBERS, DIE, NUMBER_UNITS, SECTIONS, UNITS

CRYSTALS: Final = 25 + 23 + SQUAD  # gold and silver, and gold that cards of a squad add
MOST_TARGETS: Final = 3
# Of `numbers`, what is more than one unit.
_MOST: Final = {
    "life": int(LIFE.max()), "wounds": int(LIFE.max()), "moves": int(MOVEMENT.max()) + 1, "armour": 2,
    "attack_experience": 2, "defence_experience": 2, "partners": 8, "poison": 2, "tokens": MAX_TOKENS, "entered": 60,
    "strikes": 2, "bonus": SQUAD,
}  # fmt: skip
_numbers = [
    _MOST[name] * float(np.float32(1 / NUMBER_UNITS[name])) if name in NUMBER_UNITS else 1.0 for name in CARD_NUMBERS
]

BOUNDS: Final = bounds_of(
    SECTIONS,
    UNITS,
    {
        "turn": MAX_TURNS,
        "roll_off": DIE,
        "action": np.array([1.0, 1.0, 1.0, DIE / 2, MOST_TARGETS * float(np.float32(1 / UNITS["deal"]))]),
        "difference": DIE,
        "decks": MAX_COPIES,
        "deal_sizes": UNITS["deal_sizes"],
        "deal": SQUAD,
        "squad": SQUAD,
        "crystals": CRYSTALS,
        "bonfires": 2,
        "numbers": np.array(_numbers),
    },
    {"difference": -DIE},
)
