"""The least and the greatest numbers of an observation of Blood Rage: those that a record can have, in their units."""

from typing import Final

import numpy as np

from .core.bounds import bounds_of
from .engine import COPIES, NUM_KINDS, NUM_MYSTICS, NUM_PLACES, Figure
from .observation import SECTIONS, UNITS

MOST_SCORE: Final = 1_000_000  # glory or Rage: more than a game of MAX_DECISIONS can bring
MOST_STRENGTH: Final = 1_000  # of a clan in a province, or in a battle with its cards
WARRIORS: Final = 8
MOST_FIGURES: Final = WARRIORS + NUM_MYSTICS + NUM_KINDS - 2  # of a clan: one of each other kind
COPIES_OF_A_CARD: Final = int(COPIES.sum(axis=(0, 2)).max())
CARDS: Final = int(COPIES.sum(axis=(0, 1, 2)).sum())
_figures = np.full((NUM_KINDS, NUM_PLACES), NUM_MYSTICS, float)
_figures[Figure.WARRIOR] = WARRIORS / UNITS["figures"]

BOUNDS: Final = bounds_of(
    SECTIONS,
    UNITS,
    {
        "draft": np.array([UNITS["draft"], UNITS["draft"]]),
        "limits": MOST_FIGURES,
        "march": WARRIORS,
        "dying": WARRIORS,
        "stats": 5,
        "stat_values": 12,
        "rage": MOST_SCORE,
        "glory": MOST_SCORE,
        "hand_sizes": CARDS,
        "quest_counts": CARDS,
        "horns_free": 10,
        "supply": NUM_MYSTICS,
        "figures": _figures * UNITS["figures"],
        "strength": MOST_STRENGTH,
        "room": 5,
        "hand": COPIES_OF_A_CARD,
        "quests": COPIES_OF_A_CARD,
        "pack": COPIES_OF_A_CARD,
        "packs_seen": UNITS["packs_seen"],
        "known": COPIES_OF_A_CARD,
        "sure_quests": COPIES_OF_A_CARD,
        "discards": COPIES_OF_A_CARD,
        "gone": COPIES_OF_A_CARD,
        "table": COPIES_OF_A_CARD,
        "counted": WARRIORS,
        "fallen": MOST_FIGURES,
        "mystics": NUM_MYSTICS,
        "totals": MOST_STRENGTH,
    },
    {},
)
