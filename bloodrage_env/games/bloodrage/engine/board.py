"""The map: adjacency, villages, fjords, regions and the fixed tracks (rules 1.1 to 1.6, 2.3, 3.5)."""

import numpy as np

from .ids import (
    NONE,
    NUM_BOARD,
    NUM_MYSTICS,
    NUM_OUTER,
    NUM_PROVINCES,
    NUM_SLOTS,
    NUM_WARRIORS,
    Place,
    Region,
    Slot,
    Token,
)

UNLIMITED = 99  # Yggdrasil and the fjords have no limit of figures (rules 1.2, 1.3)

VILLAGES = np.array([4, 5, 5, 4, 3, 3, 5, 3] + [UNLIMITED] * (NUM_BOARD - NUM_OUTER), dtype=np.int64)

REGION = np.array(
    [
        Region.MANHEIM,
        Region.MANHEIM,
        Region.JOTUNHEIM,
        Region.JOTUNHEIM,
        Region.JOTUNHEIM,
        Region.ALFHEIM,
        Region.ALFHEIM,
        Region.MANHEIM,
        Region.YGGDRASIL,
    ],
    dtype=np.int64,
)

# The fjord that supports each province; Yggdrasil has none and refers to itself, so that a sum over
# "the province and its fjord" needs no special case beside `has_fjord` (rules 1.3).
FJORD_OF = np.array([9, 9, 10, 10, 11, 11, 12, 12, Place.YGGDRASIL], dtype=np.int64)

ADJACENT = np.zeros((NUM_PROVINCES, NUM_PROVINCES), dtype=np.bool_)
for _p in range(NUM_OUTER):
    ADJACENT[_p, (_p + 1) % NUM_OUTER] = ADJACENT[(_p + 1) % NUM_OUTER, _p] = True
    ADJACENT[_p, Place.YGGDRASIL] = ADJACENT[Place.YGGDRASIL, _p] = True

# Stat tracks, by stat and step (rules 1.5), and what a step is worth at the end of the game.
STAT_VALUE = np.array([[6, 7, 8, 9, 12, 12], [3, 4, 5, 6, 8, 8], [4, 5, 6, 7, 10, 10]], dtype=np.int64)
STAT_BONUS = np.array([0, 0, 0, 10, 10, 20], dtype=np.int64)

OUTER_TOKENS = np.array([Token.RAGE] * 3 + [Token.AXES] * 2 + [Token.HORNS] * 2 + [Token.GLORY], dtype=np.int64)
TOKEN_GLORY = 5

RAGNAROK_GLORY = np.array([2, 3, 4], dtype=np.int64)  # per figure, by Age (rules 3.5)
DESTROYED_AT_START = np.array([0, 0, 3, 2, 1, 0], dtype=np.int64)  # by number of players (rules 2.3, 6.4.2.2)

# The slots of a clan sheet by card type: the first one and how many (rules 1.4).
FIRST_SLOT = np.array([-1, -1, Slot.LEADER, Slot.WARRIOR, Slot.SHIP, Slot.MONSTER_1, Slot.CLAN_1], dtype=np.int64)
SLOTS_OF = np.array([0, 0, 1, 1, 1, 2, 3], dtype=np.int64)

# The slot of the card that upgrades or brings a kind of figure (NONE: there is none), and back.
SLOT_OF_KIND = np.array([Slot.LEADER, Slot.WARRIOR, Slot.SHIP, Slot.MONSTER_1, Slot.MONSTER_2, NONE], dtype=np.int64)
KIND_OF_SLOT = np.full(NUM_SLOTS, NONE, dtype=np.int64)
KIND_OF_SLOT[SLOT_OF_KIND[SLOT_OF_KIND != NONE]] = np.flatnonzero(SLOT_OF_KIND != NONE)

# By kind: the type of that card.
TYPE_OF_SLOT = np.repeat(np.arange(len(SLOTS_OF)), SLOTS_OF)
TYPE_OF_KIND = np.where(SLOT_OF_KIND == NONE, NONE, TYPE_OF_SLOT[SLOT_OF_KIND])

# By kind: how many figures a clan has, with all its upgrades; how many it begins with; and their STR before any upgrade
# (rules 1.4).
MOST_OF_KIND = np.array([1, NUM_WARRIORS, 1, 1, 1, NUM_MYSTICS], dtype=np.int64)
FIGURES_AT_START = np.array([1, NUM_WARRIORS, 1, 0, 0, 0], dtype=np.int64)
PLAIN_STRENGTH = np.array([3, 1, 2, 0, 0, 2], dtype=np.int64)
