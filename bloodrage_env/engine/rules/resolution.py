"""Battle from the comparison on (rules 4.6, 4.7; 6.1.1 steps 9 to 16)."""

from enum import IntEnum

from ...core.compiled import rule
from .. import hooks
from ..actions import CARD, NO, YES
from ..card_ids import NUM_CARDS
from ..cards import STRENGTH, TYPE, Effect
from ..ids import NONE, CardType, Cause, Decision, Figure, Place, Source, Stat
from ..primitives import (
    card_on_table,
    discard_openly,
    gain_glory,
    gain_rage,
    stat_value,
    take_from_table,
    take_in_hand_openly,
)
from ..queries import clan_strength
from ..stack import Routine, ask, clockwise, get, pop, push, put
from ..state import ARG_A, ARG_B, ARG_C, SEAT, STEP, State
from .choices import ask_stat
from .deaths import mark_all
from .invade import invade
from .setup import clear_battle

SLAUGHTER = 2  # enemy figures (rules 6.2.10)


class Step(IntEnum):
    """Of the resolution; the numbers of rules 6.1.1 beside them."""

    COMPARE = 0  # 9
    TEXTS = 1  # 10
    CARDS = 2  # 11
    BUY_BACK = 3  # 11
    DEATHS = 4  # 12
    SPOILS = 5  # 13
    GLORY = 6  # 14 and 15, then 16


@rule
def resolution(s: State) -> None:
    """ARG_A is the province, ARG_B counts seats from the pillager clockwise."""
    if get(s, STEP) == Step.COMPARE:
        compare(s)
        put(s, STEP, Step.TEXTS)
    if get(s, STEP) == Step.TEXTS:
        while get(s, ARG_B) < s.num_players:
            seat = clockwise(s, s.pillager, get(s, ARG_B))
            put(s, ARG_B, get(s, ARG_B) + 1)
            if s.winner != NONE and texts_of_outcome(s, seat):
                return
        put(s, STEP, Step.CARDS)
    if get(s, STEP) == Step.CARDS:
        losers_take_back(s)
        put(s, ARG_B, 0)
        put(s, STEP, Step.BUY_BACK)
    if get(s, STEP) == Step.BUY_BACK:
        if s.winner != NONE and winners_cards(s):
            return
        put(s, ARG_B, 0)
        put(s, STEP, Step.DEATHS)
    if get(s, STEP) == Step.DEATHS:
        while get(s, ARG_B) < s.num_players:
            seat = clockwise(s, s.pillager, get(s, ARG_B))
            put(s, ARG_B, get(s, ARG_B) + 1)
            if seat != s.winner and s.in_battle[seat] == 1 and mark_all(s, seat, s.battle_province) > 0:
                push(s, Routine.DEATHS, seat, s.battle_province, Cause.DEFEAT, 0)
                return
        put(s, STEP, Step.SPOILS)
    if get(s, STEP) == Step.SPOILS:
        put(s, STEP, Step.GLORY)
        if s.winner == s.pillager:
            push(s, Routine.PILLAGED, s.pillager, s.battle_province, 0, 0)
            return
    battle_glory(s)
    end_battle(s)


@rule
def table_strength(s: State, seat: int) -> int:
    """+STR of a clan's cards on the table, without a card that copies others (rules 4.3, 4.5, 6.2.5)."""
    total = int(s.counted[seat])
    if s.main[seat] != NONE and TYPE[s.main[seat]] == CardType.BATTLE:
        total += int(STRENGTH[s.main[seat]])
    for i in range(s.late_count[seat]):
        total += int(STRENGTH[s.late[seat, i]])
    return total


@rule
def best_card(s: State, seat: int) -> int:
    """The highest single +STR among a clan's cards on the table (rules 6.2.3)."""
    best = int(s.counted[seat])
    if s.main[seat] != NONE and TYPE[s.main[seat]] == CardType.BATTLE:
        best = int(STRENGTH[s.main[seat]])
    for i in range(s.late_count[seat]):
        best = max(best, int(STRENGTH[s.late[seat, i]]))
    return best


@rule
def compare(s: State) -> None:
    """The greatest total wins; in a tie for it everybody loses (rules 4.6)."""
    best = -1
    for seat in range(s.num_players):
        if s.in_battle[seat] == 1:
            total = clan_strength(s, seat, s.battle_province) + table_strength(s, seat)
            if hooks.copies_best_card(s, seat):
                copied = 0
                for other in range(s.num_players):
                    if other != seat:
                        copied = max(copied, best_card(s, other))
                total += copied
            s.total[seat] = total
            if total > best:
                best = total
                s.winner = seat
            elif total == best:
                s.winner = NONE


@rule
def texts_of_outcome(s: State, seat: int) -> bool:
    """Step 10: texts that speak of winning or losing; True if the seat is asked for a stat.

    What a loser takes is at most what the winner has (rules 6.2.6).
    """
    winner = int(s.winner)
    if seat == winner:
        gain_glory(s, seat, hooks.text_number(s, seat, Effect.WIN_GLORY), Source.BATTLE_CARDS)
        gain_rage(s, seat, hooks.text_number(s, seat, Effect.WIN_RAGE))
        if hooks.text_number(s, seat, Effect.WIN_STEP) > 0:
            return ask_stat(s, seat, hooks.ALL_STATS, s.battle_province, s.text[seat])
        return False
    rage = min(hooks.text_number(s, seat, Effect.LOSE_RAGE), int(s.rage[winner]))
    gain_rage(s, seat, rage)
    gain_rage(s, winner, -rage)
    glory = min(hooks.text_number(s, seat, Effect.LOSE_GLORY), int(s.glory[winner]))
    gain_glory(s, seat, glory, Source.BATTLE_CARDS)
    gain_glory(s, winner, -glory, Source.BATTLE_CARDS)
    if s.thief == NONE and hooks.steals_cards(s, seat):
        s.thief = seat
    return False


@rule
def losers_take_back(s: State) -> None:
    """Losers take their cards back into the hand (rules 4.6)."""
    for seat in range(s.num_players):
        if seat != s.winner:
            give_table_to(s, seat, seat)


@rule
def give_table_to(s: State, seat: int, receiver: int) -> None:
    """All of a clan's cards on the table go into a hand, in the open."""
    card = card_on_table(s, seat, 0)
    while card != NONE:
        take_from_table(s, seat, card)
        take_in_hand_openly(s, receiver, card)
        card = card_on_table(s, seat, 0)


@rule
def winners_cards(s: State) -> bool:
    """Poison takes the winner's cards, otherwise some may be bought back, the rest is discarded (rules 6.2.7).

    True while the winner is asked; ARG_B is the lowest card id still on offer.
    """
    winner = int(s.winner)
    if s.thief != NONE:
        give_table_to(s, winner, int(s.thief))
        return False
    if hooks.may_buy_back(s, winner) and card_on_table(s, winner, get(s, ARG_B)) != NONE:
        ask(s, Decision.BUY_BACK, winner, s.battle_province, NONE, NONE)
        s.choices = get(s, ARG_B)
        return True
    card = card_on_table(s, winner, 0)
    while card != NONE:
        take_from_table(s, winner, card)
        discard_openly(s, card)
        card = card_on_table(s, winner, 0)
    return False


@rule
def mask_buy_back(s: State) -> None:
    """CARD[card] on the table, in rising order of ids, or NO: no further one"""
    s.mask[NO] = 1
    card = card_on_table(s, s.seat, s.choices)
    while card != NONE:
        s.mask[CARD + card] = 1
        card = card_on_table(s, s.seat, card + 1)


@rule
def apply_buy_back(s: State, seat: int, action: int) -> None:
    """One Rage each."""
    if action == NO:
        put(s, ARG_B, NUM_CARDS)  # above every card id
        return
    card = action - CARD
    gain_rage(s, seat, -hooks.BUY_BACK_PRICE)
    take_from_table(s, seat, card)
    take_in_hand_openly(s, seat, card)
    put(s, ARG_B, card)


@rule
def battle_glory(s: State) -> None:
    """Steps 14 and 15: Axes for the winner, then what cards pay for the fallen, clan by clan (rules 4.7, 6.2.10)."""
    if s.winner != NONE:
        gain_glory(s, int(s.winner), stat_value(s, int(s.winner), Stat.AXES), Source.BATTLE)
    all_fallen = int(s.fallen.sum())
    for offset in range(s.num_players):
        seat = clockwise(s, s.pillager, offset)
        if s.in_battle[seat] == 1:
            enemies = all_fallen - int(s.fallen[seat])
            gain_glory(s, seat, all_fallen * hooks.text_number(s, seat, Effect.FALLEN_GLORY), Source.BATTLE_CARDS)
            gain_glory(s, seat, enemies * hooks.attended_glory(s, seat), Source.UPGRADES)
            if enemies >= SLAUGHTER:
                gain_glory(s, seat, hooks.slaughter_glory(s, seat), Source.UPGRADES)


@rule
def end_battle(s: State) -> None:
    """The battle is over; step 16 goes through the clans that lost it."""
    losers = 0
    for seat in range(s.num_players):
        if s.in_battle[seat] == 1 and seat != s.winner:
            losers |= 1 << seat
    pillager = int(s.pillager)
    province = int(s.battle_province)
    clear_battle(s)
    pop(s)
    push(s, Routine.BLESSING, pillager, province, losers, 0)


# ---- step 16


@rule
def blessing(s: State) -> None:
    """Loki's Blessing, clan by clan; ARG_B holds the losers (bits), ARG_C counts seats (rules 6.3.5)."""
    while get(s, ARG_C) < s.num_players:
        seat = clockwise(s, get(s, SEAT), get(s, ARG_C))
        put(s, ARG_C, get(s, ARG_C) + 1)
        if get(s, ARG_B) & (1 << seat) and hooks.may_bless(s, seat, get(s, ARG_A)):
            ask(s, Decision.BLESSING, seat, get(s, ARG_A), NONE, Figure.WARRIOR)
            return
    pop(s)


@rule
def apply_blessing(s: State, seat: int, action: int) -> None:
    """An Invade in every way (rules 6.3.1)."""
    if action == YES:
        invade(s, seat, Figure.WARRIOR, Place.RESERVE, s.about_place)
