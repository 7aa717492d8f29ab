"""The tables that make a style: its weights, and its value of each card (found as docs/agents/balanced.md says).

All are in glory, or factors of it. `balanced` is the table itself. The other styles differ from it: three by what is
said below, the later ones by a column of `styles.csv` (found as docs/agents/styles.md says). No training may meet the
styles of HELD_OUT: games against them show what a policy makes of opponents that it does not know.
"""

import csv
from enum import IntEnum
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bloodrage_env.games.bloodrage.engine import NUM_CARDS, Card

STYLES = ("battle", "loki", "quest", "balanced", "rusher", "turtle", "hoarder", "hunter")
HELD_OUT = ("turtle", "hoarder", "hunter")
NUM_STYLES = len(STYLES)


class Weight(IntEnum):
    """Columns of `WEIGHTS`."""

    RAGE = 0  # one Rage
    PROSPECT = 1  # factor on the token of a province where a pillage is possible later
    PILLAGE = 2  # factor on what a pillage carried out now brings
    AXES = 3  # factor on the Axes glory of a battle won
    QUEST = 4  # factor on what a quest pays
    DOOM = 5  # factor on the glory of a figure in the doomed province
    DEATH = 6  # factor on what a death in battle pays
    LIFE = 7  # a point of STR that is still on the board in the next Age
    FIGHT = 8  # a point of STR for the rest of this Age, lost with a battle
    DENY = 9  # factor on what an opponent doesn't get
    JOIN = 10  # how likely an opponent next door joins a battle
    SUPPORT = 11  # share of the own figures next door that count for a pillage
    COMMIT = 12  # factor on a quest committed while there is time
    HOLD = 13  # factor on what the last Rage would still have allowed
    KEEP = 14  # share of its value that a battle card loses when it is spent
    BONUS = 15  # factor on the end bonus of a stat (rules 1.5)
    STAT_RAGE = 16  # one more Rage in each Age to come
    STAT_AXES = 17  # one more glory for each battle won
    STAT_HORNS = 18  # one more figure
    UPGRADE = 19  # factor on what an upgrade is worth in play
    GUESS = 20  # how far an opponent is taken to play its best card
    PRESSURE = 21  # how much the Rage left to the others makes control of a province uncertain
    PASS = 22  # an action must be worth this much
    NOISE = 23  # scores are blurred by up to this much
    BATTLE_CARDS = 24  # draft: a battle card when there is none in the hand yet
    CROWD = 25  # draft: factor on a card for each other one that asks for the same
    RUSH = 26  # a Rage that the others could not spend if the phase ended now
    CAUTION = 27  # how much more than its price a battle lost is feared, as a share of it
    GARRISON = 28  # the most STR in a province at the end of the phase, whether or not a quest asks for it
    HUNT = 29  # factor on what the leader in glory loses: a point of STR, what DENY is for others


NUM_WEIGHTS = len(Weight)
NUM_COLUMNS = NUM_WEIGHTS + NUM_CARDS  # the weights, then the card values
COLUMN = {weight.name: int(weight) for weight in Weight} | {card.name: NUM_WEIGHTS + card for card in Card}

_WEIGHTS: dict[Weight, float] = {
    Weight.RAGE: 1.13,
    Weight.PROSPECT: 0.39,
    Weight.PILLAGE: 2.24,
    Weight.AXES: 1.11,
    Weight.QUEST: 0.63,
    Weight.DOOM: 0.66,
    Weight.DEATH: 0.75,
    Weight.LIFE: 0.86,
    Weight.FIGHT: 0.56,
    Weight.DENY: 0.28,
    Weight.JOIN: 0.44,
    Weight.SUPPORT: 0.40,
    Weight.COMMIT: 0.67,
    Weight.HOLD: 0.83,
    Weight.KEEP: 0.39,
    Weight.BONUS: 0.68,
    Weight.STAT_RAGE: 2.01,
    Weight.STAT_AXES: 1.27,
    Weight.STAT_HORNS: 0.88,
    Weight.UPGRADE: 1.58,
    Weight.GUESS: 0.74,
    Weight.PRESSURE: 0.57,
    Weight.PASS: 0.00,
    Weight.NOISE: 0.20,
    Weight.BATTLE_CARDS: 1.81,
    Weight.CROWD: 1.18,
    Weight.RUSH: 0.00,
    Weight.CAUTION: 0.00,
    Weight.GARRISON: 0.00,
    Weight.HUNT: 0.00,
}

# What a card is worth in the hand, its price in Rage already taken off.
_CARDS: dict[Card, float] = {
    Card.FRIGGAS_GRACE: 5.77,
    Card.HEIMDALLS_SIGHT: 3.11,
    Card.HEIMDALLS_EYE: 5.89,
    Card.HEIMDALLS_WATCH: 8.57,
    Card.HEIMDALLS_GAZE: 6.59,
    Card.LOKIS_TRICKERY: 2.48,
    Card.LOKIS_BACKSTAB: 2.20,
    Card.LOKIS_POISON: 1.22,
    Card.ODINS_SMITE: 2.09,
    Card.ODINS_TIDE: 0.43,
    Card.ODINS_JUDGEMENT: 6.34,
    Card.THORS_HAMMER: 2.21,
    Card.THORS_OATH: 2.88,
    Card.THORS_ASCENSION: 2.16,
    Card.THORS_PRIMACY: 4.63,
    Card.TYRS_BASH: 1.23,
    Card.TYRS_SMASH: 5.14,
    Card.TYRS_SMITE: 7.89,
    Card.TYRS_CRUSH: 7.09,
    Card.TYRS_RAGE: 8.80,
    Card.ALFHEIM_1: 4.67,
    Card.ALFHEIM_2: 6.15,
    Card.ALFHEIM_3: 7.85,
    Card.GLORIOUS_DEATH_1: 1.29,
    Card.GLORIOUS_DEATH_2: 2.48,
    Card.GLORIOUS_DEATH_3: 3.08,
    Card.JOTUNHEIM_1: 3.12,
    Card.JOTUNHEIM_2: 4.20,
    Card.JOTUNHEIM_3: 6.97,
    Card.MANHEIM_1: 3.19,
    Card.MANHEIM_2: 6.30,
    Card.MANHEIM_3: 5.74,
    Card.YGGDRASIL_1: 5.21,
    Card.YGGDRASIL_2: 7.52,
    Card.YGGDRASIL_3: 8.71,
    Card.LORD_OF_HAMMERS: 0.72,
    Card.LORD_OF_AXES: 3.47,
    Card.LORD_OF_SPEARS: 5.58,
    Card.BROTHERS_IN_ARMS: 3.49,
    Card.EXPERTS_IN_ARMS: 4.13,
    Card.MASTERS_IN_ARMS: 3.79,
    Card.LOKIS_DRAGONS: 3.35,
    Card.FIRE_DRAGONS: 8.29,
    Card.ETERNAL_DRAGONS: 9.12,
    Card.DWARF_CHIEFTAIN: 8.48,
    Card.TROLL: 4.57,
    Card.SEA_SERPENT: 2.95,
    Card.DARK_ELF: 4.12,
    Card.VALKYRIE: 3.45,
    Card.FIRE_GIANT: 5.89,
    Card.FROST_GIANT: 2.47,
    Card.SOLDIER_OF_HEL: 5.55,
    Card.VOLUR_WITCH: 0.85,
    Card.FRIGGAS_CHARM: 4.66,
    Card.FRIGGAS_SUCCOR: 9.22,
    Card.FRIGGAS_PROTECTION: 2.72,
    Card.FRIGGAS_DOMAIN: 4.63,
    Card.FRIGGAS_SACRIFICE: 1.19,
    Card.LOKIS_DOMAIN: 4.86,
    Card.LOKIS_BLESSING: 7.94,
    Card.LOKIS_EMINENCE: 8.58,
    Card.LOKIS_WRATH: 7.85,
    Card.ODINS_INSPIRATION: 6.99,
    Card.ODINS_THRONE: 7.03,
    Card.THORS_GLORY: 1.02,
    Card.THORS_DOMAIN: -0.25,
    Card.THORS_CONQUEST: 5.32,
    Card.TYRS_DOMAIN: 3.96,
    Card.TYRS_CHALLENGE: 1.05,
    Card.TYRS_PROWESS: 2.79,
    Card.TYRS_WRATH: 1.85,
    # of the other sets: estimates, by what is like them
    Card.TYRS_JUDGEMENT: 11.00,
    Card.WIDESPREAD_1: 4.00,
    Card.WIDESPREAD_2: 6.00,
    Card.WIDESPREAD_3: 9.00,
    Card.FENRIR: 3.00,
    Card.MOUNTAIN_GIANT: 6.00,
    Card.WOLFMAN: 4.00,
    Card.MYSTIC_TROLL: 3.50,
    Card.FRIGGAS_CHOSEN: 7.00,
    Card.ODINS_CHOSEN: 7.00,
    Card.THORS_CHOSEN: 8.00,
}

# Where a style has a weight of its own, and how much more (or less) some cards are worth to it.
_LEANINGS: dict[str, dict[Weight, float]] = {
    "battle": {
        Weight.PILLAGE: 2.46,
        Weight.AXES: 1.35,
        Weight.STAT_AXES: 1.90,
        Weight.BATTLE_CARDS: 2.29,
    },
    "loki": {
        Weight.DOOM: 0.77,
        Weight.DEATH: 0.89,
        Weight.FIGHT: 0.37,
        Weight.STAT_HORNS: 1.24,
    },
    "quest": {
        Weight.QUEST: 0.82,
        Weight.COMMIT: 0.83,
    },
}
_FONDNESS: dict[str, dict[Card, float]] = {
    "battle": {
        Card.TYRS_SMITE: 0.60,
        Card.TYRS_RAGE: 0.60,
        Card.TROLL: 1.20,
        Card.VALKYRIE: 1.20,
        Card.THORS_GLORY: 1.80,
        Card.THORS_CHOSEN: 1.80,
    },
    "loki": {
        Card.LOKIS_TRICKERY: 0.45,
        Card.LOKIS_BACKSTAB: 0.90,
        Card.GLORIOUS_DEATH_1: 1.35,
        Card.GLORIOUS_DEATH_2: 1.80,
        Card.GLORIOUS_DEATH_3: 1.80,
        Card.LOKIS_DRAGONS: 0.90,
        Card.FIRE_DRAGONS: 0.90,
        Card.ETERNAL_DRAGONS: 0.90,
        Card.LOKIS_DOMAIN: 1.35,
        Card.LOKIS_BLESSING: 0.90,
        Card.LOKIS_EMINENCE: 1.80,
        Card.LOKIS_WRATH: 1.80,
        Card.ODINS_INSPIRATION: 1.35,
    },
    "quest": {
        Card.ALFHEIM_1: 1.05,
        Card.ALFHEIM_2: 1.05,
        Card.ALFHEIM_3: 1.05,
        Card.GLORIOUS_DEATH_1: 1.05,
        Card.GLORIOUS_DEATH_2: 1.05,
        Card.GLORIOUS_DEATH_3: 1.05,
        Card.JOTUNHEIM_1: 1.05,
        Card.JOTUNHEIM_2: 1.05,
        Card.JOTUNHEIM_3: 1.05,
        Card.MANHEIM_1: 1.05,
        Card.MANHEIM_2: 1.05,
        Card.MANHEIM_3: 1.05,
        Card.YGGDRASIL_1: 1.05,
        Card.YGGDRASIL_2: 1.05,
        Card.YGGDRASIL_3: 1.05,
        Card.WIDESPREAD_1: 1.05,
        Card.WIDESPREAD_2: 1.05,
        Card.WIDESPREAD_3: 1.05,
        Card.ODINS_THRONE: 2.80,
        Card.TYRS_DOMAIN: 1.40,
        Card.TYRS_WRATH: 0.70,
    },
}

with (Path(__file__).parent / "styles.csv").open(newline="", encoding="utf-8") as _file:
    _TUNED = list(csv.DictReader(_file))  # a row for each weight and each card of the base game


def table() -> npt.NDArray[np.float32]:
    """float32[NUM_STYLES, NUM_COLUMNS]: the weights of each style, then what it thinks of each card."""
    rows = np.zeros((NUM_STYLES, NUM_COLUMNS), dtype=np.float32)
    for row, style in zip(rows, STYLES, strict=True):
        for weight, value in (_WEIGHTS | _LEANINGS.get(style, {})).items():
            row[weight] = value
        for card, value in _CARDS.items():
            row[NUM_WEIGHTS + card] = value + _FONDNESS.get(style, {}).get(card, 0.0)
        for tuned in _TUNED:
            if style in tuned:
                row[COLUMN[tuned["name"]]] = float(tuned[style])
    return rows


TABLE = table()
