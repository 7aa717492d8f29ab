"""Card ids: one for each face, those of the base game first, then those of the other sets (rules 1.7, 6.4).

A quest has a face for each Age, since its glory is that of its own Age. Ids never move: append only.
"""

from enum import IntEnum
from typing import Final


class Card(IntEnum):
    """A card face, of whatever set. The arrays of `cards.py` say what each one is and does."""

    FRIGGAS_GRACE = 0
    HEIMDALLS_SIGHT = 1
    HEIMDALLS_EYE = 2
    HEIMDALLS_WATCH = 3
    HEIMDALLS_GAZE = 4
    LOKIS_TRICKERY = 5
    LOKIS_BACKSTAB = 6
    LOKIS_POISON = 7
    ODINS_SMITE = 8
    ODINS_TIDE = 9
    ODINS_JUDGEMENT = 10
    THORS_HAMMER = 11
    THORS_OATH = 12
    THORS_ASCENSION = 13
    THORS_PRIMACY = 14
    TYRS_BASH = 15
    TYRS_SMASH = 16
    TYRS_SMITE = 17
    TYRS_CRUSH = 18
    TYRS_RAGE = 19
    ALFHEIM_1 = 20
    ALFHEIM_2 = 21
    ALFHEIM_3 = 22
    GLORIOUS_DEATH_1 = 23
    GLORIOUS_DEATH_2 = 24
    GLORIOUS_DEATH_3 = 25
    JOTUNHEIM_1 = 26
    JOTUNHEIM_2 = 27
    JOTUNHEIM_3 = 28
    MANHEIM_1 = 29
    MANHEIM_2 = 30
    MANHEIM_3 = 31
    YGGDRASIL_1 = 32
    YGGDRASIL_2 = 33
    YGGDRASIL_3 = 34
    LORD_OF_HAMMERS = 35
    LORD_OF_AXES = 36
    LORD_OF_SPEARS = 37
    BROTHERS_IN_ARMS = 38
    EXPERTS_IN_ARMS = 39
    MASTERS_IN_ARMS = 40
    LOKIS_DRAGONS = 41
    FIRE_DRAGONS = 42
    ETERNAL_DRAGONS = 43
    DWARF_CHIEFTAIN = 44
    TROLL = 45
    SEA_SERPENT = 46
    DARK_ELF = 47
    VALKYRIE = 48
    FIRE_GIANT = 49
    FROST_GIANT = 50
    SOLDIER_OF_HEL = 51
    VOLUR_WITCH = 52
    FRIGGAS_CHARM = 53
    FRIGGAS_SUCCOR = 54
    FRIGGAS_PROTECTION = 55
    FRIGGAS_DOMAIN = 56
    FRIGGAS_SACRIFICE = 57
    LOKIS_DOMAIN = 58
    LOKIS_BLESSING = 59
    LOKIS_EMINENCE = 60
    LOKIS_WRATH = 61
    ODINS_INSPIRATION = 62
    ODINS_THRONE = 63
    THORS_GLORY = 64
    THORS_DOMAIN = 65
    THORS_CONQUEST = 66
    TYRS_DOMAIN = 67
    TYRS_CHALLENGE = 68
    TYRS_PROWESS = 69
    TYRS_WRATH = 70

    # p5 (rules 6.4.2)
    TYRS_JUDGEMENT = 71
    WIDESPREAD_1 = 72
    WIDESPREAD_2 = 73
    WIDESPREAD_3 = 74
    # ks (rules 6.4.3)
    FENRIR = 75
    MOUNTAIN_GIANT = 76
    WOLFMAN = 77
    MYSTIC_TROLL = 78
    # mystics (rules 6.4.4)
    FRIGGAS_CHOSEN = 79
    ODINS_CHOSEN = 80
    THORS_CHOSEN = 81


NUM_CARDS: Final = len(Card)
# Positions that ids, records and observations reserve for cards, and for quests alone.
CARD_CAPACITY: Final = 96
QUEST_CAPACITY: Final = 24
