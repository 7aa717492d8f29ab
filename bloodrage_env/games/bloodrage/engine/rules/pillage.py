"""Pillage: the call to battle, and what success brings (rules 3.2.9, 4.1, 4.2, 4.7, 4.8; 6.1.1 steps 1 to 3, 13)."""

from enum import IntEnum

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import FIGURE_AT, NO
from ..board import ADJACENT, FJORD_OF, TOKEN_GLORY
from ..cards import Effect
from ..decks import has_set
from ..ids import (
    NONE,
    NUM_BOARD,
    NUM_KINDS,
    NUM_OUTER,
    NUM_PROVINCES,
    NUM_STATS,
    CardSet,
    Decision,
    Figure,
    Routine,
    Source,
    Token,
)
from ..primitives import gain_glory, move_figure, raise_stat
from ..queries import card_of, figures_in_reach, room
from ..stack import ask, clockwise, figure_at, get, pop, push, put
from ..state import Frame, State
from .choices import ask_stat
from .gods import end_pillage
from .setup import clear_battle


@rule
def begin_pillage(s: State, seat: int, province: int) -> None:
    """The clan to the left of the pillager is called first (rules 4.1)."""
    push(s, Routine.PILLAGE, seat, province)
    put(s, Frame.NEXT, clockwise(s, seat, 1))


@rule
def pillage(s: State) -> None:
    """Call to battle, then a battle or, with nobody else there, success (rules 4.1, 4.2)."""
    pillager = get(s, Frame.SEAT)
    province = get(s, Frame.PLACE)
    while room(s, province) > 0 and get(s, Frame.DECLINED) < s.num_players:
        caller = get(s, Frame.NEXT)
        put(s, Frame.NEXT, clockwise(s, caller, 1))
        put(s, Frame.DECLINED, get(s, Frame.DECLINED) + 1)
        if can_join(s, caller, province):
            ask(s, Decision.CALL, caller, province, NONE, NONE)
            return
    pop(s)
    clear_battle(s)
    alone = True
    for seat in range(s.num_players):
        alone = alone and (seat == pillager or figures_in_reach(s, seat, province) == 0)
    push(s, Routine.PILLAGED if alone else Routine.BATTLE, pillager, province)


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
    """Join, and the count of those who declined begins again; it is no Invade and sets nothing off."""
    if action != NO:
        origin = (action - FIGURE_AT) % NUM_BOARD
        move_figure(s, seat, (action - FIGURE_AT) // NUM_BOARD, origin, get(s, Frame.PLACE))
        put(s, Frame.DECLINED, 0)


# ---- against endless games (rules 6.4.1.7)


@rule
def bar_pillage(s: State, seat: int, province: int) -> None:
    """Step 9 of a battle over the clan's own pillage, with the sets that make such battles repeat."""
    if has_set(s, CardSet.MYSTICS) or has_set(s, CardSet.GODS):
        s.barred[seat, province] = 1


@rule
def allow_pillage(s: State, seat: int, place: int) -> None:
    """A figure has come by Invade or March: to a province, or to a fjord and so to the provinces that it supports."""
    for province in range(NUM_PROVINCES):
        if province == place or (province < NUM_OUTER and FJORD_OF[province] == place):
            s.barred[seat, province] = 0


# ---- step 13: the pillager won, or was alone


class Step(IntEnum):
    """The steps of a successful pillage, in the order of rules 6.1.1 step 13."""

    TOKEN = 0
    TEXT = 1
    LEADER = 2
    MOVE = 3
    END = 4


@rule
def pillaged(s: State) -> None:
    """The token's reward, the text of the pillager's card, the leader upgrade."""
    seat = get(s, Frame.SEAT)
    province = get(s, Frame.PLACE)
    if get(s, Frame.STEP) == Step.TOKEN:
        put(s, Frame.STEP, Step.TEXT)
        s.pillaged[province] = 1
        for _ in range(hooks.token_times(s, seat, province)):
            gain_token(s, seat, int(s.token[province]))
    if get(s, Frame.STEP) == Step.TEXT:
        put(s, Frame.STEP, Step.LEADER)
        if ask_stat(s, seat, hooks.stats_of_text(s, seat, province), province, s.text[seat]):
            return
    if get(s, Frame.STEP) == Step.LEADER:
        put(s, Frame.STEP, Step.MOVE)
        if hooks.leader_number(s, seat, Effect.PILLAGE_ALL, province) > 0:
            for stat in range(NUM_STATS):
                raise_stat(s, seat, stat)
        if hooks.leader_number(s, seat, Effect.PILLAGE_STEP, province) > 0:
            if ask_stat(s, seat, hooks.ALL_STATS, province, card_of(s, seat, Figure.LEADER)):
                return
    if get(s, Frame.STEP) == Step.MOVE:
        put(s, Frame.STEP, Step.END)
        if hooks.ask_leader_move(s, seat, province):
            return
    pop(s)
    if s.battle == 0:  # unopposed: the pillage is over
        end_pillage(s, seat, province)


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
