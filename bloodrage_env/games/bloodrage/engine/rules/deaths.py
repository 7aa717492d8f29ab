"""Figures that are about to be destroyed: saves, escapes, Valhalla, what it pays (rules 1.4, 3.5, 6.3.9 to 6.3.12)."""

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import COUNT, YES
from ..board import FJORD_OF, RAGNAROK_GLORY
from ..ids import NONE, NUM_KINDS, Cause, Decision, Place, Routine, Source
from ..primitives import figure_place, gain_glory, gain_rage, move_figure
from ..queries import figures_of_kind
from ..stack import ask, get, pop, push, put
from ..state import Frame, State


@rule
def mark_all(s: State, seat: int, province: int) -> int:
    """Mark in `dying` every figure of a clan in a province and its fjord; returns how many."""
    for kind in range(NUM_KINDS):
        s.dying[kind] = figures_of_kind(s, seat, kind, province)
    return int(s.dying.sum())


@rule
def begin_deaths(s: State, seat: int, province: int, cause: int) -> None:
    """What `dying` marks of a clan in a province and its fjord is about to be destroyed."""
    push(s, Routine.DEATHS, seat, province)
    put(s, Frame.CAUSE, cause)


@rule
def deaths(s: State) -> None:
    """Destroy what `dying` marks in a province and its fjord, one kind after the other; the step is the kind.

    Saves, escapes and withdrawals of one clan do not affect each other, so that their order reveals nothing and is
    fixed (rules 6.4.4.8).
    """
    seat = get(s, Frame.SEAT)
    province = get(s, Frame.PLACE)
    cause = get(s, Frame.CAUSE)
    for kind in range(get(s, Frame.STEP), NUM_KINDS):
        count = int(s.dying[kind])
        if count > 0:
            savable = min(count, int(s.rage[seat])) if hooks.may_save(s, seat, cause) else 0
            escape = hooks.may_escape(s, seat, kind, province, cause)
            put(s, Frame.STEP, kind)
            if savable > 0 or escape:
                ask(s, Decision.SAVE, seat, province, NONE, kind)
                s.high = savable
                s.escape = escape
                return
            if withdraw_or_die(s, kind):
                return
    pop(s)


@rule
def withdraw_or_die(s: State, kind: int) -> bool:
    """Ask whether one more marked figure of a kind withdraws, if any may; if not they die, and the next kind follows.

    True if there is a question.
    """
    seat = get(s, Frame.SEAT)
    province = get(s, Frame.PLACE)
    if s.dying[kind] > 0 and hooks.may_withdraw(s, seat, kind, province):
        ask(s, Decision.WITHDRAW, seat, province, NONE, kind)
        return True
    if s.dying[kind] > 0:
        destroy_marked(s, kind)
    put(s, Frame.STEP, kind + 1)
    return False


@rule
def destroy_marked(s: State, kind: int) -> None:
    """The marked figures of one kind die."""
    seat = get(s, Frame.SEAT)
    province = get(s, Frame.PLACE)
    place = figure_place(s, seat, kind, province, FJORD_OF[province])
    destroy(s, seat, kind, place, int(s.dying[kind]), get(s, Frame.CAUSE))
    s.dying[kind] = 0


@rule
def mask_save(s: State) -> None:
    """COUNT[n]: how many are saved, for 1 Rage each; YES: the escape to Yggdrasil."""
    for count in range(s.high + 1):
        s.mask[COUNT + count] = 1
    if s.escape == 1:
        s.mask[YES] = 1


@rule
def apply_save(s: State, seat: int, action: int) -> None:
    """Saved figures stay where they are, an escaped one goes to Yggdrasil; the others die or withdraw (rules 6.3.9,
    6.3.10, 6.4.4.8).
    """
    kind = int(s.about_kind)
    if action == YES:
        move_figure(s, seat, kind, get(s, Frame.PLACE), Place.YGGDRASIL)
        s.dying[kind] = 0
    else:
        gain_rage(s, seat, -(action - COUNT) * hooks.SAVE_PRICE)
        s.dying[kind] -= action - COUNT
    withdraw_or_die(s, kind)


@rule
def destroy(s: State, seat: int, kind: int, place: int, count: int, cause: int) -> None:
    """Figures go from the board to Valhalla; what their death pays."""
    for _ in range(count):
        move_figure(s, seat, kind, place, Place.VALHALLA)
    gain_glory(s, seat, count * hooks.ship_glory(s, seat, kind), Source.UPGRADES)
    if cause == Cause.RAGNAROK:
        glory = int(RAGNAROK_GLORY[s.age]) * hooks.ragnarok_times(s, seat)
        gain_glory(s, seat, count * glory, Source.RAGNAROK)
    elif cause != Cause.ARRIVAL and cause != Cause.SACRIFICE:
        s.fallen[seat] += count
