"""Loki's Blessing: a warrior invades where its clan has lost a battle (rules 6.3.5; step 16 of rules 6.1.1)."""

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import YES
from ..ids import NONE, Decision, Figure, Place
from ..rules.gods import end_pillage
from ..rules.invade import invade
from ..stack import ask, clockwise, get, pop, put
from ..state import Frame, State


@rule
def blessing(s: State) -> None:
    """Clan by clan from the pillager; then the pillage is over."""
    pillager = get(s, Frame.SEAT)
    province = get(s, Frame.PLACE)
    while get(s, Frame.ASKED) < s.num_players:
        seat = clockwise(s, pillager, get(s, Frame.ASKED))
        put(s, Frame.ASKED, get(s, Frame.ASKED) + 1)
        if get(s, Frame.LOSERS) & (1 << seat) and hooks.may_bless(s, seat, province):
            ask(s, Decision.BLESSING, seat, province, NONE, Figure.WARRIOR)
            return
    pop(s)
    end_pillage(s, pillager, province)


@rule
def apply_blessing(s: State, seat: int, action: int) -> None:
    """An Invade in every way (rules 6.3.1)."""
    if action == YES:
        invade(s, seat, Figure.WARRIOR, Place.RESERVE, s.about_place)
