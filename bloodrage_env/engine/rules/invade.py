"""Invades and what they set off; the free ones; the one from Valhalla (rules 3.2.5, 6.3.1 to 6.3.4, 6.3.7, 6.3.11)."""

from enum import IntEnum

from ...core.compiled import rule
from .. import hooks
from ..actions import FIGURE_AT, NO, YES
from ..ids import FIRST_FJORD, NONE, NUM_BOARD, NUM_KINDS, NUM_OUTER, Cause, Decision, Figure, Place
from ..primitives import gain_rage, is_fjord, move_figure
from ..queries import fjord_in_use, horns_free, room
from ..stack import Routine, ask, clockwise, figure_at, get, pop, push, put
from ..state import ARG_A, ARG_B, ARG_C, SEAT, STEP, State


class Step(IntEnum):
    """Of an Invade, in the order of rules 6.3.2."""

    ARRIVAL = 0  # Troll, Fire Giant
    SUCCOR = 1
    FREE_PILLAGE = 2
    END = 3


@rule
def invade_places(s: State, seat: int, kind: int) -> int:
    """Where a figure of this kind may go (bits): room under Horns, an empty village or a fjord (rules 3.2.5, 6.3.1)."""
    if not horns_free(s, seat):
        return 0
    places = 0
    if hooks.is_ship(s, seat, kind):
        for fjord in range(FIRST_FJORD, NUM_BOARD):
            if fjord_in_use(s, fjord):
                places |= 1 << fjord
        return places
    for province in range(NUM_OUTER):
        if s.destroyed[province] == 0 and room(s, province) > 0:
            places |= 1 << province
    if hooks.may_invade_yggdrasil(s, seat, kind):
        places |= 1 << Place.YGGDRASIL
    return places


@rule
def mask_places(s: State, seat: int, kind: int) -> None:
    """FIGURE_AT[kind, place] for every place where the figure may invade."""
    places = invade_places(s, seat, kind)
    for place in range(NUM_BOARD):
        if places & (1 << place):
            s.mask[figure_at(kind, place)] = 1


@rule
def invade(s: State, seat: int, kind: int, origin: int, place: int) -> None:
    """Put the figure there; an Invade into a province sets off the rest."""
    move_figure(s, seat, kind, origin, place)
    if not is_fjord(place):
        push(s, Routine.INVADE, seat, kind, place, 1)


@rule
def invasion(s: State) -> None:
    """What an Invade into a province sets off (rules 6.3.2)."""
    seat = get(s, SEAT)
    kind = get(s, ARG_A)
    place = get(s, ARG_B)
    if get(s, STEP) == Step.ARRIVAL:
        while get(s, ARG_C) < s.num_players:
            victim = clockwise(s, seat, get(s, ARG_C))
            put(s, ARG_C, get(s, ARG_C) + 1)
            if hooks.mark_arrival_victims(s, seat, kind, victim, place) > 0:
                push(s, Routine.DEATHS, victim, place, Cause.ARRIVAL, 0)
                return
        put(s, STEP, Step.SUCCOR)
    if get(s, STEP) == Step.SUCCOR:
        put(s, STEP, Step.FREE_PILLAGE)
        if hooks.may_succor(s, seat, place):
            ask(s, Decision.SUCCOR, seat, place, NONE, Figure.WARRIOR)
            return
    if get(s, STEP) == Step.FREE_PILLAGE:
        put(s, STEP, Step.END)
        if hooks.may_pillage_freely(s, seat, place):
            ask(s, Decision.FREE_PILLAGE, seat, place, NONE, NONE)
            return
    pop(s)


@rule
def mask_yes_no(s: State) -> None:
    """YES or NO."""
    s.mask[YES] = 1
    s.mask[NO] = 1


@rule
def apply_succor(s: State, seat: int, action: int) -> None:
    """One warrior follows; it brings none itself (rules 6.3.3)."""
    if action == YES:
        move_figure(s, seat, Figure.WARRIOR, Place.RESERVE, s.about_place)


@rule
def apply_free_pillage(s: State, seat: int, action: int) -> None:
    """Pay, and pillage at once; the Invade has nothing left to do (rules 6.3.4)."""
    if action == YES:
        pop(s)
        gain_rage(s, seat, -hooks.FREE_PILLAGE_PRICE)
        push(s, Routine.PILLAGE, seat, s.about_place, clockwise(s, seat, 1), 0)


# ---- the free Invade after an upgrade (rules 3.2.7)


@rule
def free_invade(s: State) -> None:
    """Ask where one figure of the kinds ARG_A (bits) in the reserve invades, if any can."""
    seat = get(s, SEAT)
    kinds = get(s, ARG_A)
    pop(s)
    for kind in range(NUM_KINDS):
        if can_go_free(s, seat, kind, kinds) and invade_places(s, seat, kind) != 0:
            ask(s, Decision.FREE_INVADE, seat, NONE, NONE, NONE)
            s.choices = kinds
            return


@rule
def can_go_free(s: State, seat: int, kind: int, kinds: int) -> bool:
    """Whether a kind is among those that may invade for free, and in the reserve."""
    return kinds & (1 << kind) != 0 and s.figures[seat, kind, Place.RESERVE] > 0


@rule
def mask_free_invade(s: State) -> None:
    """FIGURE_AT[kind, place], or NO: the free Invade is optional (rules 6.1.7)."""
    s.mask[NO] = 1
    for kind in range(NUM_KINDS):
        if can_go_free(s, s.seat, kind, s.choices):
            mask_places(s, s.seat, kind)


@rule
def apply_free_invade(s: State, seat: int, action: int) -> None:
    """Invade, or leave it."""
    if action != NO:
        invade(s, seat, (action - FIGURE_AT) // NUM_BOARD, Place.RESERVE, (action - FIGURE_AT) % NUM_BOARD)


# ---- Frigga's Domain: an Invade from Valhalla (rules 6.3.7)


@rule
def can_raise_dead(s: State, seat: int) -> bool:
    """Whether a figure of Valhalla can invade anywhere."""
    for kind in range(NUM_KINDS):
        if s.figures[seat, kind, Place.VALHALLA] > 0 and invade_places(s, seat, kind) != 0:
            return True
    return False


@rule
def ask_raise_dead(s: State, seat: int) -> None:
    """The action is paid; ask which figure and where."""
    ask(s, Decision.RAISE_DEAD, seat, NONE, NONE, NONE)


@rule
def mask_raise_dead(s: State) -> None:
    """FIGURE_AT[kind, place to invade]"""
    for kind in range(NUM_KINDS):
        if s.figures[s.seat, kind, Place.VALHALLA] > 0:
            mask_places(s, s.seat, kind)


@rule
def apply_raise_dead(s: State, seat: int, action: int) -> None:
    """An Invade in every way but its price."""
    invade(s, seat, (action - FIGURE_AT) // NUM_BOARD, Place.VALHALLA, (action - FIGURE_AT) % NUM_BOARD)
