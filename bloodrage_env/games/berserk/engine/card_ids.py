"""Card ids. Ids never move: append only."""

from enum import IntEnum
from typing import Final

from . import own


class Card(IntEnum):
    """The cards; `cards.py` says what each one is and does (rules 1.3)."""

    MARAUDER = 0
    MERCENARY = 1
    KRONDAK = 2
    FORRENDOR_WATCH = 3
    CUTTHROAT = 4
    PALADIN_OF_ALLAMOR = 5
    TEMPLE_WARRIOR = 6
    ARACENT = 7
    BERSERK = 8
    GERMET = 9
    NOMAD = 10
    KSHAR = 11
    FIREMANE = 12
    ACOLYTE_OF_DZAR = 13
    SNAKEHEAD = 14
    ORC = 15
    SANCTORUM = 16
    TOA_DAN_GUARD = 17
    CROSSBOWMAN = 18
    SHIELDBEARER = 19
    DZAR_ARCHER = 20
    INITIATE_OF_DZAR = 21
    ORC_SHOOTER = 22
    FOOT_KNIGHT = 23
    BRONTOBEY = 24
    SKELOS = 25
    ORC_BULLY = 26
    MINOTAUR = 27
    FIRESETTER_GNOME = 28
    GULLY_GNOME = 29
    GNOME_ARCHER = 30
    STORM_MAGE = 31
    MRAZEN = 32
    IRON_GOLEM = 33
    HALL_GUARD = 34
    AXE_MASTER = 35
    FORGE_KEEPER = 36
    BLIZZARD_CHILD = 37
    MOUNTAIN_KEEPER = 38
    BASAARG_GNOME = 39
    BORG = 40
    HAMMERER = 41
    MOUNTAIN_GIANT = 42
    BONECRUSHER = 43
    GOBRAKH = 44
    LORD_OF_LIGHTNING = 45
    ZVAR = 46
    vars().update(own.ids(vars()))


NUM_CARDS: Final = len(Card)
CARD_CAPACITY: Final = 64  # positions that ids, records and observations reserve for cards
DEMON: Final = 62  # the creatures of the Battle for Laar (rules 11.1), which no deck can have
ANGEL: Final = 63
