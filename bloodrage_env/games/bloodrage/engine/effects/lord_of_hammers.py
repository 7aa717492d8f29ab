"""Lord of Hammers: a leader moves on after a pillage (rules 6.3.16, 6.4.3.2)."""

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import FIGURE_AT, NO, PROVINCE
from ..ids import NONE, NUM_BOARD, NUM_KINDS, NUM_PROVINCES, Decision
from ..primitives import move_figure
from ..queries import may_move_on
from ..stack import ask, figure_at
from ..state import State


@rule
def mask_leader_move(s: State) -> None:
    """PROVINCE[p], or NO; where several leaders stand first FIGURE_AT[kind, where it stands], or NO"""
    s.mask[NO] = 1
    if s.about_kind == NONE:
        for kind in range(NUM_KINDS):
            if hooks.is_leader(s, s.seat, kind) and s.figures[s.seat, kind, s.about_place] > 0:
                s.mask[figure_at(kind, s.about_place)] = 1
        return
    for target in range(NUM_PROVINCES):
        if may_move_on(s, s.about_place, target):
            s.mask[PROVINCE + target] = 1


@rule
def apply_leader_move(s: State, seat: int, action: int) -> None:
    """Neither Invade nor March. Once it is named which leader moves, the question is where to."""
    if action >= FIGURE_AT:
        ask(s, Decision.LEADER_MOVE, seat, s.about_place, NONE, (action - FIGURE_AT) // NUM_BOARD)
    elif action != NO:
        move_figure(s, seat, s.about_kind, s.about_place, action - PROVINCE)
