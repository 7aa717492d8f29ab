"""What the numbers of a record can be, field by field: a record from elsewhere is not believed (`invariants.py`)."""

from typing import Final

import numpy as np

from ....core.ranges import Range, Ranges, ranges_for
from .actions import MAX_COUNT, NUM_ACTIONS
from .card_ids import CARD_CAPACITY, NUM_CARDS, QUEST_CAPACITY
from .cards import COPIES, QUESTS
from .decks import PLAYABLE
from .frames import COLUMNS
from .ids import (
    KIND_CAPACITY,
    MAX_SEATS,
    NONE,
    NUM_AGES,
    NUM_DECISIONS,
    NUM_GODS,
    NUM_KINDS,
    NUM_MYSTICS,
    NUM_OUTER,
    NUM_PHASES,
    NUM_PROVINCES,
    NUM_STATS,
    NUM_STEPS,
    NUM_TOKENS,
    NUM_WARRIORS,
)
from .rules.gods_gifts import DRAFTED
from .state import COMPILER, DECK_SIZE, MAX_DECISIONS, MAX_LATE, MAX_QUESTS, MAX_SHOWN, NOTHING

MAX_FIGURES: Final = NUM_WARRIORS + NUM_MYSTICS + NUM_KINDS - 2  # of a clan: one of each other kind
MAX_SCORE: Final = 1_000_000  # glory or Rage: more than a game of MAX_DECISIONS can bring
MAX_TOTAL: Final = 1_000  # STR and cards of a clan in a battle
# The game, a phase, a Blessing for each warrior of the one clan that can have Thor's Domain too, and a battle with
# what happens in it.
DEEPEST: Final = 2 + NUM_WARRIORS + 3

FLAG: Final = (0, 1)
SEAT: Final = (0, MAX_SEATS - 1)
SEAT_OR_NONE: Final = (NONE, MAX_SEATS - 1)
PROVINCE_OR_NONE: Final = (NONE, NUM_PROVINCES - 1)
CARD_OR_NONE: Final = (NONE, NUM_CARDS - 1)
COUNT: Final = (0, MAX_COUNT)
COPIES_OF_A_CARD: Final = (0, int(COPIES.sum(axis=(0, 2)).max()))
CARDS_IN_HAND: Final = (0, DECK_SIZE)

# The least and the greatest number of each field; of the stack `COLUMNS` has them.
FIELDS: Final[dict[str, Range]] = {
    "num_players": (2, MAX_SEATS),
    "first_game": FLAG,
    "skip_forced": FLAG,
    "sets": (0, PLAYABLE),
    "age": (0, NUM_AGES - 1),
    "phase": (0, NUM_PHASES - 1),
    "first_player": SEAT,
    "over": FLAG,
    "truncated": FLAG,
    "decisions": (0, MAX_DECISIONS),
    "decision": (0, NUM_DECISIONS - 1),
    "seat": SEAT_OR_NONE,
    "about_place": PROVINCE_OR_NONE,
    "about_card": CARD_OR_NONE,
    "about_kind": (NONE, NUM_KINDS - 1),
    "low": COUNT,
    "high": COUNT,
    "stats": (0, 2**NUM_STATS - 1),
    "kinds": (0, 2**NUM_KINDS - 1),
    "escape": FLAG,
    "num_legal": (0, NUM_ACTIONS),
    "mask": FLAG,
    "stat_step": (0, NUM_STEPS - 1),
    "rage": (0, MAX_SCORE),
    "glory": (0, MAX_SCORE),
    "glory_from": (-MAX_SCORE, MAX_SCORE),
    "passed": FLAG,
    "upgrades": CARD_OR_NONE,
    "figures": (0, NUM_WARRIORS),
    "on_board": (0, MAX_FIGURES),
    "occupied": (0, MAX_SEATS * MAX_FIGURES),
    "token": (0, NUM_TOKENS - 1),
    "pillaged": FLAG,
    "destroyed": FLAG,
    "ragnarok": (0, NUM_OUTER - 1),
    "barred": FLAG,
    "gods": (NONE, NUM_GODS - 1),
    "god_in": (NONE, NUM_GODS - 1),
    "god_tokens": (NONE, NUM_OUTER - 1),
    "deck": CARD_OR_NONE,
    "draft_round": (0, DRAFTED),
    "hand": COPIES_OF_A_CARD,
    "hand_size": CARDS_IN_HAND,
    "quests": CARD_OR_NONE,
    "quest_count": (0, MAX_QUESTS),
    "quests_open": FLAG,
    "pending": (NOTHING, NUM_CARDS - 1),
    "discards": COPIES_OF_A_CARD,
    "gone": COPIES_OF_A_CARD,
    "known": COPIES_OF_A_CARD,
    "known_since": (0, MAX_QUESTS),
    "shown": CARD_OR_NONE,
    "shown_count": (0, MAX_SHOWN),
    "end_known": COPIES_OF_A_CARD,
    "end_hand": CARDS_IN_HAND,
    "kept": FLAG,
    "battle": FLAG,
    "battle_province": PROVINCE_OR_NONE,
    "pillager": SEAT_OR_NONE,
    "in_battle": FLAG,
    "main": CARD_OR_NONE,
    "late": CARD_OR_NONE,
    "late_count": (0, MAX_LATE),
    "text": CARD_OR_NONE,
    "counted": COUNT,
    "fallen": (0, MAX_FIGURES),
    "attended": FLAG,
    "mystics": (0, NUM_MYSTICS),
    "tide_done": FLAG,
    "total": (0, MAX_TOTAL),
    "winner": SEAT_OR_NONE,
    "thief": SEAT_OR_NONE,
    "march": (0, NUM_WARRIORS),
    "dying": (0, NUM_WARRIORS),
    "depth": (1, DEEPEST),
}

_NO_CARD: Final = np.arange(CARD_CAPACITY) >= NUM_CARDS
_NO_KIND: Final = np.arange(KIND_CAPACITY) >= NUM_KINDS
_RESERVED: Final = {
    **dict.fromkeys(("hand", "gone", "discards", "known", "end_known"), _NO_CARD),
    "known_since": np.arange(QUEST_CAPACITY)[:, None] >= len(QUESTS),
    "figures": _NO_KIND[:, None],
    "march": _NO_KIND,
    "dying": _NO_KIND,
}

RANGES: Final[Ranges] = ranges_for(COMPILER, FIELDS, list(COLUMNS.values()), _RESERVED)
