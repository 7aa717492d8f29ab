"""Battle from the comparison on (rules 4.6, 4.7; 6.1.1 steps 9 to 16)."""

from enum import IntEnum

from .....core.compile.decorators import rule
from .. import hooks
from ..cards import STRENGTH, TYPE, Effect
from ..ids import NONE, CardType, Cause, Purpose, Routine, Source, Stat
from ..primitives import (
    card_on_table,
    discard_openly,
    gain_glory,
    gain_rage,
    stat_value,
    take_from_table,
    take_in_hand_openly,
)
from ..stack import clockwise, get, pop, push, put
from ..state import Frame, State
from .choices import ask_stat
from .deaths import begin_deaths, mark_all
from .pillage import bar_pillage
from .setup import clear_battle
from .strength import clan_strength

SLAUGHTER = 2  # enemy figures (rules 6.2.10)


class Step(IntEnum):
    """The steps of the resolution of a battle, each with its number in rules 6.1.1."""

    COMPARE = 0  # 9
    TEXTS = 1  # 10
    CARDS = 2  # 11
    DISCARD = 3  # 11
    DEATHS = 4  # 12
    SPOILS = 5  # 13
    GLORY = 6  # 14 and 15, then 16


@rule
def resolution(s: State) -> None:
    """What comes of a battle, clan by clan from the pillager."""
    province = get(s, Frame.PLACE)
    if get(s, Frame.STEP) == Step.COMPARE:
        compare(s)
        bar_pillage(s, get(s, Frame.SEAT), province)
        put(s, Frame.STEP, Step.TEXTS)
    if get(s, Frame.STEP) == Step.TEXTS:
        while get(s, Frame.ASKED) < s.num_players:
            seat = clockwise(s, s.pillager, get(s, Frame.ASKED))
            put(s, Frame.ASKED, get(s, Frame.ASKED) + 1)
            if s.winner != NONE and texts_of_outcome(s, seat):
                return
        put(s, Frame.STEP, Step.CARDS)
    if get(s, Frame.STEP) == Step.CARDS:
        put(s, Frame.STEP, Step.DISCARD)
        losers_take_back(s)
        if s.winner != NONE and s.thief != NONE:
            give_table_to(s, int(s.winner), int(s.thief))
        elif s.winner != NONE and hooks.winner_keeps_cards(s, int(s.winner), province):
            return
    if get(s, Frame.STEP) == Step.DISCARD:
        if s.winner != NONE:
            discard_table(s, int(s.winner))
        put(s, Frame.ASKED, 0)
        put(s, Frame.STEP, Step.DEATHS)
    if get(s, Frame.STEP) == Step.DEATHS:
        while get(s, Frame.ASKED) < s.num_players:
            seat = clockwise(s, s.pillager, get(s, Frame.ASKED))
            put(s, Frame.ASKED, get(s, Frame.ASKED) + 1)
            lost = s.in_battle[seat] == 1 and seat != s.winner and hooks.battle_destroys(s, province)
            if lost and mark_all(s, seat, province) > 0:
                begin_deaths(s, seat, province, Cause.DEFEAT)
                return
        put(s, Frame.STEP, Step.SPOILS)
    if get(s, Frame.STEP) == Step.SPOILS:
        put(s, Frame.STEP, Step.GLORY)
        if s.winner == s.pillager:
            push(s, Routine.PILLAGED, s.pillager, province)
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
def total_strength(s: State, seat: int) -> int:
    """STR of a clan in the battle, its figures and all its cards on the table (rules 4.6)."""
    total = clan_strength(s, seat, s.battle_province, Purpose.BATTLE) + table_strength(s, seat)
    if hooks.copies_best_card(s, seat):
        copied = 0
        for other in range(s.num_players):
            if other != seat:
                copied = max(copied, best_card(s, other))
        total += copied
    return total


@rule
def compare(s: State) -> None:
    """The greatest total wins; in a tie for it everybody loses (rules 4.6)."""
    best = -1
    for seat in range(s.num_players):
        if s.in_battle[seat] == 1:
            total = total_strength(s, seat)
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
def discard_table(s: State, seat: int) -> None:
    """What is left of the winner's cards on the table is discarded (rules 4.6)."""
    card = card_on_table(s, seat, 0)
    while card != NONE:
        take_from_table(s, seat, card)
        discard_openly(s, card)
        card = card_on_table(s, seat, 0)


@rule
def battle_glory(s: State) -> None:
    """Step 14 and 15: Axes for the winner, then what pays for the fallen, clan by clan (rules 4.7, 6.2.10)."""
    province = int(s.battle_province)
    all_fallen = int(s.fallen.sum())
    for offset in range(s.num_players):
        seat = clockwise(s, s.pillager, offset)
        if s.in_battle[seat] == 1:
            axes = stat_value(s, seat, Stat.AXES)
            if hooks.losers_gain_axes(s, province):
                gain_glory(s, seat, axes if seat != s.winner else 0, Source.GODS)
            elif seat == s.winner:
                gain_glory(s, seat, axes, Source.BATTLE)
            enemies = all_fallen - int(s.fallen[seat])
            gain_glory(s, seat, all_fallen * hooks.text_number(s, seat, Effect.FALLEN_GLORY), Source.BATTLE_CARDS)
            gain_glory(s, seat, enemies * hooks.attended_glory(s, seat), Source.UPGRADES)
            if enemies >= SLAUGHTER:
                gain_glory(s, seat, hooks.slaughter_glory(s, seat), Source.UPGRADES)
            if seat == s.winner:
                gain_glory(s, seat, hooks.winner_glory(s, seat, int(s.mystics[seat])), Source.UPGRADES)
                gain_glory(s, seat, enemies * hooks.winner_enemy_glory(s, province), Source.GODS)


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
    hooks.after_battle(s, pillager, province, losers)
