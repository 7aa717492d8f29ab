"""Battle up to the comparison: cards, texts before it, late cards (rules 4.3 to 4.5; 6.1.1 steps 4 to 8)."""

from enum import IntEnum

from ...core.compiled import rule
from .. import hooks
from ..actions import CARD, COUNT, FIGURE_AT, NO
from ..board import FJORD_OF
from ..card_ids import NUM_CARDS
from ..cards import LATE, TYPE
from ..ids import (
    NONE,
    NUM_BOARD,
    NUM_KINDS,
    NUM_SLOTS,
    CardType,
    Cause,
    Decision,
    Slot,
)
from ..primitives import figure_place, lay_on_table, lay_open
from ..queries import figures_in_reach, figures_of_kind
from ..stack import Routine, ask, clockwise, figure_at, get, pop, push, put
from ..state import ARG_A, ARG_B, ARG_C, SEAT, STEP, State
from .deaths import mark_all


class Step(IntEnum):
    """Of a battle, as far as the comparison."""

    BEGIN = 0
    COMMIT = 1
    REVEAL = 2
    COUNT_QUESTS = 3
    DISRUPT = 4
    LATE = 5


@rule
def next_step(s: State, step: int) -> None:
    """Go on with `step`, from the pillager on."""
    put(s, STEP, step)
    put(s, ARG_B, 0)
    put(s, ARG_C, 0)


@rule
def battle(s: State) -> None:
    """ARG_A is the province; from COUNT_QUESTS on ARG_B and ARG_C count seats from the pillager clockwise."""
    if get(s, STEP) == Step.BEGIN:
        begin_battle(s, get(s, SEAT), get(s, ARG_A))
        next_step(s, Step.COMMIT)
    while get(s, STEP) <= Step.REVEAL:
        if get(s, STEP) == Step.COMMIT:
            if ask_battle_card(s):
                return
            next_step(s, Step.REVEAL)
        reveal(s)
        hooks.silence(s)
        next_step(s, Step.COMMIT if hooks.choose_anew(s) else Step.COUNT_QUESTS)
    if get(s, STEP) == Step.COUNT_QUESTS:
        if ask_count_quest(s):
            return
        next_step(s, Step.DISRUPT)
    if get(s, STEP) == Step.DISRUPT:
        if disrupt(s):
            return
        next_step(s, Step.LATE)
    if ask_late_card(s):
        return
    pop(s)
    push(s, Routine.RESOLUTION, s.pillager, s.battle_province, 0, 0)


@rule
def begin_battle(s: State, pillager: int, province: int) -> None:
    """Every clan with a figure there or in the fjord is in the battle, to the end (rules 4.3)."""
    s.battle = 1
    s.battle_province = province
    s.pillager = pillager
    for seat in range(s.num_players):
        s.in_battle[seat] = figures_in_reach(s, seat, province) > 0
        for slot in range(Slot.MONSTER_1, Slot.MONSTER_2 + 1):
            s.attended[seat, slot - Slot.MONSTER_1] = figures_of_kind(s, seat, slot, province)


# ---- step 4: everybody commits a card, all are revealed


@rule
def ask_battle_card(s: State) -> bool:
    """Ask the next clan of the battle that has not chosen; only with an empty hand it has nothing to (rules 4.3)."""
    for offset in range(s.num_players):
        seat = clockwise(s, s.pillager, offset)
        if s.in_battle[seat] == 1 and s.hand_size[seat] > 0 and s.pending[seat, 0] == NONE:
            ask(s, Decision.BATTLE_CARD, seat, s.battle_province, NONE, NONE)
            return True
    return False


@rule
def mask_battle_card(s: State) -> None:
    """CARD[card] of the hand, of any type"""
    for card in range(NUM_CARDS):
        if s.hand[s.seat, card] > 0:
            s.mask[CARD + card] = 1


@rule
def apply_battle_card(s: State, seat: int, action: int) -> None:
    """Face down until all have chosen."""
    s.pending[seat, 0] = action - CARD


@rule
def reveal(s: State) -> None:
    """All cards are turned up at once; a battle card's text works, others have none here (rules 4.3)."""
    for seat in range(s.num_players):
        card = s.pending[seat, 0]
        s.pending[seat, 0] = NONE
        if card != NONE:
            lay_open(s, seat, card)
            if TYPE[card] == CardType.BATTLE:
                s.text[seat] = card


# ---- step 7: quests counted as battle cards, then cards that destroy


@rule
def ask_count_quest(s: State) -> bool:
    """Ask the next clan whose revealed quest may count (rules 6.2.5)."""
    while get(s, ARG_B) < s.num_players:
        seat = clockwise(s, s.pillager, get(s, ARG_B))
        put(s, ARG_B, get(s, ARG_B) + 1)
        if hooks.may_count_quest(s, seat):
            ask(s, Decision.COUNT_QUEST, seat, s.battle_province, s.main[seat], NONE)
            return True
    return False


@rule
def mask_count_quest(s: State) -> None:
    """COUNT[0], or the value of one of the upgrades, never their sum (rules 6.2.5)."""
    for slot in range(NUM_SLOTS):
        s.mask[COUNT + hooks.quest_value(s, s.seat, slot)] = 1


@rule
def apply_count_quest(s: State, seat: int, action: int) -> None:
    """What the quest counts as a battle card."""
    s.counted[seat] = action - COUNT


@rule
def disrupt(s: State) -> bool:
    """Smite and Tide, clan by clan from the pillager (rules 6.1.1, 6.2.4); True while something is under way.

    ARG_B counts the owners of cards, ARG_C their victims.
    """
    while get(s, ARG_B) < s.num_players:
        owner = clockwise(s, s.pillager, get(s, ARG_B))
        smite = hooks.is_smite(s, owner)
        tide = hooks.is_tide(s, owner)
        while (smite or tide) and get(s, ARG_C) < s.num_players:
            victim = clockwise(s, s.pillager, get(s, ARG_C))
            put(s, ARG_C, get(s, ARG_C) + 1)
            if smite and hooks.mark_smite_victim(s, owner, victim, s.battle_province) > 0:
                push(s, Routine.DEATHS, victim, s.battle_province, Cause.CARD, 0)
                return True
            if tide and figures_in_reach(s, victim, s.battle_province) > 1:
                ask(s, Decision.KEEP_FIGURE, victim, s.battle_province, NONE, NONE)
                return True
        if tide:
            s.tide_done = 1
        put(s, ARG_B, get(s, ARG_B) + 1)
        put(s, ARG_C, 0)
    return False


@rule
def mask_keep_figure(s: State) -> None:
    """FIGURE_AT[kind, where it stands]: ships of the fjord too (rules 6.2.4)."""
    province = int(s.about_place)
    for kind in range(NUM_KINDS):
        if figures_of_kind(s, s.seat, kind, province) > 0:
            s.mask[figure_at(kind, figure_place(s, s.seat, kind, province, FJORD_OF[province]))] = 1


@rule
def apply_keep_figure(s: State, seat: int, action: int) -> None:
    """All figures of the clan but one are about to die."""
    mark_all(s, seat, s.battle_province)
    s.dying[(action - FIGURE_AT) // NUM_BOARD] -= 1
    push(s, Routine.DEATHS, seat, s.battle_province, Cause.TIDE, 0)


# ---- step 8: late cards


@rule
def ask_late_card(s: State) -> bool:
    """Ask round and round until all decline in a row (rules 4.5).

    Every clan of the battle with a card in hand is asked, so that the question tells nothing (rules 7.8). ARG_C counts
    declines.
    """
    while get(s, ARG_C) < s.num_players:
        seat = clockwise(s, s.pillager, get(s, ARG_B))
        put(s, ARG_B, (get(s, ARG_B) + 1) % s.num_players)
        put(s, ARG_C, get(s, ARG_C) + 1)
        if s.in_battle[seat] == 1 and s.hand_size[seat] > 0:
            ask(s, Decision.LATE_CARD, seat, s.battle_province, NONE, NONE)
            return True
    return False


@rule
def mask_late_card(s: State) -> None:
    """CARD[card with a white disc], or NO"""
    s.mask[NO] = 1
    for card in range(NUM_CARDS):
        if LATE[card] == 1 and s.hand[s.seat, card] > 0:
            s.mask[CARD + card] = 1


@rule
def apply_late_card(s: State, seat: int, action: int) -> None:
    """Add it; everybody may answer."""
    if action != NO:
        lay_on_table(s, seat, action - CARD)
        put(s, ARG_C, 0)
