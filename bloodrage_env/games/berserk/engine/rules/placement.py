"""The placement of the squads, face down (rules 2.5, 9.3)."""

import numpy as np

from .....core.compile.decorators import rule
from .....core.compile.local_arrays import local_zeros
from .. import keyword_hooks
from ..actions import CELL
from ..board import AIR, HOME_ORDER, NUM_ZONES, PARTS, ZONES
from ..card_ids import NUM_CARDS
from ..cards import FLYERS
from ..ids import HOME_CELLS, NONE, NUM_CELLS, NUM_TEAMS, SQUAD, Decision
from ..primitives import bear, lay, lift
from ..queries import part_of, seen, side, size
from ..stack import ask, get
from ..state import Frame, State
from .setup import next_player


@rule
def placement(s: State) -> None:
    """First places wholly, then Second, the cards in rising order of their numbers; flyers come last (rules 12.10)."""
    seat = get(s, Frame.SEAT)
    if next_to_place(s, seat) == NONE:
        give_slots(s, seat)
        next_player(s, seat)
    else:
        ask(s, Decision.PLACE, seat, NONE, NONE)


@rule
def in_play(s: State, seat: int) -> int:
    """How many cards of the seat have come into play."""
    count = 0
    for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
        count += s.card[slot] != NONE
    return count


@rule
def next_to_place(s: State, seat: int) -> int:
    """The number of the card to be placed now, NONE if all of the squad but flyers stand."""
    left = in_play(s, seat)
    for card in range(NUM_CARDS):
        if not keyword_hooks.is_flyer(card):
            left -= int(s.squad[seat, card])
        if left < 0:
            return card
    return NONE


@rule
def to_place(s: State, seat: int) -> int:
    """How many cards of the squad have a cell on the board (rules 12.10)."""
    count = int(s.squad[seat].sum())
    if FLYERS:
        for card in range(NUM_CARDS):
            if keyword_hooks.is_flyer(card):
                count -= int(s.squad[seat, card])
    return count


@rule
def home_bits(s: State, seat: int) -> int:
    """The cells of the own part that are taken, in the own view."""
    bits = 0
    part = part_of(s, seat)
    for i in range(HOME_CELLS):
        cell = int(PARTS[part, i])
        bits |= (int(s.standing[seat]) >> seen(s, seat, cell) & 1) << cell
    return bits


@rule
def cells_to_place(s: State, seat: int) -> int:
    """Free cells of zones with quota left, in the own view; a zone is filled before the next (rules 2.5)."""
    found = 0
    taken = home_bits(s, seat)
    left = to_place(s, seat)
    part = part_of(s, seat)
    for zone in range(NUM_ZONES):
        bits = int(ZONES[side(s, seat), part, zone])
        quota = min(left, size(bits))
        left -= quota
        if size(taken & bits) < quota:
            found |= bits & ~taken
    return found


@rule
def mask_place(s: State) -> None:
    """CELL[cell]"""
    bits = cells_to_place(s, int(s.seat))
    for cell in range(NUM_CELLS // NUM_TEAMS):
        s.mask[CELL + cell] = bits >> cell & 1


@rule
def place(s: State, seat: int, cell: int) -> None:
    """The next card of the squad lies face down on a cell of the own view, in the next slot until all stand."""
    card = next_to_place(s, seat)
    slot = seat * SQUAD + in_play(s, seat)
    bear(s, slot, card)
    s.face_down[slot] = 1
    lay(s, slot, seen(s, seat, cell))


@rule
def apply_place(s: State, seat: int, action: int) -> None:
    """A cell for the next card."""
    place(s, seat, action - CELL)


@rule
def give_slots(s: State, seat: int) -> None:
    """Slots by cell in the own view: first row from left to right, second, third (rules 9.3); then flyers (12.10)."""
    at = local_zeros(NUM_CELLS, np.int64)
    at[:] = NONE
    for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
        if s.card[slot] != NONE:
            cell = seen(s, seat, s.cell[slot])
            at[cell] = s.card[slot]
            lift(s, slot)
            bear(s, slot, NONE)
    slot = seat * SQUAD
    for i in range(HOME_CELLS):
        home = int(PARTS[part_of(s, seat), HOME_ORDER[i]])
        if at[home] != NONE:
            bear(s, slot, at[home])
            s.face_down[slot] = 1
            lay(s, slot, seen(s, seat, home))
            slot += 1
    for card in range(NUM_CARDS):
        if keyword_hooks.is_flyer(card):
            for _ in range(s.squad[seat, card]):
                bear(s, slot, card)
                lay(s, slot, AIR)
                slot += 1
