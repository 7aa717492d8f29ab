"""Every name that is a number: phases, questions, routines, kinds of attack, options."""

from enum import IntEnum
from typing import Final

from ....core.engine import record
from ..mode import BEINGS, TEAM

NONE: Final = record.NONE  # no seat, slot, cell or card

LAAR: Final = BEINGS is not None  # the Battle for Laar (rules 11)
NUM_TEAMS: Final = 2
NUM_SEATS: Final = NUM_TEAMS * TEAM
LEAST_PLAYERS: Final = 1 if LAAR else NUM_SEATS
WIDTH: Final = 5  # columns of a player's part of the board
COLUMNS: Final = WIDTH * TEAM
ROWS: Final = 6
NUM_CELLS: Final = ROWS * COLUMNS
HOME_CELLS: Final = ROWS // 2 * WIDTH  # a player's part: the half of the board, in a team battle a quarter
SQUAD: Final = 15  # cards that a squad can have, and places for them in the record
MOST_BOUGHT: Final = SQUAD - LAAR  # cards that a player can buy: the angel takes a slot (rules 11.4)
NUM_SLOTS: Final = NUM_SEATS * SQUAD
DEAL: Final = 15  # cards of the first deal (rules 2.3)
DIE: Final = 6
FARTHEST: Final = DIE - 1  # difference of two dice
MAX_TOKENS: Final = 10  # on any card (rules 7.19)
MAX_TURNS: Final = 200
MIN_DECK: Final = 30
MAX_DECK: Final = 50
MAX_COPIES: Final = 3  # of a name in a deck


WORDS: Final = 2  # of a deck, and of a squad


class Option(IntEnum):
    """The options of a game, as compiled code takes them: a number each, decks and squads in words (`decks.py`)."""

    NUM_PLAYERS = 0
    SKIP_FORCED = 1
    COMBAT = 2
    SETUP = 3
    MAX_TURNS = 4
    DECKS = 5  # WORDS for each seat
    SQUADS = DECKS + NUM_SEATS * WORDS  # the same
    PLACING = SQUADS + NUM_SEATS * WORDS


NUM_OPTIONS: Final = Option.PLACING + 1


class Combat(IntEnum):
    """Which table a fight uses (rules 4.4, 4.10)."""

    BOOK = 0
    DIFFERENCE = 1


class Setup(IntEnum):
    """How a game begins (rules 2, 9.7)."""

    FULL = 0
    FIXED = 1


class Placing(IntEnum):
    """Whether Second sees which cells First has taken when it places its squad (rules 2.5)."""

    IN_TURN = 0
    AT_ONCE = 1


class Phase(IntEnum):
    """What a game goes through."""

    ROLL_OFF = 0
    DEAL = 1
    PURCHASE = 2
    PLACEMENT = 3
    REVEAL = 4
    BATTLE = 5
    OVER = 6


NUM_PHASES: Final = len(Phase)


class Decision(IntEnum):
    """The kinds of question (rules 9.1)."""

    NONE = 0
    SEAT = 1
    KEEP = 2
    BUY = 3
    PLACE = 4
    HIDE = 5
    VALHALLA = 6
    HEAL_FIRST = 7
    MAIN = 8
    TARGET = 9
    TOKENS = 10
    DEFENDER = 11
    REROLL = 12
    PICK_DIE = 13
    WEAKEN = 14
    CLOSE_OR_WOUND = 15
    PUSH = 16
    GO_OR_WOUND = 17
    AGAIN = 18
    VANGUARD = 19


NUM_DECISIONS: Final = len(Decision)


class Routine(IntEnum):
    """The routines, by chapter."""

    GAME = 0
    DEAL = 1
    PURCHASE = 2
    PLACEMENT = 3
    REVEAL = 4
    TURN = 5
    START = 6
    STRIKE = 7
    ABILITY = 8
    VANGUARD = 9


class Dice(IntEnum):
    """The dice that can lie open, in the order of the bits of `rolled`."""

    WHITE = 0
    WHITE_2 = 1
    BLACK = 2
    BLACK_2 = 3
    BLOCK = 4
    STRENGTH = 5


class Element(IntEnum):
    """The element of a card; neutral is none."""

    NEUTRAL = 0
    STEPPE = 1
    MOUNTAIN = 2


NUM_ELEMENTS: Final = len(Element) - 1


class Attack(IntEnum):
    """What a card does to another, or for itself (rules 5.1); the first seven are attacks."""

    SIMPLE = 0
    SPECIAL = 1
    ACROSS = 2
    SHOT = 3
    THROW = 4
    MAGIC_STRIKE = 5
    DISCHARGE = 6
    SPELL = 7
    HEAL = 8  # an influence on a creature
    WOUND = 9  # another
    BONFIRE = 10  # an influence on a free cell
    TOKEN = 11  # an influence: the card gains a token
    DIRECTED = 12  # an influence: the card gains directed
    NOTHING = 13  # no ability


NUM_ATTACKS: Final = len(Attack)


class Force(IntEnum):
    """How hard an attack lands (rules 4.4, 5.3)."""

    MISS = -1
    WEAK = 0
    MEDIUM = 1
    STRONG = 2


# The same as plain numbers, for sums and conditional expressions in compiled code.
MISS, WEAK, MEDIUM, STRONG = (int(force) for force in Force)


class Act(IntEnum):
    """What a card can do in an action: its simple strike, or one of its abilities (rules 9.2)."""

    STRIKE = 0
    ABILITY_1 = 1
    ABILITY_2 = 2
    ABILITY_3 = 3


NUM_ACTS: Final = len(Act)


class Direction(IntEnum):
    """Where a card steps, as its owner sees it (rules 1.1)."""

    FORWARD = 0
    BACK = 1
    LEFT = 2
    RIGHT = 3


NUM_DIRECTIONS: Final = len(Direction)
