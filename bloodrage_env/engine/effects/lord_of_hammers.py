"""Lord of Hammers: the leader moves on after a pillage (rules 6.3.16)."""

from ..actions import NO, PROVINCE
from ..board import ADJACENT
from ..compiled import State, rule
from ..ids import NUM_PROVINCES
from ..primitives import move_figure
from ..queries import room


@rule
def may_move_on(s: State, province: int, target: int) -> bool:
    """An adjacent province with room."""
    return ADJACENT[province, target] and s.destroyed[target] == 0 and room(s, target) > 0


@rule
def mask_leader_move(s: State) -> None:
    """PROVINCE[p], or NO"""
    s.mask[NO] = 1
    for target in range(NUM_PROVINCES):
        if may_move_on(s, s.about_place, target):
            s.mask[PROVINCE + target] = 1


@rule
def apply_leader_move(s: State, seat: int, action: int) -> None:
    """Neither Invade nor March."""
    if action != NO:
        move_figure(s, seat, s.about_kind, s.about_place, action - PROVINCE)
