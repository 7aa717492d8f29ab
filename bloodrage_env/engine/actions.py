"""Action ids: blocks of numbers, the same in every decision. A test walks the table in both directions.

Which block answers which question is said by the `mask_*` functions in `rules/`. Ids never move: append only.
"""

from typing import Final, NamedTuple

import numpy as np

from .card_ids import NUM_CARDS
from .ids import NUM_BOARD, NUM_KINDS, NUM_PROVINCES, NUM_STATS, NUM_WARRIORS


class Block(NamedTuple):
    """One run of action ids: `start` to `start + size`."""

    name: str
    start: int
    size: int
    meaning: str


PASS: Final = 0
YES: Final = 1
NO: Final = 2
SACRIFICE: Final = 3
RAISE_DEAD: Final = 4
STAT: Final = 5
COUNT: Final = STAT + NUM_STATS
MAX_COUNT: Final = NUM_WARRIORS
SLOT: Final = COUNT + MAX_COUNT + 1
SLOTS_OF_A_TYPE: Final = 3
PROVINCE: Final = SLOT + SLOTS_OF_A_TYPE
CARD: Final = PROVINCE + NUM_PROVINCES
FIGURE_AT: Final = CARD + NUM_CARDS
MARCH: Final = FIGURE_AT + NUM_KINDS * NUM_BOARD
NUM_ACTIONS: Final = MARCH + NUM_PROVINCES * (NUM_PROVINCES - 1)

BLOCKS: Final = (
    Block("PASS", PASS, 1, "pass: no more actions in this Age"),
    Block("YES", YES, 1, "do it; in a save: the escape to Yggdrasil"),
    Block("NO", NO, 1, "decline, or no further one"),
    Block("SACRIFICE", SACRIFICE, 1, "action: give up two own figures for a step on a stat"),
    Block("RAISE_DEAD", RAISE_DEAD, 1, "action: invade with a figure from Valhalla"),
    Block("STAT", STAT, NUM_STATS, "STAT[stat]: the stat to raise"),
    Block("COUNT", COUNT, MAX_COUNT + 1, "COUNT[n]: n figures, or the value n of a quest in battle"),
    Block("SLOT", SLOT, SLOTS_OF_A_TYPE, "SLOT[n]: the n-th slot of the upgrade's type"),
    Block("PROVINCE", PROVINCE, NUM_PROVINCES, "PROVINCE[p]: pillage it, or move the leader there"),
    Block("CARD", CARD, NUM_CARDS, "CARD[card]: keep, play, commit to, add or take back this card"),
    Block(
        "FIGURE_AT",
        FIGURE_AT,
        NUM_KINDS * NUM_BOARD,
        "FIGURE_AT[kind, place]: invade there with this kind, or choose the figure of this kind that stands there",
    ),
    Block(
        "MARCH",
        MARCH,
        NUM_PROVINCES * (NUM_PROVINCES - 1),
        "MARCH[from, to]: march between two provinces; how many of each kind is asked next",
    ),
)

# The two provinces of each MARCH id, and back.
MARCH_FROM = np.array([p for p in range(NUM_PROVINCES) for q in range(NUM_PROVINCES) if p != q], dtype=np.int64)
MARCH_TO = np.array([q for p in range(NUM_PROVINCES) for q in range(NUM_PROVINCES) if p != q], dtype=np.int64)
MARCH_ID = np.full((NUM_PROVINCES, NUM_PROVINCES), -1, dtype=np.int64)
MARCH_ID[MARCH_FROM, MARCH_TO] = MARCH + np.arange(len(MARCH_FROM))


def figure_at(kind: int, place: int) -> int:
    """The id of FIGURE_AT[kind, place]."""
    return FIGURE_AT + int(kind) * NUM_BOARD + int(place)
