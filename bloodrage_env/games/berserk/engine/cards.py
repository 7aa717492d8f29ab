"""The card table as arrays, one element a card id (rules 1.3; read from `cards.csv`, one row a card).

The column `effects` of the file holds what a card's text says as plain numbers (`armour=1`); every name there becomes
an array below, zero for the other cards. The columns `ability_1` to `ability_3` say what it can do for an action: the
kind of attack, the strength (one number, or `weak-medium-strong` for which a die is rolled), and numbers by name.
"""

import csv
from enum import IntEnum
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from ..mode import BEINGS
from . import own
from .being_table import being_rows
from .card_ids import Card
from .ids import NUM_ACTS, NUM_ATTACKS, Act, Attack, Element

Column = npt.NDArray[np.int64]

with (Path(__file__).parent / "cards.csv").open(newline="", encoding="utf-8") as _file:
    ROWS: list[dict[str, str]] = [*csv.DictReader(_file), *own.ROWS]
if [row["card"] for row in ROWS] != [card.name for card in Card]:
    raise RuntimeError("cards.csv and card_ids.py name different cards, or in another order")
if BEINGS is not None:
    ROWS += being_rows(BEINGS, list(ROWS[0]))
NUM_ROWS = len(ROWS)


def _column(name: str) -> Column:
    return np.array([int(row[name]) for row in ROWS], dtype=np.int64)


TITLE: list[str] = [row["title"] for row in ROWS]
TEXT: list[str] = [row["text"] for row in ROWS]
CLASSES: list[str] = [row["classes"] for row in ROWS]
ELEMENT: Column = np.array([Element[row["element"].upper()] for row in ROWS], dtype=np.int64)
ELITE, COST, UNIQUE = _column("elite"), _column("cost"), _column("unique")
LIFE, MOVEMENT = _column("life"), _column("movement")


class Effect(IntEnum):
    """The plain numbers of card texts, as they are named in the column `effects` of `cards.csv`."""

    # recruiting and set-up
    GOLD = 0  # more gold for the purchase
    STEPPE_MOVEMENT = 1  # movement gained at the start of battle, with a steppe creature in the squad
    MOUNTAIN_ARMOUR = 2  # armour gained then, with a mountain creature in the squad
    # keywords
    DIRECTED = 3
    ATTACK_EXPERIENCE = 4
    DEFENCE_EXPERIENCE = 5
    ARMOUR = 6
    REGENERATION = 7
    FORMATION = 8
    PROTECTION_SHOT = 9
    PROTECTION_DISCHARGE = 10
    PROTECTION_SPELL = 11
    PROTECTION_MAGIC = 12
    PROTECTION_POISON = 13
    PROTECTION_WEAK = 14  # from weak simple strikes
    # what formation gives
    FORMATION_REACH = 15  # of a simple strike
    FORMATION_STRIKE = 16  # stronger simple strikes
    FORMATION_WEAK = 17  # stronger weak ones
    FORMATION_STRONG = 18  # stronger strong ones
    FORMATION_ARMOUR = 19
    FORMATION_DEFENCE = 20  # defence experience
    FORMATION_TOKEN = 21  # tokens as the own turn starts
    FORMATION_PROTECTION_THROW = 22
    FORMATION_FROM_SIMPLE = 23  # off simple strikes at it
    FORMATION_FROM_MISSILES = 24  # off shots and throws at it
    PARTNERS_DIRECTED = 25  # with so many partners its simple strike is directed
    ELITE_ARMOUR = 26  # with an elite partner
    COMMON_DEFENCE = 27  # defence experience with a common partner
    # stronger or weaker attacks
    STRIKE_VS_MOUNTAIN = 28  # simple strike
    STRIKES_VS_MOUNTAIN = 29  # simple and special strike, strike across a row
    STRIKE_VS_CLOSED = 30
    STRIKE_VS_DEFENDER = 31  # a named defender
    STRIKE_VS_AHEAD = 32  # the card in the cell ahead
    STRIKE_PER_CELL = 33  # entered this turn
    STRIKE_VS_OPEN_ROW = 34  # the opponent's own first row holds no card of that opponent
    DIRECTED_VS_MOUNTAIN = 35
    DIRECTED_VS_CLOSED = 36
    OUTNUMBERING = 37  # more own than enemy creatures adjacent: directed, and so much attack experience
    STRONG_COUNTER = 38  # simple strikes in the opponent's turn are strong
    FROM_RANGED = 39  # off ranged attacks at it
    ASIDE_FROM_RANGED = 40  # off those at own steppe creatures directly left or right of it
    FROM_DIAGONAL = 41  # off strikes from a card that stands diagonally
    FROM_DIRECTED = 42  # off directed strikes
    COLUMN_RANGE = 43  # more range for own cards in its column
    # in a fight, and afterwards
    TWO_DICE = 44
    BLOCK = 45  # a ranged attack is blocked by a roll of so much or more
    WEAK_POISON = 46  # by a weak simple strike
    POISON = 47  # by a medium or strong one
    CLOSE_OR_WOUND = 48  # simple strike on an open card: it closes or takes so many wounds
    PUSH = 49  # simple strike in the own turn: pushed, or so many wounds
    STRUCK_WOUND = 50  # struck: so many wounds (spell) to the striker
    STRUCK_STRIKE = 51  # struck in melee: a special strike of so much at the adjacent striker
    CLOSING_WOUND = 52  # to an enemy card in its column that closes
    # turns
    FIRE_AHEAD = 53  # wounds to the enemy creature ahead as the own turn starts
    FIRE_IDLE = 54  # more of them if that made no step in its owner's last turn
    VALHALLA = 55  # killed by an enemy card: stronger simple strikes for an own creature, each turn
    MUST_STRIKE = 56  # a closed enemy in reach, if there is one
    TWO_STRIKES = 57  # the first simple strike of a turn doesn't close it
    SECOND_STRIKE = 58  # after the first strike of a turn at once a second, at another card
    MAX_TOKENS = 59  # fewer than any card can hold
    # keywords that no printed card has (rules 12)
    VANGUARD = 60  # an unanswered strike before the first turn
    VULNERABILITY = 61  # attacks inflict so many wounds more
    INCORPOREAL = 62  # healing does nothing
    PROTECTION_THROW = 63
    SHOT_EXPERIENCE = 64  # rerolls of the die of a shot
    THROW_EXPERIENCE = 65
    DISCHARGE_EXPERIENCE = 66
    FLYER = 67  # it is in the additional zone, not on the board
    FORMATION_PROTECTION_POISON = 68
    OPENING_TOKENS = 69  # whenever it opens
    OPENING_HEALING = 70
    # flyers (rules 12.16)
    STRIKES_FLYERS = 71  # its melee attacks reach flyers
    FORMATION_PROTECTION_FLYERS = 72  # from attacks of flyers
    TAKES_WING = 73  # when a flyer dies it is a flyer
    # the Battle for Laar
    STORM = 74  # wounds to every creature as the own turn starts
    HEAL_ALLIES = 75  # simple strike: what each other own creature heals
    # attacks at the card that are reduced to weak, which no printed card has (rules 12.19)
    SIMPLE_TO_WEAK = 76
    SHOT_TO_WEAK = 77
    THROW_TO_WEAK = 78
    DISCHARGE_TO_WEAK = 79
    # what a simple strike marks a card with, which no printed one does (rules 12.22)
    GIVES_VULNERABILITY = 80
    TAKES_SHOT_PROTECTION = 81
    TAKES_POISON_PROTECTION = 82


# EFFECTS[effect, card]: zero where a card has no such text. Bytes, so that all of it stays in the nearest cache.
EFFECTS: npt.NDArray[np.int8] = np.zeros((len(Effect), NUM_ROWS), dtype=np.int8)
for _card, _row in enumerate(ROWS):
    for _item in _row["effects"].split():
        _name, _number = _item.split("=")
        EFFECTS[Effect[_name.upper()], _card] = int(_number)


def in_table(*effects: Effect) -> bool:
    """Whether a card of the table has one of these effects: what no card has is left out of the compiled engine."""
    return bool(EFFECTS[list(effects)].any())


FLYERS: Final = in_table(Effect.FLYER)  # whether there is an additional zone (rules 12.9)
# Whether cards can be marked for the battle (rules 12.22).
MARKS: Final = in_table(Effect.GIVES_VULNERABILITY, Effect.TAKES_SHOT_PROTECTION, Effect.TAKES_POISON_PROTECTION)


def _protected() -> npt.NDArray[np.int64]:
    """Which attacks a card is always protected from; magic is spells, magic strikes and discharges (rules 7.14)."""
    found = np.zeros((NUM_ATTACKS, NUM_ROWS), dtype=np.int64)
    found[Attack.SHOT] = EFFECTS[Effect.PROTECTION_SHOT]
    found[Attack.THROW] = EFFECTS[Effect.PROTECTION_THROW]
    found[Attack.DISCHARGE] = EFFECTS[Effect.PROTECTION_DISCHARGE] | EFFECTS[Effect.PROTECTION_MAGIC]
    found[Attack.MAGIC_STRIKE] = EFFECTS[Effect.PROTECTION_MAGIC]
    found[Attack.SPELL] = EFFECTS[Effect.PROTECTION_SPELL] | EFFECTS[Effect.PROTECTION_MAGIC]
    return found


# PROTECTED[attack, card]: 1 where printed protection makes the attack do nothing.
PROTECTED = _protected()


class Part(IntEnum):
    """The numbers of what a card can do for an action; from RANGE on as `cards.csv` names them."""

    ATTACK = 0  # Attack
    WEAK = 1
    MEDIUM = 2
    STRONG = 3
    ROLLED = 4  # a die is rolled
    RANGE = 5  # UNLIMITED if none is printed
    RANGE_PER_CELL = 6  # entered this turn
    TARGETS = 7  # at most so many, all different
    COST = 8  # tokens
    ANY_COST = 9  # the owner says how many
    PER_TOKEN = 10  # stronger for each token on the card
    PER_PAID = 11  # stronger for each token paid
    GAINS = 12  # tokens gained with it
    LOSES = 13  # tokens that go with it, if they are there
    VS_WOUNDED = 14  # stronger against cards with WOUNDED wounds or more
    VS_COLUMN = 15  # stronger against cards in the own column
    VS_TRAINED = 16  # stronger against cards with experience or armour
    STUNS = 17  # a closed card that lives
    FREE_CELLS = 18  # a wound for each free cell next to the target, at most so many
    VS_FLYER = 19  # stronger against flyers


WOUNDED = 4  # rules 7.8


def _ability(row: dict[str, str], act: int) -> list[int]:
    parts = [0] * len(Part)
    if act == Act.STRIKE:
        parts[Part.ATTACK] = Attack.SIMPLE
        parts[Part.WEAK : Part.STRONG + 1] = [int(row[force]) for force in ("weak", "medium", "strong")]
        return parts
    kind, *words = row[f"ability_{act}"].split() or ["nothing"]
    parts[Part.ATTACK] = Attack[kind.upper()]
    parts[Part.TARGETS] = 1
    for word in words:
        name, _, number = word.rpartition("=")
        if name:
            parts[Part[name.upper()]] = int(number)
        else:
            strengths = [int(each) for each in number.split("-")]
            parts[Part.ROLLED] = int(len(strengths) == 3)
            parts[Part.WEAK : Part.STRONG + 1] = strengths if len(strengths) == 3 else strengths * 3
    return parts


# ABILITIES[part, card, act]
ABILITIES: npt.NDArray[np.int8] = np.ascontiguousarray(
    np.array([[_ability(row, act) for act in range(NUM_ACTS)] for row in ROWS], dtype=np.int8).transpose(2, 0, 1)
)
MOST_TARGETS = int(ABILITIES[Part.TARGETS].max())
