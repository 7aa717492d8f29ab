"""Upgrade: pay, lay the card into a slot, recruit, invade for free (rules 3.2.7, 6.4.4.2)."""

from enum import IntEnum

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import SLOT
from ..board import FIRST_SLOT, KIND_OF_SLOT, SLOTS_OF
from ..cards import EFFECTS, TYPE, Effect
from ..ids import NONE, NUM_KINDS, CardType, Decision, Routine
from ..primitives import gain_rage, lay_upgrade, recruit, show_from_hand
from ..stack import ask, get, pop, push, put
from ..state import Frame, State


class Step(IntEnum):
    """Of an upgrade."""

    SLOT = 0
    LAY = 1


@rule
def begin_upgrade(s: State, seat: int, card: int) -> None:
    """Pay; the price is looked at before a slot is chosen (rules 3.2.7)."""
    gain_rage(s, seat, -hooks.upgrade_price(s, seat, card))
    show_from_hand(s, seat, card)
    push(s, Routine.UPGRADE, seat, NONE)
    put(s, Frame.CARD, card)


@rule
def upgrade(s: State) -> None:
    """Choose a slot, lay the card, recruit, invade for free."""
    seat = get(s, Frame.SEAT)
    card = get(s, Frame.CARD)
    card_type = int(TYPE[card])
    if get(s, Frame.STEP) == Step.SLOT:
        put(s, Frame.STEP, Step.LAY)
        if SLOTS_OF[card_type] > 1:
            ask(s, Decision.SLOT, seat, NONE, card, NONE)
            return
    slot = FIRST_SLOT[card_type] + get(s, Frame.SLOT)
    lay_upgrade(s, seat, card, card_type, slot)
    recruit(s, seat, int(EFFECTS[Effect.RECRUITS, card]))
    pop(s)
    if card_type != CardType.CLAN:
        push(s, Routine.FREE_INVADE, seat, NONE)
        put(s, Frame.KINDS, upgraded_kinds(s, seat, card_type, slot))


@rule
def upgraded_kinds(s: State, seat: int, card_type: int, slot: int) -> int:
    """The kinds of figure (bits) of which one may invade after an upgrade: what counts as its type (rules 3.2.7)."""
    kinds = 0
    for kind in range(NUM_KINDS):
        upgraded = kind == KIND_OF_SLOT[slot]
        if card_type == CardType.LEADER:
            upgraded = hooks.is_leader(s, seat, kind)
        elif card_type == CardType.SHIP:
            upgraded = hooks.is_ship(s, seat, kind)
        kinds |= int(upgraded) << kind
    return kinds


@rule
def mask_slot(s: State) -> None:
    """SLOT[n]: the first empty slot of the type, and every occupied one; empty ones are all alike."""
    card_type = int(TYPE[s.about_card])
    empty_offered = False
    for n in range(SLOTS_OF[card_type]):
        if s.upgrades[s.seat, FIRST_SLOT[card_type] + n] != NONE:
            s.mask[SLOT + n] = 1
        elif not empty_offered:
            s.mask[SLOT + n] = 1
            empty_offered = True


@rule
def apply_slot(s: State, seat: int, action: int) -> None:
    """The slot that the card will take."""
    put(s, Frame.SLOT, action - SLOT)
