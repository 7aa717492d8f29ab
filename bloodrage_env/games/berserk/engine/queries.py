"""What several chapters ask about a position and no card bends: who stands where, what is free, how it looks to a seat.

Sets of cells are bits (`board.py`).
"""

from ....core.compiled import rule
from .board import ALL_CELLS
from .ids import NONE, NUM_CELLS, NUM_SEATS, SQUAD
from .state import State


@rule
def owner(slot: int) -> int:
    """The seat of a slot."""
    return int(slot) // SQUAD


@rule
def side(s: State, seat: int) -> int:
    """0 for First, 1 for Second."""
    return int(seat != s.first)


@rule
def seen(s: State, seat: int, cell: int) -> int:
    """A cell as the seat sees it, and back (rules 1.1)."""
    return int(cell) if seat == s.first else NUM_CELLS - 1 - int(cell)


@rule
def lives(s: State, slot: int) -> bool:
    """Whether the card of a slot is on the board."""
    return s.cell[slot] != NONE


@rule
def works(s: State, slot: int) -> bool:
    """Whether the abilities of a card work: it is on the board, face up (rules 1.4, 2.7)."""
    return s.cell[slot] != NONE and s.face_down[slot] == 0


@rule
def is_open(s: State, slot: int) -> bool:
    """Whether a card is on the board and upright."""
    return s.cell[slot] != NONE and s.closed[slot] == 0


@rule
def place_of(s: State, slot: int) -> int:
    """Where a card stands, or stood when it died (rules 8.14)."""
    return int(s.cell[slot]) if s.cell[slot] != NONE else int(s.fell_at[slot])


@rule
def taken(s: State) -> int:
    """Cells that are not free: with a card or a bonfire (rules 1.2)."""
    return int(s.standing[0]) | int(s.standing[1]) | int(s.fires)


@rule
def free(s: State) -> int:
    """Free cells."""
    return ALL_CELLS & ~taken(s)


@rule
def size(bits: int) -> int:
    """How many cells a set has."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@rule
def turn_seat(s: State) -> int:
    """Whose turn it is; First has the odd ones."""
    return (int(s.first) + int(s.turn) + 1) % NUM_SEATS
