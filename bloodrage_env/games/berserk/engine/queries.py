"""What several chapters ask about a position and no card bends: who stands where, what is free, how it looks to a seat.

Sets of cells are bits (`board.py`).
"""

from typing import Final

import numpy as np

from ....core.compile.decorators import rule
from ..mode import TEAM
from .board import AIR, ALL_CELLS
from .cards import FLYERS
from .ids import NONE, NUM_CELLS, NUM_SEATS, NUM_SLOTS, NUM_TEAMS, SQUAD
from .state import State

# PLACE_OF[observer, seat]: where a seat comes: the observer, its partner, then opponents, the next seat first (rules
# 10.1); SEAT_AT[observer, place] is the inverse.
_OFFSETS: Final = [*range(0, NUM_SEATS, NUM_TEAMS), *range(1, NUM_SEATS, NUM_TEAMS)]
SEAT_AT: Final = np.array([[(me + offset) % NUM_SEATS for offset in _OFFSETS] for me in range(NUM_SEATS)])
PLACE_OF: Final = SEAT_AT.argsort(axis=1)


@rule
def owner(slot: int) -> int:
    """The seat of a slot."""
    return int(slot) // SQUAD


@rule
def team_of(seat: int) -> int:
    """The team of a seat; without partners each is one (rules 10.1)."""
    return int(seat) if TEAM == 1 else int(seat) % NUM_TEAMS


@rule
def side(s: State, seat: int) -> int:
    """0 for First, 1 for Second, and for their partners."""
    return int(team_of(seat) != team_of(s.first))


@rule
def seen(s: State, seat: int, cell: int) -> int:
    """A cell as the seat sees it, and back (rules 1.1); the additional zone is the same from all sides."""
    if FLYERS and cell == AIR:
        return AIR
    return int(cell) if side(s, seat) == 0 else NUM_CELLS - 1 - int(cell)


@rule
def relative_seat(me: int, seat: int) -> int:
    """A seat as the observer counts them: own, partner, left, right (rules 10.21); without partners own, other."""
    return (int(seat) - me) % NUM_SEATS if TEAM == 1 else int(PLACE_OF[me, seat])


@rule
def relative(me: int, slot: int) -> int:
    """A slot as the observer counts them."""
    if TEAM == 1:
        return int(slot) if me == 0 else (int(slot) + SQUAD) % NUM_SLOTS
    return relative_seat(me, owner(slot)) * SQUAD + int(slot) % SQUAD


@rule
def slot_of(me: int, number: int) -> int:
    """The slot that the observer counts as this one."""
    if TEAM == 1:
        return relative(me, number)
    return int(SEAT_AT[me, int(number) // SQUAD]) * SQUAD + int(number) % SQUAD


@rule
def are_enemies(slot: int, other: int) -> bool:
    """Whether two cards belong to different teams (rules 10.9)."""
    return team_of(owner(slot)) != team_of(owner(other))


@rule
def opponent(seat: int, i: int) -> int:
    """An opponent of a seat: 0 for the left one, 1 for the right one (rules 10.1)."""
    return 1 - int(seat) if TEAM == 1 else (int(seat) + 1 + NUM_TEAMS * i) % NUM_SEATS


@rule
def partner_of(seat: int) -> int:
    """The partner of a seat in a team battle (rules 10.1)."""
    return (int(seat) + NUM_TEAMS) % NUM_SEATS


@rule
def of_team(s: State, seat: int) -> int:
    """The cells with cards of a seat and its partner, as bits."""
    found = int(s.standing[seat])
    return found if TEAM == 1 else found | int(s.standing[partner_of(seat)])


@rule
def of_enemies(s: State, seat: int) -> int:
    """The cells with cards of the opponents of a seat, as bits."""
    return of_team(s, opponent(seat, 0))


@rule
def of_all(s: State) -> int:
    """The cells with cards, as bits."""
    return of_team(s, 0) | of_team(s, 1)


@rule
def flies(s: State, slot: int) -> bool:
    """Whether a card is in the additional zone (rules 12.9)."""
    return FLYERS and s.cell[slot] == AIR


@rule
def flyers_of(s: State, seat: int) -> int:
    """The flyers of a seat, as bits by slot."""
    found = 0
    if FLYERS and int(s.standing[seat]) >> AIR & 1 == 1:
        for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
            if s.cell[slot] == AIR:
                found |= 1 << slot
    return found


@rule
def enemy_flyers(s: State, seat: int) -> int:
    """The flyers of the opponents of a seat, as bits by slot."""
    found = 0
    if FLYERS:
        for i in range(TEAM):
            found |= flyers_of(s, opponent(seat, i))
    return found


@rule
def lives(s: State, slot: int) -> bool:
    """Whether the card of a slot is on the board, or in the additional zone."""
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
    return of_all(s) | int(s.fires)


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
def seat_at(s: State, number: int) -> int:
    """The seat that has this place in the order of turns, from 0 (rules 10.3, 10.4)."""
    if TEAM == 1:
        return (int(s.first) + number) % NUM_SEATS
    seat = (int(s.first) + number % NUM_TEAMS) % NUM_SEATS
    partner = partner_of(seat)
    begins = s.roll_off[seat] > s.roll_off[partner]
    return seat if begins == (number % NUM_SEATS < NUM_TEAMS) else partner


@rule
def number_of(s: State, seat: int) -> int:
    """The place of a seat in the order of turns, from 0."""
    if TEAM == 1:
        return int(seat != s.first)
    partner = partner_of(seat)
    return side(s, seat) + (0 if s.roll_off[seat] > s.roll_off[partner] else NUM_TEAMS)


@rule
def part_of(s: State, seat: int) -> int:
    """The part of the half that is a player's, 0 for the left one in the own view (rules 10.2)."""
    return 0 if TEAM == 1 else number_of(s, seat) // NUM_TEAMS


@rule
def turn_seat(s: State) -> int:
    """Whose turn it is; First has the first one."""
    return seat_at(s, int(s.turn) + NUM_SEATS - 1)
