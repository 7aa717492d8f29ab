"""Frigga's Sacrifice: two own figures for a step on a stat (rules 6.3.8)."""

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import FIGURE_AT
from ..ids import NONE, NUM_BOARD, NUM_KINDS, Cause, Decision
from ..rules.choices import ask_stat
from ..rules.deaths import destroy
from ..stack import ask, figure_at, get, pop, put
from ..state import Frame, State

FIGURES = 2


@rule
def sacrifice(s: State) -> None:
    """The figures die without save or escape, then a stat is raised; the step counts the figures asked for."""
    seat = get(s, Frame.SEAT)
    step = get(s, Frame.STEP)
    put(s, Frame.STEP, step + 1)
    if step < FIGURES:
        ask(s, Decision.SACRIFICE, seat, NONE, NONE, NONE)
        return
    pop(s)
    ask_stat(s, seat, hooks.ALL_STATS, NONE, NONE)


@rule
def mask_sacrifice(s: State) -> None:
    """FIGURE_AT[kind, where it stands]; the second id is not below the first, so that a pair is one sequence."""
    seat = s.seat
    second = get(s, Frame.STEP) == FIGURES
    first = get(s, Frame.FIRST)
    highest = 0
    for kind in range(NUM_KINDS):
        for place in range(NUM_BOARD):
            action = figure_at(kind, place)
            if s.figures[seat, kind, place] > 0 and (not second or action >= first):
                s.mask[action] = 1
                highest = action
    kind = (highest - FIGURE_AT) // NUM_BOARD
    if not second and s.figures[seat, kind, (highest - FIGURE_AT) % NUM_BOARD] == 1:
        s.mask[highest] = 0


@rule
def apply_sacrifice(s: State, seat: int, action: int) -> None:
    """It dies; ships pay their Dragons."""
    put(s, Frame.FIRST, action)
    kind = (action - FIGURE_AT) // NUM_BOARD
    destroy(s, seat, kind, (action - FIGURE_AT) % NUM_BOARD, 1, Cause.SACRIFICE)
