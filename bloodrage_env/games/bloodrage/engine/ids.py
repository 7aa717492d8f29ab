"""Every name that is a number: places, figures, stats, slots, phases, decisions (rules 1).

Nothing here knows a rule. The order of each enumeration is part of the saved format: append, never reorder.
"""

from enum import IntEnum
from typing import Final

MIN_SEATS: Final = 2
MAX_SEATS: Final = 5
NUM_AGES: Final = 3
NONE: Final = -1  # "no card", "no seat", "no province"


class Option(IntEnum):
    """The options of a game, as columns of the array `options` that batches of games are given."""

    NUM_PLAYERS = 0
    FIRST_GAME = 1
    SKIP_FORCED = 2
    SETS = 3  # bits, `1 << CardSet`


NUM_OPTIONS: Final = len(Option)


class Place(IntEnum):
    """Where a figure can be: nine provinces, four fjords, reserve, Valhalla (rules 1.1, 1.3, 1.4)."""

    ELVAGAR = 0
    ANGERBODA = 1
    MUSPELHEIM = 2
    HORGR = 3
    UTGARD = 4
    ANDLANG = 5
    GIMLE = 6
    MYRKULOR = 7
    YGGDRASIL = 8
    FJORD_ELVAGAR_ANGERBODA = 9
    FJORD_MUSPELHEIM_HORGR = 10
    FJORD_UTGARD_ANDLANG = 11
    FJORD_GIMLE_MYRKULOR = 12
    RESERVE = 13
    VALHALLA = 14


NUM_OUTER: Final = 8  # the outer provinces are places 0 to 7, clockwise
NUM_PROVINCES: Final = 9  # with Yggdrasil
NUM_FJORDS: Final = 4
FIRST_FJORD: Final = 9
NUM_BOARD: Final = 13  # provinces and fjords
NUM_PLACES: Final = 15


class Region(IntEnum):
    """The three regions; Yggdrasil is its own (rules 1.1)."""

    MANHEIM = 0
    JOTUNHEIM = 1
    ALFHEIM = 2
    YGGDRASIL = 3


class Figure(IntEnum):
    """The kinds of piece of a clan. What a figure counts as: `hooks/figures.py`."""

    LEADER = 0
    WARRIOR = 1
    SHIP = 2
    MONSTER_1 = 3
    MONSTER_2 = 4
    MYSTIC = 5


NUM_KINDS: Final = 6
KIND_CAPACITY: Final = 8  # positions that ids, records and observations reserve for kinds
NUM_WARRIORS: Final = 8
NUM_MYSTICS: Final = 2  # of a clan, in the supply at first (rules 6.4.4.1)


class Stat(IntEnum):
    """The three stats of a clan sheet (rules 1.5)."""

    RAGE = 0
    AXES = 1
    HORNS = 2


NUM_STATS: Final = 3
NUM_STEPS: Final = 6


class Token(IntEnum):
    """Pillage tokens; the first three are a step on the stat of the same number (rules 1.6, 4.8)."""

    RAGE = 0
    AXES = 1
    HORNS = 2
    GLORY = 3
    ALL_STATS = 4


NUM_TOKENS: Final = 5


class Slot(IntEnum):
    """Upgrade slots of a clan sheet (rules 1.4)."""

    LEADER = 0
    WARRIOR = 1
    SHIP = 2
    MONSTER_1 = 3
    MONSTER_2 = 4
    CLAN_1 = 5
    CLAN_2 = 6
    CLAN_3 = 7


NUM_SLOTS: Final = 8


class CardType(IntEnum):
    """What a card is. The five upgrade types come last (rules 3.2.7)."""

    BATTLE = 0
    QUEST = 1
    LEADER = 2
    WARRIOR = 3
    SHIP = 4
    MONSTER = 5
    CLAN = 6


class CardSet(IntEnum):
    """The sets of cards (rules 6.4.1.1). A game's field `sets` has the bit `1 << CardSet` for each one beside BASE."""

    BASE = 0
    P5 = 1  # the fifth clan
    KS = 2  # the Kickstarter monsters
    MYSTICS = 3
    GODS = 4


NUM_SETS: Final = 5
# The field `sets` with all that can be played.
PLAYABLE: Final = 1 << CardSet.P5 | 1 << CardSet.KS | 1 << CardSet.MYSTICS | 1 << CardSet.GODS


class God(IntEnum):
    """The gods of the set GODS; two of them are in a game, each in one province at most (rules 6.4.5)."""

    ODIN = 0
    THOR = 1
    TYR = 2
    HEIMDALL = 3
    FRIGGA = 4
    LOKI = 5


NUM_GODS: Final = 6
GODS_IN_GAME: Final = 2


class Phase(IntEnum):
    """The six phases of an Age and what follows the third one (rules 3, 5)."""

    GODS_GIFTS = 0
    ACTION = 1
    DISCARD = 2
    QUEST = 3
    RAGNAROK = 4
    VALHALLA = 5
    OVER = 6


NUM_PHASES: Final = 7


class Source(IntEnum):
    """Where glory came from."""

    BATTLE = 0  # the Axes of a won battle (rules 4.7)
    PILLAGE = 1  # five-glory tokens
    QUEST = 2
    RAGNAROK = 3
    RELEASE = 4  # cards that pay when Valhalla releases
    BATTLE_CARDS = 5
    UPGRADES = 6
    END_BONUS = 7  # stats on step 4 or higher (rules 1.5)
    GODS = 8  # Thor, and Loki who turns the Axes round (rules 6.4.5.9, 6.4.5.14)


NUM_SOURCES: Final = 9


class Cause(IntEnum):
    """Why figures are destroyed: decides about saves, escapes and glory (rules 6.3.8 to 6.3.12)."""

    CARD = 0  # Odin's Smite, in a battle
    TIDE = 1  # Odin's Tide, in a battle
    DEFEAT = 2  # a battle was lost
    ARRIVAL = 3  # Troll, Fire Giant, a Mystic of Odin's Chosen
    RAGNAROK = 4
    SACRIFICE = 5  # by the owner


class Purpose(IntEnum):
    """What STR is compared for."""

    BATTLE = 0  # rules 4.3, 4.6
    QUEST = 1  # rules 3.4


class Decision(IntEnum):
    """The kinds of question that the engine asks a seat."""

    NONE = 0
    DRAFT = 1  # keep a card of the pack
    ACTION = 2  # the action of a turn, or pass
    MARCH = 3  # how many figures of one kind go
    SLOT = 4  # which slot the upgrade takes
    FREE_INVADE = 5  # invade for free after an upgrade
    RAISE_DEAD = 6  # the figure of Valhalla that invades, and where
    SACRIFICE = 7  # an own figure to give up
    SUCCOR = 8  # a warrior follows
    FREE_PILLAGE = 9  # pay for a pillage right after an Invade
    CALL = 10  # join the battle with a figure
    BATTLE_CARD = 11  # the card to play face down
    COUNT_QUEST = 12  # what a revealed quest counts
    KEEP_FIGURE = 13  # the one figure that the tide leaves
    SAVE = 14  # how many figures to save, or an escape
    LATE_CARD = 15  # add a card after the reveal
    BUY_BACK = 16  # a card to take back into the hand
    STAT = 17  # the stat to raise
    LEADER_MOVE = 18  # where a leader goes after a pillage, and which of two
    BLESSING = 19  # a warrior invades after a lost battle
    KEEP_CARD = 20  # the card kept for the next Age
    WITHDRAW = 21  # where a Mystic goes instead of being destroyed
    VICTIM = 22  # whose village a Mystic takes
    GOD_MOVE = 23  # where the god of a province goes after its pillage


NUM_DECISIONS: Final = 24


class Routine(IntEnum):
    """The routines, by chapter."""

    GAME = 0
    GODS_GIFTS = 1
    ACTION_PHASE = 2
    DISCARD_PHASE = 3
    QUEST_PHASE = 4
    RAGNAROK = 5
    INVADE = 6
    FREE_INVADE = 7
    MARCH = 8
    UPGRADE = 9
    SACRIFICE = 10
    PILLAGE = 11
    PILLAGED = 12
    BATTLE = 13
    RESOLUTION = 14
    BLESSING = 15
    DEATHS = 16
    SMITE_AND_TIDE = 17
    BUY_BACK = 18
    TAKE_VILLAGE = 19
