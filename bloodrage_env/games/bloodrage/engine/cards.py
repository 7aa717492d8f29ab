"""The card table as arrays, one element a card id (rules 1.7; read from `cards.csv`, one row a card); and of the gods,
who are not cards of any deck, what each of them does (`gods.csv`).

The columns `strength` to `goal` are what is printed on a card. The column `effects` of the file holds the plain
numbers of card texts (`win_glory=3`); every name there becomes an array below, zero for the other cards. What can't
be said with a number is a function in `effects/`.
"""

import csv
from enum import IntEnum
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .card_ids import NUM_CARDS, Card
from .ids import MAX_SEATS, NUM_AGES, NUM_SETS, CardSet, CardType, God

Column = npt.NDArray[np.int64]


class Goal(IntEnum):
    """What a quest asks for; the first four are the regions (rules 3.4)."""

    NONE = -1
    MANHEIM = 0
    JOTUNHEIM = 1
    ALFHEIM = 2
    YGGDRASIL = 3
    GLORIOUS_DEATH = 4
    WIDESPREAD = 5


GLORIOUS_DEATH_FIGURES = 4
WIDESPREAD_PROVINCES = 2

with (Path(__file__).parent / "cards.csv").open(newline="", encoding="utf-8") as _file:
    ROWS: list[dict[str, str]] = list(csv.DictReader(_file))
if [row["card"] for row in ROWS] != [card.name for card in Card]:
    raise RuntimeError("cards.csv and card_ids.py name different cards, or in another order")

TITLE: list[str] = [row["title"] for row in ROWS]
TEXT: list[str] = [row["text"] for row in ROWS]
GOD: list[str] = [row["god"] for row in ROWS]

with (Path(__file__).parent / "gods.csv").open(newline="", encoding="utf-8") as _file:
    _gods = list(csv.DictReader(_file))
if [row["god"] for row in _gods] != [god.name for god in God]:
    raise RuntimeError("gods.csv and God name different gods, or in another order")

GOD_TEXT: list[str] = [row["text"] for row in _gods]

SET: Column = np.array([CardSet[row["set"].upper()] for row in ROWS], dtype=np.int64)
TYPE: Column = np.array([CardType[row["type"]] for row in ROWS], dtype=np.int64)
STRENGTH: Column = np.array([int(row["strength"]) for row in ROWS], dtype=np.int64)
PRICE: Column = np.array([int(row["price"]) for row in ROWS], dtype=np.int64)
LATE: Column = np.array([int(row["late"]) for row in ROWS], dtype=np.int64)
QUEST_GLORY: Column = np.array([int(row["glory"]) for row in ROWS], dtype=np.int64)
GOAL: Column = np.array([Goal[row["goal"]] for row in ROWS], dtype=np.int64)
IS_UPGRADE = TYPE >= CardType.LEADER

# The quests, and the position of each among them (-1 for other cards).
QUESTS: Column = np.flatnonzero(TYPE == CardType.QUEST)
QUEST_INDEX: Column = np.full(NUM_CARDS, -1, dtype=np.int64)
QUEST_INDEX[QUESTS] = np.arange(len(QUESTS))

# COPIES[set, players, age, card]: how many of a card a set puts into the deck of an Age (rules 2.4, 6.4.1.2). The
# copies of base cards that only a game of five has belong to the set that the fifth clan comes with (rules 6.4.2).
COPIES = np.zeros((NUM_SETS, MAX_SEATS + 1, NUM_AGES, NUM_CARDS), dtype=np.int64)
for _card, _row in enumerate(ROWS):
    for _entry in _row["decks"].split():
        _age, _min_players = (int(part) for part in _entry.split(":"))
        _set = CardSet.P5 if _min_players == MAX_SEATS else SET[_card]
        COPIES[_set, _min_players:, _age - 1, _card] += 1


def cards_of(sets: int) -> list[int]:
    """The cards of the base game and of these sets (bits, as in a game's field `sets`), in rising order."""
    return [card for card in range(NUM_CARDS) if SET[card] == CardSet.BASE or sets >> int(SET[card]) & 1]


class Effect(IntEnum):
    """The plain numbers of card texts, as they are named in the column `effects` of `cards.csv`."""

    # battle cards (rules 6.1.1, step 10)
    WIN_GLORY = 0
    WIN_RAGE = 1
    WIN_STEP = 2  # a step on a stat of choice
    LOSE_GLORY = 3  # taken from the winner
    LOSE_RAGE = 4
    # after a battle (rules 6.1.1, step 15)
    FALLEN_GLORY = 5  # for each figure of any clan
    ENEMY_FALLEN_GLORY = 6  # for each enemy figure
    SLAUGHTER_GLORY = 7  # once, from two enemy figures on
    # upgrades
    PAIR_STRENGTH = 8  # of two warriors in one province (rules 6.3.15)
    YGGDRASIL_STRENGTH = 9  # may invade it, and has this STR there (rules 6.3.14)
    SHIP_GLORY = 10  # for each own ship destroyed (rules 6.3.12)
    RELEASE_GLORY = 11  # for each figure that Valhalla releases (rules 6.3.18)
    DISCOUNT = 12  # on upgrades (rules 6.3.19)
    QUEST_VALUE = 13  # of a quest in battle (rules 6.2.5)
    RAGNAROK_MORE = 14  # added to the factor of Ragnarok glory, which is 1 (rules 6.3.18)
    QUEST_MORE = 15  # added to the factor of quest glory, which is 1 (rules 6.3.18)
    TOKEN_MORE = 16  # how often more the token is paid (rules 6.3.17)
    PILLAGE_STEP = 17  # leader there at a pillage: a stat of choice (rules 6.3.16)
    PILLAGE_ALL = 18  # all three stats
    PILLAGE_MOVE = 19  # he may move on
    END_GLORY = 20  # for each figure on the board at the end (rules 5)
    RECRUITS = 21  # Mystics that come to the reserve (rules 6.4.4.2)
    EARLY = 22  # a battle card whose text works before totals are compared (rules 6.1.1, steps 6 and 7)


# EFFECTS[effect, card]: zero where a card has no such text.
EFFECTS: npt.NDArray[np.int64] = np.zeros((len(Effect), NUM_CARDS), dtype=np.int64)
for _card, _row in enumerate(ROWS):
    for _item in _row["effects"].split():
        _name, _number = _item.split("=")
        EFFECTS[Effect[_name.upper()], _card] = int(_number)
