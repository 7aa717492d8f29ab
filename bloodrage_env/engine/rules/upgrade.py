"""Upgrade: pay, lay the card into a slot, invade for free; Frigga's Sacrifice (rules 3.2.7, 6.3.8)."""

from enum import IntEnum

from ...core.compiled import rule
from .. import hooks
from ..actions import FIGURE_AT, SLOT
from ..board import FIRST_SLOT, SLOTS_OF
from ..cards import TYPE
from ..ids import NONE, NUM_BOARD, NUM_KINDS, CardType, Cause, Decision
from ..primitives import gain_rage, lay_upgrade, show_from_hand
from ..stack import Routine, ask, figure_at, get, pop, push, put
from ..state import ARG_A, ARG_B, SEAT, STEP, State
from .choices import ask_stat
from .deaths import destroy


class Step(IntEnum):
    """Of an upgrade."""

    SLOT = 0
    LAY = 1


@rule
def begin_upgrade(s: State, seat: int, card: int) -> None:
    """Pay; the price is looked at before a slot is chosen (rules 3.2.7)."""
    gain_rage(s, seat, -hooks.upgrade_price(s, seat, card))
    show_from_hand(s, seat, card)
    push(s, Routine.UPGRADE, seat, card, 0, 0)


@rule
def upgrade(s: State) -> None:
    """Choose a slot, lay the card, invade for free."""
    seat = get(s, SEAT)
    card = get(s, ARG_A)
    card_type = int(TYPE[card])
    if get(s, STEP) == Step.SLOT:
        put(s, STEP, Step.LAY)
        if SLOTS_OF[card_type] > 1:
            ask(s, Decision.SLOT, seat, NONE, card, NONE)
            return
    slot = FIRST_SLOT[card_type] + get(s, ARG_B)
    lay_upgrade(s, seat, card, card_type, slot)
    pop(s)
    if card_type != CardType.CLAN:
        kinds = 1 << slot  # the kinds have the numbers of their slots
        if card_type == CardType.SHIP:
            for kind in range(NUM_KINDS):
                if hooks.is_ship(s, seat, kind):
                    kinds |= 1 << kind
        push(s, Routine.FREE_INVADE, seat, kinds, 0, 0)


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
    put(s, ARG_B, action - SLOT)


# ---- Frigga's Sacrifice


@rule
def sacrifice(s: State) -> None:
    """Two own figures on the board die without save or escape, then a stat is raised; the step counts them."""
    seat = get(s, SEAT)
    step = get(s, STEP)
    put(s, STEP, step + 1)
    if step < 2:
        ask(s, Decision.SACRIFICE, seat, NONE, NONE, NONE)
        s.low = step
        s.choices = get(s, ARG_A)  # the figure given up first
        return
    pop(s)
    ask_stat(s, seat, hooks.ALL_STATS, NONE, NONE)


@rule
def mask_sacrifice(s: State) -> None:
    """FIGURE_AT[kind, where it stands]; the second id is not below the first, so that a pair is one sequence."""
    seat = s.seat
    second = s.low == 1
    highest = 0
    for kind in range(NUM_KINDS):
        for place in range(NUM_BOARD):
            action = figure_at(kind, place)
            if s.figures[seat, kind, place] > 0 and (not second or action >= s.choices):
                s.mask[action] = 1
                highest = action
    kind = (highest - FIGURE_AT) // NUM_BOARD
    if not second and s.figures[seat, kind, (highest - FIGURE_AT) % NUM_BOARD] == 1:
        s.mask[highest] = 0


@rule
def apply_sacrifice(s: State, seat: int, action: int) -> None:
    """It dies; ships pay their Dragons (rules 6.3.8)."""
    put(s, ARG_A, action)
    kind = (action - FIGURE_AT) // NUM_BOARD
    destroy(s, seat, kind, (action - FIGURE_AT) % NUM_BOARD, 1, Cause.SACRIFICE)
