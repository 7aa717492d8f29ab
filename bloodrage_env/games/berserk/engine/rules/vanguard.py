"""Vanguard: unanswered simple strikes before the first turn (rules 2.9, 12.2)."""

from enum import IntEnum

from .....core.compile.decorators import rule
from .. import keyword_hooks
from ..actions import ACT, DONE
from ..ids import NONE, NUM_ACTS, NUM_SEATS, SQUAD, Act, Decision, Phase
from ..queries import is_open, number_of, of_team, seat_at
from ..stack import ask, get, go_to, pop, put
from ..state import Frame, State
from .targets import can_act
from .turn import begin_action


class Step(IntEnum):
    """The steps of the strikes."""

    ASK = 0
    NEXT = 1


@rule
def vanguard(s: State) -> None:
    """From First on each player strikes with one card or passes, until all have passed; who has no strike passes.

    After each strike the victory check (rules 6.4).
    """
    if of_team(s, 0) == 0 or of_team(s, 1) == 0:
        s.phase = Phase.OVER
        s.over = 1
        return
    if get(s, Frame.STEP) == Step.NEXT:
        next_seat(s)
    while get(s, Frame.DONE) != (1 << NUM_SEATS) - 1:
        seat = get(s, Frame.SEAT)
        if get(s, Frame.DONE) >> seat & 1 == 0:
            if has_strike(s, seat):
                go_to(s, Step.ASK)
                ask(s, Decision.VANGUARD, seat, NONE, NONE)
                return
            put(s, Frame.DONE, get(s, Frame.DONE) | 1 << seat)
        next_seat(s)
    pop(s)


@rule
def next_seat(s: State) -> None:
    """The next player in the order of turns."""
    put(s, Frame.SEAT, seat_at(s, number_of(s, get(s, Frame.SEAT)) + 1))


@rule
def may_strike(s: State, slot: int) -> bool:
    """Whether an open card has Vanguard that it has not used, and an adjacent enemy."""
    if not is_open(s, slot) or not keyword_hooks.has_vanguard(s, slot) or s.strikes[slot] > 0:
        return False
    return can_act(s, slot, Act.STRIKE, NONE)


@rule
def has_strike(s: State, seat: int) -> bool:
    """Whether a card of the seat may strike."""
    for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
        if may_strike(s, slot):
            return True
    return False


@rule
def mask_vanguard(s: State) -> None:
    """ACT[slot, STRIKE] of a card that strikes; DONE: pass, for good."""
    s.mask[DONE] = 1
    for k in range(SQUAD):
        if may_strike(s, int(s.seat) * SQUAD + k):
            s.mask[ACT + k * NUM_ACTS + Act.STRIKE] = 1


@rule
def apply_vanguard(s: State, seat: int, action: int) -> None:
    """The strike of the card, or no more of this player."""
    go_to(s, Step.NEXT)
    if action == DONE:
        put(s, Frame.DONE, get(s, Frame.DONE) | 1 << seat)
    else:
        begin_action(s, seat, action, NONE)
