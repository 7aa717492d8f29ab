"""Monsters whose text is not a plain number (rules 6.3.10 to 6.3.14)."""

from ..board import FJORD_OF
from ..card_ids import Card
from ..compiled import State, rule
from ..ids import NUM_KINDS, NUM_OUTER, Cause, Figure
from ..primitives import monster_card
from ..queries import has_fjord


@rule
def mark_arrival_victims(s: State, card: int, victim: int, province: int) -> int:
    """Mark in `dying` what an invading monster kills of another clan; returns how many figures (rules 6.3.11)."""
    s.dying[:] = 0
    if card == Card.TROLL:
        s.dying[Figure.WARRIOR] = s.figures[victim, Figure.WARRIOR, province]
    elif card == Card.FIRE_GIANT:
        for kind in range(NUM_KINDS):
            if kind < Figure.MONSTER_1 or kind == Figure.MYSTIC:
                s.dying[kind] = s.figures[victim, kind, province]
                if has_fjord(province):
                    s.dying[kind] += s.figures[victim, kind, FJORD_OF[province]]
    return int(s.dying.sum())


@rule
def may_escape(s: State, seat: int, kind: int, province: int, cause: int) -> bool:
    """The Volur Witch leaves an outer province instead of dying of a defeat, a Tide or Ragnarok (rules 6.3.10)."""
    if monster_card(s, seat, kind) != Card.VOLUR_WITCH or province >= NUM_OUTER:
        return False
    return cause == Cause.DEFEAT or cause == Cause.TIDE or cause == Cause.RAGNAROK
