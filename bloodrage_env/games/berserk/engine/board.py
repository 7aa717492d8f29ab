"""The board: cells as bits, who is near whom (rules 1.1, 1.2).

A set of cells is an integer with the bit `1 << cell` for each of them. Flyers are in the additional zone, the place AIR
after the cells (rules 12.9): the tables have it as a last element, which is near nothing.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from ..mode import TEAM
from .ids import COLUMNS, NUM_CELLS, NUM_DIRECTIONS, NUM_TEAMS, ROWS, WIDTH, Direction

Bits = npt.NDArray[np.int64]

ALL_CELLS: Final = (1 << NUM_CELLS) - 1
OFF_BOARD: Final = -1
AIR: Final = NUM_CELLS  # the place of flyers; its bit is not in ALL_CELLS
FAR: Final = max(ROWS, COLUMNS)  # further than any two cells are
UNLIMITED: Final = 0  # the range of an attack that has none printed

_row_of = np.arange(NUM_CELLS, dtype=np.int64) // COLUMNS
_column_of = np.arange(NUM_CELLS, dtype=np.int64) % COLUMNS


def _bits(cells: npt.NDArray[np.bool_]) -> int:
    return sum(1 << int(cell) for cell in cells.nonzero()[0])


def _with_air(table: npt.ArrayLike, value: int, axes: int = 1) -> Bits:
    """A table with AIR at the end of its last axes."""
    cells = np.asarray(table, dtype=np.int64)
    return np.pad(cells, [(0, 0)] * (cells.ndim - axes) + [(0, 1)] * axes, constant_values=value)


ROW_OF: Final = _with_air(_row_of, OFF_BOARD)
COLUMN_OF: Final = _with_air(_column_of, OFF_BOARD)

_rows = np.abs(_row_of[:, None] - _row_of)
_columns = np.abs(_column_of[:, None] - _column_of)

# DISTANCE[a, b] (rules 1.2).
_distance = np.maximum(_rows, _columns)
DISTANCE: Final = _with_air(_distance, FAR, axes=2)

# WITHIN[d, cell]: the cells at distance 1 to d; NEAR[cell]: the adjacent ones; BESIDE[cell]: those not diagonally so.
WITHIN: Final[Bits] = _with_air([[_bits((row > 0) & (row <= d)) for row in _distance] for d in range(FAR + 1)], 0)
NEAR: Final[Bits] = WITHIN[1].copy()
BESIDE: Final[Bits] = _with_air([_bits(row == 1) for row in _rows + _columns], 0)

# DIAGONAL[a, b]: they stand diagonally to each other, at whatever distance.
DIAGONAL: Final = _with_air((_rows == _columns) & (_rows > 0), 0, axes=2)

# IN_COLUMN[cell]: all cells of its column.
IN_COLUMN: Final[Bits] = _with_air([_bits(column == _column_of) for column in _column_of], 0)

_ROW_STEP: Final = {Direction.FORWARD: 1, Direction.BACK: -1}
_COLUMN_STEP: Final = {Direction.LEFT: -1, Direction.RIGHT: 1}


def _from(cell: int, rows: int, columns: int) -> int:
    """The cell so many rows and columns on, or OFF_BOARD."""
    row, column = int(_row_of[cell]) + rows, int(_column_of[cell]) + columns
    return row * COLUMNS + column if 0 <= row < ROWS and 0 <= column < COLUMNS else OFF_BOARD


# STEP[side, direction, cell]: the cell one step on; side 0 is First, 1 is Second, who sees the board turned.
STEP: Final = _with_air(
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
    OFF_BOARD,
)
assert STEP.shape == (NUM_TEAMS, NUM_DIRECTIONS, NUM_CELLS + 1)

# BEHIND[a, b]: the cell one on in the line from a to b, or OFF_BOARD; a push goes there (rules 7.28).
BEHIND: Final = _with_air(
    [
        [
            _from(b, int(np.sign(_row_of[b] - _row_of[a])), int(np.sign(_column_of[b] - _column_of[a])))
            for b in range(NUM_CELLS)
        ]
        for a in range(NUM_CELLS)
    ],
    OFF_BOARD,
    axes=2,
)

# TWO_ON[direction, cell] with the direction as First sees it: the cell two steps on, for strikes across a row.
TWO_ON: Final = _with_air(
    [
        [
            STEP[0, direction, STEP[0, direction, cell]] if STEP[0, direction, cell] != OFF_BOARD else OFF_BOARD
            for cell in range(NUM_CELLS)
        ]
        for direction in Direction
    ],
    OFF_BOARD,
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
THIRD_ROW: Final = _bits(_row_of == 0)  # in the own view
_in_part = np.array([part == _column_of // WIDTH for part in range(TEAM)])
# FIRST_ROW[side, part]: as the cells lie. Second's parts lie the other way round.
FIRST_ROW: Final[Bits] = np.array(
    [
        [_bits((_row_of == 2) & _in_part[part]) for part in range(TEAM)],
        [_bits((_row_of == 3) & _in_part[TEAM - 1 - part]) for part in range(TEAM)],
    ],
    dtype=np.int64,
)

# The zones of a placement, in the own view (rules 2.5): ZONES[side, part, zone], filled one after the other.
_centre = (_column_of % WIDTH >= 1) & (_column_of % WIDTH <= 3)
_front = _row_of == 2
_homes = [(_row_of < ROWS // 2) & each for each in _in_part]
ZONES: Final[Bits] = np.array(
    [
        [[_bits(home & _centre), _bits(home & ~_centre & ~_front), _bits(home & ~_centre & _front)] for home in _homes],
        [[_bits(home & (_centre | _front)), _bits(home & ~_centre & ~_front), 0] for home in _homes],
    ],
    dtype=np.int64,
)
NUM_ZONES: Final = 3
