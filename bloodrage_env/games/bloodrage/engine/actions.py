"""Action ids: blocks of numbers, the same in every decision. A test walks the table in both directions.

Which block answers which question is said by the `mask_*` functions in `rules/`. Ids never move: cards and
figure kinds have positions reserved, and new blocks go to the end.
"""

from typing import Final

import numpy as np

from ....core.engine.tables import block, blocks, labels, length, members, numbered, pairs, starts
from .card_ids import CARD_CAPACITY, Card
from .ids import KIND_CAPACITY, NUM_BOARD, NUM_PROVINCES, NUM_WARRIORS, Figure, Place, Stat

MAX_COUNT: Final = NUM_WARRIORS
SLOTS_OF_A_TYPE: Final = 3

_PROVINCES: Final = members(Place)[:NUM_PROVINCES]
_MARCHES: Final = [(p, q) for p in range(NUM_PROVINCES) for q in range(NUM_PROVINCES) if p != q]

BLOCKS: Final = blocks(
    block("PASS", numbered(1), "pass: no more actions in this Age"),
    block("YES", numbered(1), "do it; in a save: the escape to Yggdrasil"),
    block("NO", numbered(1), "decline, or no further one"),
    block("SACRIFICE", numbered(1), "action: give up two own figures for a step on a stat"),
    block("RAISE_DEAD", numbered(1), "action: invade with a figure from Valhalla"),
    block("STAT", members(Stat), "the stat to raise", {"stat": "stat"}),
    block("COUNT", numbered(MAX_COUNT + 1), "so many figures, or the value of a quest in battle", {"count": "count"}),
    block("SLOT", numbered(SLOTS_OF_A_TYPE), "which slot of the upgrade's type", {"slot": "slot"}),
    block("PROVINCE", _PROVINCES, "pillage it, or move a leader, a Mystic or a god there", {"province": "place"}),
    block("CARD", members(Card, CARD_CAPACITY), "keep, play, commit to, add or take back this card", {"card": "card"}),
    block(
        "FIGURE_AT",
        pairs(members(Figure, KIND_CAPACITY), members(Place)[:NUM_BOARD]),
        "invade there with this figure, or choose the one of this kind that stands there",
        {"figure": "kind", "place": "place"},
    ),
    block(
        "MARCH",
        labels(f"{_PROVINCES[p]}, {_PROVINCES[q]}" for p, q in _MARCHES),
        "march between two provinces; how many of each kind is asked next",
        {"from": "place", "to": "place"},
    ),
)
NUM_ACTIONS: Final = length(BLOCKS)
PASS, YES, NO, SACRIFICE, RAISE_DEAD, STAT, COUNT, SLOT, PROVINCE, CARD, FIGURE_AT, MARCH = starts(BLOCKS).values()

# The two provinces of each MARCH id, and back.
MARCH_FROM, MARCH_TO = np.array(_MARCHES, dtype=np.int64).T.copy()
MARCH_ID = np.full((NUM_PROVINCES, NUM_PROVINCES), -1, dtype=np.int64)
MARCH_ID[MARCH_FROM, MARCH_TO] = MARCH + np.arange(len(MARCH_FROM))


def figure_at(kind: int, place: int) -> int:
    """The id of FIGURE_AT[kind, place]."""
    return FIGURE_AT + int(kind) * NUM_BOARD + int(place)
