"""The reveal, face-down cards, and the start of the battle (rules 2.6 to 2.8)."""

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import NO, YES
from ..board import THIRD_ROW
from ..card_ids import NUM_CARDS
from ..cards import ELEMENT
from ..ids import LAAR, NONE, NUM_SEATS, NUM_SLOTS, NUM_TEAMS, SQUAD, Decision, Element
from ..primitives import refresh_moves, turn_up
from ..queries import number_of, owner, seat_at, seen, side
from ..stack import ask, get, pop, put
from ..state import Frame, State

# Bits of `gains`: what a start-of-battle effect has told of the squad.
TOLD, HAS_STEPPE, HAS_MOUNTAIN = 1, 2, 4


@rule
def reveal(s: State) -> None:
    """All cards are turned up but those of Second's third row, for which he is asked one by one (rules 2.6); in a team
    battle both players of the second team are, one after the other (rules 10.8).
    """
    for slot in range(NUM_SLOTS):
        if s.cell[slot] != NONE and not may_stay_down(s, slot):
            turn_up(s, slot)
    while True:
        seat = get(s, Frame.SEAT)
        while get(s, Frame.DONE) < SQUAD:
            slot = seat * SQUAD + get(s, Frame.DONE)
            if s.cell[slot] != NONE and may_stay_down(s, slot):
                ask(s, Decision.HIDE, seat, slot, NONE)
                return
            put(s, Frame.DONE, get(s, Frame.DONE) + 1)
        for k in range(SQUAD):
            if get(s, Frame.SHOWN) >> k & 1 == 1:
                turn_up(s, seat * SQUAD + k)
        number = number_of(s, seat) + NUM_TEAMS
        if number >= NUM_SEATS:
            break
        put(s, Frame.SEAT, seat_at(s, number))
        put(s, Frame.DONE, 0)
        put(s, Frame.SHOWN, 0)
    start_battle(s)
    pop(s)


@rule
def may_stay_down(s: State, slot: int) -> bool:
    """Whether a card that stands is one of Second's third row."""
    seat = owner(slot)
    return not LAAR and side(s, seat) == 1 and THIRD_ROW >> seen(s, seat, s.cell[slot]) & 1 == 1


@rule
def mask_hide(s: State) -> None:
    """YES: face down, unless it starts the battle or has Vanguard; NO: face up."""
    s.mask[NO] = 1
    s.mask[YES] = not hooks.is_shown(s.card[s.actor])


@rule
def apply_hide(s: State, seat: int, action: int) -> None:
    """The answers are shown all together, when the last is given."""
    k = get(s, Frame.DONE)
    if action == NO:
        put(s, Frame.SHOWN, get(s, Frame.SHOWN) | 1 << k)
    put(s, Frame.DONE, k + 1)


@rule
def has_element(s: State, seat: int, element: int) -> bool:
    """Whether a card of this element is in the squad, a face-down one too."""
    for card in range(NUM_CARDS):
        if s.squad[seat, card] > 0 and ELEMENT[card] == element:
            return True
    return False


@rule
def start_battle(s: State) -> None:
    """Start-of-battle effects, which leave no choice; every card has full movement (rules 2.8)."""
    for seat in range(NUM_SEATS):
        for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
            if s.card[slot] == NONE:
                continue
            if hooks.starts_battle(s.card[slot]):
                gain_by_squad(s, seat, slot)
            refresh_moves(s, slot)


@rule
def gain_by_squad(s: State, seat: int, slot: int) -> None:
    """Movement with a steppe creature in the squad, armour with a mountain creature, for the battle."""
    s.gains[seat] |= TOLD
    if has_element(s, seat, Element.STEPPE):
        s.extra_movement[slot] = hooks.steppe_movement(s.card[slot])
        s.gains[seat] |= HAS_STEPPE
    if has_element(s, seat, Element.MOUNTAIN):
        s.extra_armour[slot] = hooks.mountain_armour(s.card[slot])
        s.gains[seat] |= HAS_MOUNTAIN
