"""What a position pays a clan at the end of the Age and of the game (rules 3.4 to 3.6, 4.8, 5)."""

from enum import IntEnum
from typing import Final

from bloodrage_env.core.compile.decorators import Ints, rule
from bloodrage_env.games.bloodrage.engine import (
    NONE,
    NUM_KINDS,
    NUM_STATS,
    NUM_STEPS,
    QUEST_GLORY,
    RAGNAROK_GLORY,
    STAT_BONUS,
    TOKEN_GLORY,
    Phase,
    Place,
    State,
    Token,
    doomed_province,
    end_glory,
    figures_in_reach,
    figures_of_kind,
    quest_met,
    quest_times,
    ragnarok_times,
    release_glory,
    ship_glory,
    token_times,
)


class Payment(IntEnum):
    """What a clan is paid, and what decides about it."""

    BONUS = 0
    ONE_STEP = 1
    TWO_STEPS = 2
    END_CARDS = 3
    QUESTS = 4
    RAGNAROK = 5
    RELEASE = 6
    DOOMED = 7
    FALLEN = 8


NUM_PAYMENTS: Final = len(Payment)
# Of each the meaning, and the unit as an input.
PAYMENTS: Final = {
    Payment.BONUS: ("the stat bonuses", 20),
    Payment.ONE_STEP: ("what one more step adds to them", 10),
    Payment.TWO_STEPS: ("two steps", 10),
    Payment.END_CARDS: ("cards that pay for figures on the board at the end", 20),
    Payment.QUESTS: ("quests that are met, if the seat knows them", 10),
    Payment.RAGNAROK: ("what Ragnarok of this Age pays, with ships", 20),
    Payment.RELEASE: ("what release pays", 20),
    Payment.DOOMED: ("figures in the doomed province", 5),
    Payment.FALLEN: ("figures in Valhalla", 5),
}


@rule
def bonus_after(s: State, seat: int, raises: int) -> int:
    """The stat bonuses of a clan after so many raises on the best tracks (rules 1.5, 5)."""
    best = 0
    for first in range(min(raises, NUM_STEPS) + 1):
        for second in range(min(raises - first, NUM_STEPS) + 1):
            steps = (first, second, raises - first - second)
            bonus = 0
            for stat in range(NUM_STATS):
                bonus += int(STAT_BONUS[min(NUM_STEPS - 1, int(s.stat_step[seat, stat]) + steps[stat])])
            best = max(best, bonus)
    return best


@rule
def doomed_now(s: State) -> int:
    """The province that Ragnarok of this Age destroys or is destroying, NONE if it is done (rules 3.5)."""
    if s.phase == Phase.RAGNAROK:
        return int(s.about_place)
    return doomed_province(s) if s.phase < Phase.RAGNAROK else NONE


@rule
def ragnarok_glory(s: State, clan: int, doomed: int, dying: int) -> int:
    """What Ragnarok of this Age pays a clan with figures in the doomed province, with ships."""
    ships = 0
    for kind in range(NUM_KINDS):
        ships += figures_of_kind(s, clan, kind, doomed) * ship_glory(s, clan, kind)
    return dying * int(RAGNAROK_GLORY[s.age]) * ragnarok_times(s, clan) + ships


@rule
def fill_payments(s: State, clan: int, payments: Ints) -> None:
    """Fill the payments of a clan as the position stands, without quests and without steps (int64[NUM_PAYMENTS])."""
    doomed, dying, fallen = doomed_now(s), 0, 0
    if doomed != NONE:
        dying = figures_in_reach(s, clan, doomed)
    for kind in range(NUM_KINDS):
        fallen += int(s.figures[clan, kind, Place.VALHALLA])
    payments[Payment.BONUS] = bonus_after(s, clan, 0)
    payments[Payment.END_CARDS] = int(s.on_board[clan]) * end_glory(s, clan)
    payments[Payment.RAGNAROK] = ragnarok_glory(s, clan, doomed, dying) if dying > 0 else 0
    payments[Payment.RELEASE] = (fallen + dying) * release_glory(s, clan) if fallen + dying > 0 else 0
    payments[Payment.DOOMED] = dying
    payments[Payment.FALLEN] = fallen


@rule
def gain(s: State, clan: int, payments: Ints, glory: int, met: int) -> int:
    """What a clan gains if the Age ends as the position stands, and then the game.

    `glory` and `met` are the glory and the number of the quests that are met.
    """
    paid = int(payments[Payment.RAGNAROK] + payments[Payment.RELEASE] + payments[Payment.END_CARDS]) + glory
    if payments[Payment.DOOMED] > 0:
        paid -= int(payments[Payment.DOOMED]) * end_glory(s, clan)
    return paid + (bonus_after(s, clan, met) if met > 0 else int(payments[Payment.BONUS]))


@rule
def fill_open_quests(s: State, clan: int, met: Ints) -> None:
    """Fill `met`, int64[2], with glory and number of the met quests of another clan, if they lie open."""
    met[:] = 0
    if s.quests_open == 1:
        for i in range(s.quest_count[clan]):
            if quest_met(s, clan, int(s.quests[clan, i])):
                met[0] += int(QUEST_GLORY[s.quests[clan, i]]) * quest_times(s, clan)
                met[1] += 1


@rule
def token_glory(s: State, seat: int, province: int) -> int:
    """What the token of a province adds to a clan's glory at the end of the game (rules 1.5, 4.8, 6.3.17, 6.4.5.8)."""
    token, times = int(s.token[province]), token_times(s, seat, province)
    if token == Token.GLORY:
        return TOKEN_GLORY * times
    gain = 0
    for stat in range(NUM_STATS):
        if token == Token.ALL_STATS or token == stat:
            step = int(s.stat_step[seat, stat])
            gain += int(STAT_BONUS[min(NUM_STEPS - 1, step + times)] - STAT_BONUS[step])
    return gain
