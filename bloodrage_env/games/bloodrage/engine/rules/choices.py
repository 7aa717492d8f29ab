"""Choices of several chapters: yes or no; the raise of a stat, never declined, among those that can still be raised
(rules 4.8, 6.3.20).
"""

from .....core.compile.decorators import rule
from ..actions import NO, STAT, YES
from ..ids import NONE, NUM_STATS, NUM_STEPS, Decision
from ..primitives import raise_stat
from ..stack import ask
from ..state import State


@rule
def mask_yes_no(s: State) -> None:
    """YES or NO."""
    s.mask[YES] = 1
    s.mask[NO] = 1


@rule
def ask_stat(s: State, seat: int, allowed: int, place: int, card: int) -> bool:
    """Ask which stat of `allowed` (bits) to raise; False if none can be, and the raise is lost."""
    stats = 0
    for stat in range(NUM_STATS):
        if allowed & (1 << stat) and s.stat_step[seat, stat] < NUM_STEPS - 1:
            stats |= 1 << stat
    if stats == 0:
        return False
    ask(s, Decision.STAT, seat, place, card, NONE)
    s.stats = stats
    return True


@rule
def mask_stat(s: State) -> None:
    """STAT[stat]"""
    for stat in range(NUM_STATS):
        if s.stats & (1 << stat):
            s.mask[STAT + stat] = 1


@rule
def apply_stat(s: State, seat: int, action: int) -> None:
    """Raise it."""
    raise_stat(s, seat, action - STAT)
