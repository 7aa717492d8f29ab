"""Frigga's Chosen: a Mystic withdraws instead of being destroyed (rules 6.4.4.7, 6.4.4.8)."""

from .....core.compile.decorators import rule
from ..actions import NO, PROVINCE
from ..ids import NUM_PROVINCES
from ..primitives import move_figure
from ..queries import may_move_on
from ..rules.deaths import destroy_marked, withdraw_or_die
from ..state import State


@rule
def mask_withdraw(s: State) -> None:
    """PROVINCE[p] where one Mystic goes, or NO: it and the others that are about to die do so"""
    s.mask[NO] = 1
    for target in range(NUM_PROVINCES):
        if may_move_on(s, s.about_place, target):
            s.mask[PROVINCE + target] = 1


@rule
def apply_withdraw(s: State, seat: int, action: int) -> None:
    """Neither Invade nor March, and nobody was destroyed; the next Mystic is asked about."""
    kind = int(s.about_kind)
    if action == NO:
        destroy_marked(s, kind)
    else:
        move_figure(s, seat, kind, s.about_place, action - PROVINCE)
        s.dying[kind] -= 1
    withdraw_or_die(s, kind)
