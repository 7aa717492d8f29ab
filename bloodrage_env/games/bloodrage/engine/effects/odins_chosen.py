"""Odin's Chosen: a Mystic takes the village of a figure that it destroys (rules 6.4.4.9, 6.4.4.10)."""

from enum import IntEnum

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import FIGURE_AT, NO
from ..ids import NONE, NUM_BOARD, Cause, Decision, Figure
from ..queries import room
from ..rules.deaths import begin_deaths
from ..rules.invade import arrive
from ..stack import ask, clockwise, figure_at, get, pop, put
from ..state import Frame, State


class Step(IntEnum):
    """Of such an Invade, before what it sets off."""

    VICTIM = 0
    ARRIVE = 1


@rule
def take_village(s: State) -> None:
    """Ask for a victim clan by clan; if nothing is free in the end, the Mystic stays where it was."""
    seat = get(s, Frame.SEAT)
    province = get(s, Frame.PLACE)
    if get(s, Frame.STEP) == Step.VICTIM:
        victim = hooks.next_victim(s, seat, province, get(s, Frame.VICTIMS))
        if victim < s.num_players:
            put(s, Frame.VICTIMS, victim)
            ask(s, Decision.VICTIM, seat, province, NONE, NONE)
            return
    kind = get(s, Frame.KIND)
    origin = get(s, Frame.ORIGIN)
    pop(s)
    if room(s, province) > 0:
        arrive(s, seat, kind, origin, province)


@rule
def clan_in_question(s: State) -> int:
    """The clan of which a victim may be named now."""
    return clockwise(s, get(s, Frame.SEAT), get(s, Frame.VICTIMS))


@rule
def mask_victim(s: State) -> None:
    """FIGURE_AT[kind, province] of the clan in question, or NO: none of its, where a village is left to take"""
    province = int(s.about_place)
    clan = clan_in_question(s)
    for kind in (Figure.WARRIOR, Figure.MYSTIC):
        if s.figures[clan, kind, province] > 0:
            s.mask[figure_at(kind, province)] = 1
    if room(s, province) > 0 or hooks.next_victim(s, s.seat, province, get(s, Frame.VICTIMS) + 1) < s.num_players:
        s.mask[NO] = 1


@rule
def apply_victim(s: State, seat: int, action: int) -> None:
    """It is about to be destroyed; NO: the next clan is asked about."""
    if action == NO:
        put(s, Frame.VICTIMS, get(s, Frame.VICTIMS) + 1)
        return
    put(s, Frame.STEP, Step.ARRIVE)
    s.dying[:] = 0
    s.dying[(action - FIGURE_AT) // NUM_BOARD] = 1
    begin_deaths(s, clan_in_question(s), get(s, Frame.PLACE), Cause.ARRIVAL)
