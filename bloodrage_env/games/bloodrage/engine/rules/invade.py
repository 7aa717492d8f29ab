"""Invades and what they set off; the free ones (rules 3.2.5, 6.3.1, 6.3.2, 6.3.11)."""

from enum import IntEnum

from .....core.compile.decorators import rule
from .....core.engine.sparse import lowest_bit
from .. import hooks
from ..actions import FIGURE_AT, NO
from ..ids import FIRST_FJORD, NONE, NUM_BOARD, NUM_KINDS, NUM_OUTER, Cause, Decision, Place, Routine
from ..primitives import is_fjord, move_figure
from ..queries import figures_of_kind, fjord_in_use, horns_free, open_provinces
from ..stack import ask, clockwise, figure_at, get, pop, push, put
from ..state import Frame, State
from .deaths import begin_deaths
from .pillage import allow_pillage

OUTER_PROVINCES = (1 << NUM_OUTER) - 1  # as bits


class Step(IntEnum):
    """Of an Invade, in the order of rules 6.3.2."""

    ARRIVAL = 0  # what it kills
    FOLLOWER = 1
    FREE_PILLAGE = 2
    END = 3


@rule
def invade_places(s: State, seat: int, kind: int) -> int:
    """Where a figure of this kind may go (bits): room under Horns; a village that is empty or that it may take, a fjord
    (rules 3.2.5, 6.3.1, 6.4.4.9).
    """
    if not horns_free(s, seat):
        return 0
    if hooks.is_ship(s, seat, kind):
        places = 0
        for fjord in range(FIRST_FJORD, NUM_BOARD):
            if fjord_in_use(s, fjord):
                places |= 1 << fjord
        return places
    places = open_provinces(s) & OUTER_PROVINCES
    full = OUTER_PROVINCES & ~places
    while full != 0:
        province = lowest_bit(full)
        full &= full - 1
        if s.destroyed[province] == 0 and hooks.may_take_village(s, seat, kind, province):
            places |= 1 << province
    if hooks.may_invade_yggdrasil(s, seat, kind):
        places |= 1 << Place.YGGDRASIL
    return places


@rule
def can_invade_from(s: State, seat: int, origin: int) -> bool:
    """Whether any figure of the reserve, or of Valhalla, has a place to go."""
    for kind in range(NUM_KINDS):
        if s.figures[seat, kind, origin] > 0 and invade_places(s, seat, kind) != 0:
            return True
    return False


@rule
def mask_places(s: State, seat: int, kind: int) -> None:
    """FIGURE_AT[kind, place] for every place where the figure may invade."""
    places = invade_places(s, seat, kind)
    for place in range(NUM_BOARD):
        if places & (1 << place):
            s.mask[figure_at(kind, place)] = 1


@rule
def invade(s: State, seat: int, kind: int, origin: int, place: int) -> None:
    """Put the figure there, unless it may take another's village first; that is asked (rules 6.4.4.10)."""
    if hooks.may_take_village(s, seat, kind, place):
        hooks.begin_take_village(s, seat, kind, origin, place)
    else:
        arrive(s, seat, kind, origin, place)


@rule
def arrive(s: State, seat: int, kind: int, origin: int, place: int) -> None:
    """The figure comes; an Invade into a province sets off the rest."""
    move_figure(s, seat, kind, origin, place)
    allow_pillage(s, seat, place)
    if not is_fjord(place):
        push(s, Routine.INVADE, seat, place)
        put(s, Frame.KIND, kind)
        put(s, Frame.ASKED, 1)


@rule
def invasion(s: State) -> None:
    """What an Invade into a province sets off (rules 6.3.2)."""
    seat = get(s, Frame.SEAT)
    place = get(s, Frame.PLACE)
    if get(s, Frame.STEP) == Step.ARRIVAL:
        while hooks.kills_on_arrival(s, seat, get(s, Frame.KIND)) and get(s, Frame.ASKED) < s.num_players:
            victim = clockwise(s, seat, get(s, Frame.ASKED))
            put(s, Frame.ASKED, get(s, Frame.ASKED) + 1)
            if mark_arrival_victims(s, seat, get(s, Frame.KIND), victim, place) > 0:
                begin_deaths(s, victim, place, Cause.ARRIVAL)
                return
        put(s, Frame.STEP, Step.FOLLOWER)
    if get(s, Frame.STEP) == Step.FOLLOWER:
        put(s, Frame.STEP, Step.FREE_PILLAGE)
        if hooks.ask_follower(s, seat, place):
            return
    if get(s, Frame.STEP) == Step.FREE_PILLAGE:
        put(s, Frame.STEP, Step.END)
        if hooks.ask_free_pillage(s, seat, place):
            return
    pop(s)


@rule
def arrival_victims(s: State, seat: int, kind: int, victim: int, other: int, province: int) -> int:
    """How many figures of kind `other` a clan loses by an Invade that kills, into the province (rules 6.3.11)."""
    return figures_of_kind(s, victim, other, province) if hooks.dies_on_arrival(s, seat, kind, victim, other) else 0


@rule
def mark_arrival_victims(s: State, seat: int, kind: int, victim: int, province: int) -> int:
    """Mark in `dying` what such an Invade kills of another clan; returns how many."""
    for other in range(NUM_KINDS):
        s.dying[other] = arrival_victims(s, seat, kind, victim, other, province)
    return int(s.dying.sum())


# ---- the free Invade after an upgrade (rules 3.2.7)


@rule
def free_invade(s: State) -> None:
    """Ask where one figure of the reserve, of certain kinds, invades, if any can."""
    seat = get(s, Frame.SEAT)
    kinds = get(s, Frame.KINDS)
    pop(s)
    for kind in range(NUM_KINDS):
        if can_go_free(s, seat, kind, kinds) and invade_places(s, seat, kind) != 0:
            ask(s, Decision.FREE_INVADE, seat, NONE, NONE, NONE)
            s.kinds = kinds
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
        if can_go_free(s, s.seat, kind, s.kinds):
            mask_places(s, s.seat, kind)


@rule
def apply_free_invade(s: State, seat: int, action: int) -> None:
    """Invade, or leave it."""
    if action != NO:
        invade(s, seat, (action - FIGURE_AT) // NUM_BOARD, Place.RESERVE, (action - FIGURE_AT) % NUM_BOARD)
