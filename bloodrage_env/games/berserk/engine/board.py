"""The board: cells as bits, who is near whom (rules 1.1, 1.2).

A set of cells is an integer with the bit `1 << cell` for each of them.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from ..shape import TEAM
from .ids import COLUMNS, NUM_CELLS, NUM_DIRECTIONS, NUM_TEAMS, ROWS, WIDTH, Direction

Bits = npt.NDArray[np.int64]

ALL_CELLS: Final = (1 << NUM_CELLS) - 1
OFF_BOARD: Final = -1
FAR: Final = max(ROWS, COLUMNS)  # further than any two cells are
UNLIMITED: Final = 0  # the range of an attack that has none printed

ROW_OF = np.arange(NUM_CELLS, dtype=np.int64) // COLUMNS
COLUMN_OF = np.arange(NUM_CELLS, dtype=np.int64) % COLUMNS


def _bits(cells: npt.NDArray[np.bool_]) -> int:
    return sum(1 << int(cell) for cell in cells.nonzero()[0])


_rows = np.abs(ROW_OF[:, None] - ROW_OF)
_columns = np.abs(COLUMN_OF[:, None] - COLUMN_OF)

# DISTANCE[a, b] (rules 1.2).
DISTANCE: Final = np.maximum(_rows, _columns)

# WITHIN[d, cell]: the cells at distance 1 to d; NEAR[cell]: the adjacent ones; BESIDE[cell]: those not diagonally so.
WITHIN: Final[Bits] = np.array(
    [[_bits((row > 0) & (row <= d)) for row in DISTANCE] for d in range(FAR + 1)], dtype=np.int64
)
NEAR: Final[Bits] = WITHIN[1].copy()
BESIDE: Final[Bits] = np.array([_bits(row == 1) for row in _rows + _columns], dtype=np.int64)

# DIAGONAL[a, b]: they stand diagonally to each other, at whatever distance.
DIAGONAL: Final = ((_rows == _columns) & (_rows > 0)).astype(np.int64)

# IN_COLUMN[cell]: all cells of its column.
IN_COLUMN: Final[Bits] = np.array([_bits(column == COLUMN_OF) for column in COLUMN_OF], dtype=np.int64)

_ROW_STEP: Final = {Direction.FORWARD: 1, Direction.BACK: -1}
_COLUMN_STEP: Final = {Direction.LEFT: -1, Direction.RIGHT: 1}


def _from(cell: int, rows: int, columns: int) -> int:
    """The cell so many rows and columns on, or OFF_BOARD."""
    row, column = int(ROW_OF[cell]) + rows, int(COLUMN_OF[cell]) + columns
    return row * COLUMNS + column if 0 <= row < ROWS and 0 <= column < COLUMNS else OFF_BOARD


# STEP[side, direction, cell]: the cell one step on; side 0 is First, 1 is Second, who sees the board turned.
STEP: Final = np.array(
    [
        [
            [
                _from(cell, sign * _ROW_STEP.get(direction, 0), sign * _COLUMN_STEP.get(direction, 0))
                for cell in range(NUM_CELLS)
            ]
            for direction in Direction
        ]
        for sign in (1, -1)
    ],
    dtype=np.int64,
)
assert STEP.shape == (NUM_TEAMS, NUM_DIRECTIONS, NUM_CELLS)

# BEHIND[a, b]: the cell one on in the line from a to b, or OFF_BOARD; a push goes there (rules 7.28).
BEHIND: Final = np.array(
    [
        [
            _from(b, int(np.sign(ROW_OF[b] - ROW_OF[a])), int(np.sign(COLUMN_OF[b] - COLUMN_OF[a])))
            for b in range(NUM_CELLS)
        ]
        for a in range(NUM_CELLS)
    ],
    dtype=np.int64,
)

# TWO_ON[direction, cell] with the direction as First sees it: the cell two steps on, for strikes across a row.
TWO_ON: Final = np.array(
    [
        [
            STEP[0, direction, STEP[0, direction, cell]] if STEP[0, direction, cell] != OFF_BOARD else OFF_BOARD
            for cell in range(NUM_CELLS)
        ]
        for direction in Direction
    ],
    dtype=np.int64,
)

# The parts of the board in the own view: PARTS[part, i] is cell i of the part, row by row from the own edge on.
PARTS: Final = np.array(
    [
        [row * COLUMNS + part * WIDTH + column for row in range(ROWS // 2) for column in range(WIDTH)]
        for part in range(TEAM)
    ],
    dtype=np.int64,
)
# The cells of a part by their numbers in it, from the row next to the enemy on: the order of slots (rules 9.3).
HOME_ORDER: Final = np.array([row * WIDTH + column for row in (2, 1, 0) for column in range(WIDTH)], dtype=np.int64)
THIRD_ROW: Final = _bits(ROW_OF == 0)  # in the own view
_in_part = np.array([part == COLUMN_OF // WIDTH for part in range(TEAM)])
# FIRST_ROW[side, part]: as the cells lie. Second's parts lie the other way round.
FIRST_ROW: Final[Bits] = np.array(
    [
        [_bits((ROW_OF == 2) & _in_part[part]) for part in range(TEAM)],
        [_bits((ROW_OF == 3) & _in_part[TEAM - 1 - part]) for part in range(TEAM)],
    ],
    dtype=np.int64,
)

# The zones of a placement, in the own view (rules 2.5): ZONES[side, part, zone], filled one after the other.
_centre = (COLUMN_OF % WIDTH >= 1) & (COLUMN_OF % WIDTH <= 3)
_front = ROW_OF == 2
_homes = [(ROW_OF < ROWS // 2) & each for each in _in_part]
ZONES: Final[Bits] = np.array(
    [
        [[_bits(home & _centre), _bits(home & ~_centre & ~_front), _bits(home & ~_centre & _front)] for home in _homes],
        [[_bits(home & (_centre | _front)), _bits(home & ~_centre & ~_front), 0] for home in _homes],
    ],
    dtype=np.int64,
)
NUM_ZONES: Final = 3
ZONE_SIZE: Final = np.array([[int(zone).bit_count() for zone in side[0]] for side in ZONES], dtype=np.int64)
