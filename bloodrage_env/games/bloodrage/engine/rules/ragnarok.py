"""Ragnarok: the doomed province is destroyed (rules 3.5, 6.4.3.4, 6.4.5.4)."""

from .....core.compile.decorators import rule
from ..ids import NONE, Cause
from ..stack import clockwise, get, pop, put
from ..state import Frame, State
from .deaths import begin_deaths, mark_all


@rule
def ragnarok(s: State) -> None:
    """Every figure there and in its fjord dies gloriously, clan by clan from the first player."""
    province = get(s, Frame.PLACE)
    while province != NONE and get(s, Frame.ASKED) < s.num_players:
        seat = clockwise(s, s.first_player, get(s, Frame.ASKED))
        put(s, Frame.ASKED, get(s, Frame.ASKED) + 1)
        if mark_all(s, seat, province) > 0:
            begin_deaths(s, seat, province, Cause.RAGNAROK)
            return
    if province != NONE:
        s.destroyed[province] = 1
        s.god_in[province] = NONE  # a god who stood there is off the board
    pop(s)
