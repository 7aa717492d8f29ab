"""Pillage: the call to battle, and what success brings (rules 3.2.9, 4.1, 4.2, 4.7, 4.8; 6.1.1 steps 1 to 3, 13)."""

from enum import IntEnum

from ...core.compiled import rule
from .. import hooks
from ..actions import FIGURE_AT, NO, PROVINCE
from ..board import ADJACENT, TOKEN_GLORY
from ..cards import Effect
from ..ids import NONE, NUM_BOARD, NUM_KINDS, NUM_PROVINCES, NUM_STATS, Decision, Figure, Source, Token
from ..primitives import gain_glory, move_figure, raise_stat
from ..queries import figures_in_reach, room
from ..stack import Routine, ask, clockwise, figure_at, get, pop, push, put
from ..state import ARG_A, ARG_B, ARG_C, SEAT, STEP, State
from .choices import ask_stat
from .setup import clear_battle


@rule
def pillage(s: State) -> None:
    """Call to battle, then a battle or, with nobody else there, success (rules 4.1, 4.2).

    ARG_A is the province, ARG_B who is called next, ARG_C how many in a row have declined.
    """
    pillager = get(s, SEAT)
    province = get(s, ARG_A)
    while room(s, province) > 0 and get(s, ARG_C) < s.num_players:
        caller = get(s, ARG_B)
        put(s, ARG_B, clockwise(s, caller, 1))
        put(s, ARG_C, get(s, ARG_C) + 1)
        if can_join(s, caller, province):
            ask(s, Decision.CALL, caller, province, NONE, NONE)
            return
    pop(s)
    clear_battle(s)
    alone = True
    for seat in range(s.num_players):
        alone = alone and (seat == pillager or figures_in_reach(s, seat, province) == 0)
    push(s, Routine.PILLAGED if alone else Routine.BATTLE, pillager, province, 0, 0)


@rule
def can_join(s: State, seat: int, province: int) -> bool:
    """Whether a clan has a figure, not a ship, in an adjacent province (rules 4.1)."""
    for origin in range(NUM_PROVINCES):
        if ADJACENT[origin, province]:
            for kind in range(NUM_KINDS):
                if s.figures[seat, kind, origin] > 0:
                    return True
    return False


@rule
def mask_call(s: State) -> None:
    """FIGURE_AT[kind, where it comes from], or NO"""
    s.mask[NO] = 1
    for origin in range(NUM_PROVINCES):
        if ADJACENT[origin, s.about_place]:
            for kind in range(NUM_KINDS):
                if s.figures[s.seat, kind, origin] > 0:
                    s.mask[figure_at(kind, origin)] = 1


@rule
def apply_call(s: State, seat: int, action: int) -> None:
    """Join, and the count of those who declined begins anew; it is no Invade and sets nothing off."""
    if action != NO:
        origin = (action - FIGURE_AT) % NUM_BOARD
        move_figure(s, seat, (action - FIGURE_AT) // NUM_BOARD, origin, get(s, ARG_A))
        put(s, ARG_C, 0)


# ---- step 13: the pillager won, or was alone


class Step(IntEnum):
    """Of a successful pillage, in the order of rules 6.1.1 step 13."""

    TOKEN = 0
    GRACE = 1
    LEADER = 2
    MOVE = 3
    END = 4


@rule
def pillaged(s: State) -> None:
    """The token's reward, Frigga's Grace, the leader upgrade."""
    seat = get(s, SEAT)
    province = get(s, ARG_A)
    if get(s, STEP) == Step.TOKEN:
        put(s, STEP, Step.GRACE)
        s.pillaged[province] = 1
        for _ in range(hooks.token_times(s, seat, province)):
            gain_token(s, seat, int(s.token[province]))
    if get(s, STEP) == Step.GRACE:
        put(s, STEP, Step.LEADER)
        if ask_stat(s, seat, hooks.grace_stats(s, seat, province), province, s.text[seat]):
            return
    if get(s, STEP) == Step.LEADER:
        put(s, STEP, Step.MOVE)
        if hooks.leader_number(s, seat, Effect.PILLAGE_ALL, province) > 0:
            for stat in range(NUM_STATS):
                raise_stat(s, seat, stat)
        if hooks.leader_number(s, seat, Effect.PILLAGE_STEP, province) > 0:
            if ask_stat(s, seat, hooks.ALL_STATS, province, s.upgrades[seat, Figure.LEADER]):
                return
    if get(s, STEP) == Step.MOVE:
        put(s, STEP, Step.END)
        if hooks.leader_number(s, seat, Effect.PILLAGE_MOVE, province) > 0 and leader_can_move(s, province):
            ask(s, Decision.LEADER_MOVE, seat, province, NONE, Figure.LEADER)
            return
    pop(s)


@rule
def gain_token(s: State, seat: int, token: int) -> None:
    """Rules 4.8: a step on a stat, five glory, or a step on all three."""
    if token == Token.GLORY:
        gain_glory(s, seat, TOKEN_GLORY, Source.PILLAGE)
    elif token == Token.ALL_STATS:
        for stat in range(NUM_STATS):
            raise_stat(s, seat, stat)
    else:
        raise_stat(s, seat, token)


@rule
def leader_can_move(s: State, province: int) -> bool:
    """Whether any adjacent province has room."""
    for target in range(NUM_PROVINCES):
        if hooks.leader_may_go(s, province, target):
            return True
    return False


@rule
def mask_leader_move(s: State) -> None:
    """PROVINCE[p], or NO"""
    s.mask[NO] = 1
    for target in range(NUM_PROVINCES):
        if hooks.leader_may_go(s, s.about_place, target):
            s.mask[PROVINCE + target] = 1


@rule
def apply_leader_move(s: State, seat: int, action: int) -> None:
    """Neither Invade nor March (rules 6.3.16)."""
    if action != NO:
        move_figure(s, seat, Figure.LEADER, get(s, ARG_A), action - PROVINCE)
