"""Ragnarok: the doomed province is destroyed (rules 3.5)."""

from ...core.compiled import rule
from ..ids import Cause
from ..stack import Routine, clockwise, get, pop, push, put
from ..state import ARG_A, State
from .deaths import mark_all


@rule
def ragnarok(s: State) -> None:
    """Every figure there and in its fjord dies gloriously, clan by clan from the first player. ARG_A counts seats."""
    province = int(s.ragnarok[s.age])
    while get(s, ARG_A) < s.num_players:
        seat = clockwise(s, s.first_player, get(s, ARG_A))
        put(s, ARG_A, get(s, ARG_A) + 1)
        if mark_all(s, seat, province) > 0:
            push(s, Routine.DEATHS, seat, province, Cause.RAGNAROK, 0)
            return
    s.destroyed[province] = 1
    pop(s)
