"""The start of a turn (rules 3.1, 3.2)."""

from enum import IntEnum

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import NO, YES
from ..ids import NONE, NUM_SLOTS, SQUAD, Decision
from ..primitives import gain_tokens, heal, refresh_moves, turn_up, wound
from ..queries import flyers_of, is_open
from ..stack import ask, get, go_to, pop, put
from ..state import Frame, State
from .beings import storm
from .closing import open_card
from .targets import chosen, offer


class Step(IntEnum):
    """The effects of the start, in order."""

    TOKENS = 0
    VALHALLA = 1
    FIRE = 2
    CARDS = 3


@rule
def open_turn(s: State, seat: int) -> None:
    """Counters return to 0, the player's face-down cards are turned up, its cards open, unless stunned, and have all
    their movement (rules 3.1 a to d).
    """
    for slot in range(NUM_SLOTS):
        if s.cell[slot] == NONE:
            continue
        s.absorbed[slot] = 0
        s.entered[slot] = 0
        s.strikes[slot] = 0
        if slot // SQUAD == seat:
            turn_up(s, slot)
            if s.stunned[slot] == 0:
                open_card(s, slot)
            s.stunned[slot] = 0
            s.stepped[slot] = 0
            refresh_moves(s, slot)


@rule
def start(s: State) -> None:
    """The effects of the start of the turn, one kind after the other (rules 3.2)."""
    seat = get(s, Frame.SEAT)
    if get(s, Frame.STEP) == Step.TOKENS:
        for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
            if s.cell[slot] != NONE:
                gain_tokens(s, slot, hooks.start_tokens(s, slot))
        go_to(s, Step.VALHALLA)
    if get(s, Frame.STEP) == Step.VALHALLA:
        if ask_valhalla(s, seat):
            return
        go_to(s, Step.FIRE)
    if get(s, Frame.STEP) == Step.FIRE:
        for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
            if s.cell[slot] != NONE:
                hooks.start_fire(s, slot)
                storm(s, slot)
        go_to(s, Step.CARDS)
        put(s, Frame.DONE, 0)
    if not ask_heal_first(s, seat):
        pop(s)


# ---- Valhalla (rules 7.24)


@rule
def ask_valhalla(s: State, seat: int) -> bool:
    """Ask for the next dead card whose ability works, in the order of the graveyard."""
    next_slot = NONE
    for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
        if s.died[slot] > get(s, Frame.DONE) and hooks.valhalla(s, slot) > 0:
            if next_slot == NONE or s.died[slot] < s.died[next_slot]:
                next_slot = slot
    if next_slot == NONE or s.standing[seat] == 0:
        return False
    put(s, Frame.DONE, s.died[next_slot])
    ask(s, Decision.VALHALLA, seat, next_slot, NONE)
    return True


@rule
def mask_valhalla(s: State) -> None:
    """CELL[cell] or FLYER[slot] of an own card, open or closed."""
    offer(s, int(s.standing[s.seat]), flyers_of(s, int(s.seat)))


@rule
def apply_valhalla(s: State, seat: int, action: int) -> None:
    """It strikes harder this turn; several add up."""
    slot = chosen(s, seat, action)
    s.bonus[slot] += hooks.valhalla(s, int(s.actor))


# ---- regeneration and poison (rules 7.11, 7.13)


@rule
def ask_heal_first(s: State, seat: int) -> bool:
    """Heal and poison open cards in the order of slots, until one has both: its owner is asked which comes first."""
    while get(s, Frame.DONE) < SQUAD:
        slot = seat * SQUAD + get(s, Frame.DONE)
        put(s, Frame.DONE, get(s, Frame.DONE) + 1)
        if not is_open(s, slot):
            continue
        healing = hooks.regeneration(s, slot)
        if healing > 0 and s.poison[slot] > 0:
            ask(s, Decision.HEAL_FIRST, seat, slot, NONE)
            return True
        heal(s, slot, healing)
        poisoned(s, slot)
    return False


@rule
def poisoned(s: State, slot: int) -> None:
    """Poison wounds a card; no enemy card kills by it (rules 6.3)."""
    if s.poison[slot] > 0:
        wound(s, slot, int(s.poison[slot]), False)


@rule
def apply_heal_first(s: State, seat: int, action: int) -> None:
    """In the order chosen: YES for regeneration first, NO for poison first."""
    slot = int(s.actor)
    healing = hooks.regeneration(s, slot)
    if action == YES:
        heal(s, slot, healing)
    poisoned(s, slot)
    if action == NO and is_open(s, slot):
        heal(s, slot, healing)
