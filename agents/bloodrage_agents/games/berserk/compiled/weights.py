"""The weights of a style for cards and positions, in crystals: the price of a card and a bit for being on the board."""

from enum import IntEnum
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..mode import ABILITIES, COST, LIFE, MOVEMENT, Act, Attack, Part

Column: TypeAlias = npt.NDArray[np.int64]  # a number for each card

STYLES = ("rush", "hold")
NUM_STYLES = len(STYLES)


class Weight(IntEnum):
    """Columns of `WEIGHTS`."""

    ENEMY = 0  # factor on the worth of the enemy's cards
    WOUNDED = 1  # part of a card's worth that its life left decides
    REACH = 2  # an own open card that could act at an enemy
    REACHED = 3  # an own card that an open enemy could act at
    DISTANCE = 4  # each cell between an own card and the enemy next to it
    CENTRE = 5  # each column that an own card stands off the centre
    BUY_MOVEMENT = 6  # a card on offer: each unit of movement
    BUY_STRIKE = 7  # ... each wound of its medium strike
    BUY_LIFE = 8  # ... each life
    BUY_RANGED = 9  # ... an attack from afar
    FRONT = 10  # a card that is placed: each row nearer to the enemy, if it strikes ...
    BACK = 11  # ... and each row farther away, if it attacks from afar


WEIGHTS = np.array(
    [
        # enemy wounded reach reached distance centre  movement strike life ranged  front back
        [1.25, 0.65, 0.50, 0.05, -0.20, -0.02, 0.8, 0.6, 0.05, 0.3, 1.0, 0.4],
        [1.00, 0.75, 0.35, -0.25, -0.03, -0.05, 0.1, 0.2, 0.20, 1.2, 1.0, 1.0],
    ]
)
assert WEIGHTS.shape == (NUM_STYLES, len(Weight))

BASE_WORTH = 2.0
WORTH = COST + BASE_WORTH  # of each card
MEDIUM_STRIKE = ABILITIES[Part.MEDIUM, :, Act.STRIKE]
_FROM_AFAR = (Attack.SHOT, Attack.THROW, Attack.DISCHARGE)
IS_RANGED: Column = np.array([np.isin(kinds, _FROM_AFAR).any() for kinds in ABILITIES[Part.ATTACK]], np.int64)

# What a style thinks of a card on offer: BUY[style, card].
BUY = np.array(
    [
        COST
        + row[Weight.BUY_MOVEMENT] * MOVEMENT
        + row[Weight.BUY_STRIKE] * MEDIUM_STRIKE
        + row[Weight.BUY_LIFE] * LIFE
        + row[Weight.BUY_RANGED] * IS_RANGED
        for row in WEIGHTS
    ]
)
