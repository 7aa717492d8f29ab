"""The ledger: what the rules say about a position in plain numbers, as inputs of a network.

A network does not add up well, so the numbers are leads: how far the seat to act is ahead of another clan, and how far
behind it, as two numbers of which one is 0. Only information of the seat to act is read. `docs/ledger.md` is printed
from the table.
"""

from typing import Final

import numpy as np

from bloodrage_env.core.compile.borrowed import borrowed
from bloodrage_env.core.compile.decorators import Bytes, Floats, Ints, rule, shared_rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.engine.tables import labels, length, members, scales, section, sections, starts
from bloodrage_env.games.bloodrage.engine import (
    ADJACENT,
    FJORD_OF,
    GLORIOUS_DEATH_FIGURES,
    GOAL,
    MAX_SEATS,
    NONE,
    NUM_CARDS,
    NUM_KINDS,
    NUM_OUTER,
    NUM_PROVINCES,
    NUM_SLOTS,
    QUEST_GLORY,
    QUESTS,
    REGION,
    STRENGTH,
    TYPE,
    CardSet,
    CardType,
    Decision,
    Goal,
    Phase,
    Place,
    Purpose,
    Stat,
    State,
    add_strengths,
    clan_strength,
    figures_in_reach,
    has_set,
    quest_times,
    room,
    stat_value,
    total_strength,
)
from bloodrage_env.games.bloodrage.observation import OTHERS, PROVINCES, SEATS

from ....forward import MOST
from ....scores import put
from .accounts import (
    NUM_PAYMENTS,
    PAYMENTS,
    Payment,
    bonus_after,
    fill_open_quests,
    fill_payments,
    gain,
    token_glory,
)
from .odds import card_strength, own_best

SIDES: Final = ("ahead", "behind")
RIVALS: Final = ("best", *OTHERS)
LEADS: Final = ("glory", "ended", "settled", "committed")
NUM_GOALS: Final = len(Goal) - 1
GOALS: Final = labels(Goal(goal).name for goal in range(NUM_GOALS))
MET: Final = ("met", "not met")
# What is counted of each clan, and the unit of its lead.
COUNTED: Final = {
    "rage": 10, "axes": 5, "horns_free": 5, "on_board": 10, "reserve": 10, "valhalla": 5, "hand": 5, "quests": 3,
    "upgrades": 5, "strength": 20, "led": 4, "alone": 4,
}  # fmt: skip
CLOCK: Final = {"clans that can act": 4, "rage of others": 20, "pillages left": 9, "provinces": 9}
CARDS: Final = {"best": 8, "best and late": 8, "battle cards": 5, "their strength": 20, "upgrades": 5}
STAKE: Final = {"open": 1, "own figures": 5, "figures of others": 5, "other clans": 4, "token": 10, "room": 5}
# Sizes of work arrays.
CELLS: Final = MAX_SEATS * NUM_PROVINCES
NUM_LEADS, NUM_RIVALS, NUM_COUNTED = len(LEADS), len(RIVALS), len(COUNTED)
NUM_TOTALS: Final = NUM_LEADS * MAX_SEATS
PAID: Final = MAX_SEATS * NUM_PAYMENTS
_COUNTS: Final = NUM_COUNTED * MAX_SEATS
GREAT: Final = 99  # a margin that cannot be made up

LEDGER: Final = sections(
    section("leads", (LEADS, RIVALS, SIDES),
            "lead in glory over the best rival and over each: the glory; if the game ended now (rules 5); if the Age "
            "ended now, with bonuses, quests as they stand, Ragnarok and release (rules 3.4 to 3.6); the same with "
            "the quests in hand committed", 20, 80),
    section("payments", (SEATS, members(Payment)),
            "glory of each clan: " + "; ".join(meaning for meaning, _ in PAYMENTS.values()),
            tuple(unit for _, unit in PAYMENTS.values())),
    section("count_leads", (tuple(COUNTED), SIDES),
            "lead over the best rival in Rage, Axes, figures that Horns allow, figures on the board, in reserve and in "
            "Valhalla, cards, committed quests, upgrades, STR in all provinces, provinces with strictly the most STR, "
            "provinces held alone", tuple((unit,) for unit in COUNTED.values())),
    section("clock", (tuple(CLOCK),),
            "other clans that can act, their Rage, provinces that can be pillaged, provinces that stand",
            tuple(CLOCK.values())),
    section("province_lead", (PROVINCES, SIDES), "lead in STR over the best rival, for quests (rules 3.4)", 10),
    section("province_joins", (PROVINCES, SIDES),
            "lead over the best rival in figures that could join a battle (rules 4.1)", 5),
    section("province_alone", (PROVINCES,), "only the seat has figures there"),
    section("province_rivals", (PROVINCES,), "other clans with figures there", 4),
    section("province_token", (PROVINCES,), "glory of the token for the seat, at the end of the game (rules 4.8)", 10),
    section("goal_lead", (GOALS, SIDES),
            "by how much STR, for GLORIOUS_DEATH by how many figures more than three, a quest is met", 5),
    section("goal_committed", (GOALS, MET), "glory of the committed quests, as they stand", 10),
    section("goal_held", (GOALS, MET), "glory of the quests in hand, as they stand", 10),
    section("cards", (tuple(CARDS),),
            "own hand: the most that a battle card adds, with late cards, battle cards, their STR, upgrades",
            tuple(CARDS.values())),
    section("known_best", (OTHERS,), "the most that a known card of the clan adds in a battle", 8),
    section("stake", (tuple(STAKE),), "the province of the battle or of the question", tuple(STAKE.values())),
    section("stake_lead", (RIVALS, SIDES), "lead there in STR of figures and open cards, over clans with figures", 10),
    section("stake_with_card", (SIDES,), "the same over the best rival, with the own best card", 10),
)  # fmt: skip
NUM_LEDGER: Final = length(LEDGER)
_SCALES: Final = scales(LEDGER)
_AT: Final = starts(LEDGER)
(
    AT_LEADS, AT_PAYMENTS, AT_COUNT_LEADS, AT_CLOCK, AT_PROVINCE_LEAD, AT_PROVINCE_JOINS, AT_ALONE, AT_RIVALS, AT_TOKEN,
    AT_GOAL_LEAD, AT_COMMITTED, AT_HELD, AT_CARDS, AT_KNOWN, AT_STAKE, AT_STAKE_LEAD, AT_WITH_CARD,
) = _AT.values()  # fmt: skip


@rule
def least_lead(s: State, seat: int, values: Ints) -> int:
    """The lead over the other clan with the largest of `values`, int64[MAX_SEATS]."""
    lead = GREAT * GREAT
    for other in range(s.num_players):
        if other != seat:
            lead = min(lead, int(values[seat] - values[other]))
    return lead


@rule
def put_leads(s: State, seat: int, values: Ints, out: Floats, at: int) -> None:
    """Write the leads over the best rival and over each other clan clockwise."""
    n = int(s.num_players)
    put(out, at, least_lead(s, seat, values))
    for r in range(1, n):
        put(out, at + 2 * r, int(values[seat] - values[(seat + r) % n]))


@rule
def fill_strengths(s: State, strengths: Bytes) -> None:
    """Fill the STR for quests of each clan in each province. `strengths` is uint8[CELLS], zero before."""
    plain = not (has_set(s, CardSet.KS) or has_set(s, CardSet.GODS))
    for clan in range(s.num_players):
        at = clan * NUM_PROVINCES
        if plain:
            add_strengths(s, clan, strengths[at : at + NUM_PROVINCES])
        else:
            for province in range(NUM_PROVINCES):
                strengths[at + province] = clan_strength(s, clan, province, Purpose.QUEST)


@rule
def fill_board(s: State, figures: Ints, standing: Ints) -> None:
    """Fill for each clan and province the figures in reach, and those in the province itself (int64[CELLS])."""
    for clan in range(s.num_players):
        at = clan * NUM_PROVINCES
        for province in range(NUM_PROVINCES):
            for kind in range(NUM_KINDS):
                standing[at + province] += int(s.figures[clan, kind, province])
                if province < NUM_OUTER:
                    figures[at + province] += int(s.figures[clan, kind, FJORD_OF[province]])
            figures[at + province] += standing[at + province]


@rule
def margin(s: State, seat: int, strengths: Bytes, province: int) -> int:
    """How much more STR than every other clan a clan has in a province; above 0 if it has the most (rules 3.4)."""
    best = 0
    for other in range(s.num_players):
        if other != seat:
            best = max(best, int(strengths[other * NUM_PROVINCES + province]))
    return int(strengths[seat * NUM_PROVINCES + province]) - best


@rule
def fill_goals(s: State, seat: int, strengths: Bytes, goals: Ints) -> None:
    """Fill `goals`, int64[NUM_GOALS], with what a quest is met by: above 0 if it is (rules 3.4, 6.4.2.5)."""
    goals[:] = -GREAT
    first = -GREAT
    for province in range(NUM_PROVINCES):
        if s.destroyed[province] == 0:
            lead = margin(s, seat, strengths, province)
            goals[REGION[province]] = max(int(goals[REGION[province]]), lead)
            goals[Goal.WIDESPREAD] = max(int(goals[Goal.WIDESPREAD]), min(first, lead))
            first = max(first, lead)
    fallen = 0
    for kind in range(NUM_KINDS):
        fallen += int(s.figures[seat, kind, Place.VALHALLA])
    goals[Goal.GLORIOUS_DEATH] = fallen - GLORIOUS_DEATH_FIGURES + 1


@rule
def fill_quests(s: State, seat: int, goals: Ints, quests: Ints) -> None:
    """Fill `quests`, int64[4]: glory and number of the met quests that are committed, and of those in hand."""
    quests[:] = 0
    times = quest_times(s, seat)
    for i in range(s.quest_count[seat]):
        card = int(s.quests[seat, i])
        if goals[GOAL[card]] > 0:
            quests[0] += int(QUEST_GLORY[card]) * times
            quests[1] += 1
    if s.phase == Phase.QUEST and s.decision == Decision.STAT:
        quests[1] += 1  # paid, but for the raise that is asked about
    for card in QUESTS:
        copies = int(s.hand[seat, card])
        if copies > 0 and goals[GOAL[card]] > 0:
            quests[2] += copies * int(QUEST_GLORY[card]) * times
            quests[3] += copies


@rule
def fill_totals(s: State, seat: int, quests: Ints, payments: Ints, totals: Ints) -> None:
    """Fill `totals`, int64[NUM_TOTALS], with the glory whose leads are written, and the payments of each clan.

    `payments` is int64[PAID]. Those for more steps are not filled.
    """
    met = local_zeros(2, np.int64)
    for clan in range(s.num_players):
        own = payments[clan * NUM_PAYMENTS : (clan + 1) * NUM_PAYMENTS]
        fill_payments(s, clan, own)
        if clan == seat:
            met[0], met[1] = quests[0], quests[1]
        else:
            fill_open_quests(s, clan, met)
        own[Payment.QUESTS] = met[0]
        glory = int(s.glory[clan])
        totals[clan] = glory
        totals[MAX_SEATS + clan] = glory + own[Payment.BONUS] + own[Payment.END_CARDS]
        settled = glory + gain(s, clan, own, int(met[0]), int(met[1]))
        totals[2 * MAX_SEATS + clan] = settled
        if clan == seat and quests[3] > 0:
            settled = committed_total(s, seat, quests, own)
        totals[3 * MAX_SEATS + clan] = settled


@rule
def committed_total(s: State, seat: int, quests: Ints, payments: Ints) -> int:
    """The glory of a clan if the Age ended now, with the quests in hand committed if it may still commit them."""
    glory, met = int(quests[0]), int(quests[1])
    if s.phase == Phase.GODS_GIFTS or (s.phase == Phase.ACTION and s.passed[seat] == 0 and s.rage[seat] > 0):
        glory += int(quests[2])
        met += int(quests[3])
    return int(s.glory[seat]) + gain(s, seat, payments, glory, met)


@rule
def write_quests(s: State, seat: int, goals: Ints, out: Floats) -> None:
    """Write the sections of quests."""
    times = quest_times(s, seat)
    for goal in range(NUM_GOALS):
        put(out, AT_GOAL_LEAD + 2 * goal, int(goals[goal]))
    for i in range(s.quest_count[seat]):
        card = int(s.quests[seat, i])
        out[AT_COMMITTED + 2 * GOAL[card] + int(goals[GOAL[card]] <= 0)] += int(QUEST_GLORY[card]) * times
    for card in QUESTS:
        glory = int(s.hand[seat, card]) * int(QUEST_GLORY[card]) * times
        out[AT_HELD + 2 * GOAL[card] + int(goals[GOAL[card]] <= 0)] += glory


@rule
def write_glory(s: State, seat: int, goals: Ints, out: Floats) -> None:
    """Write the sections `leads` and `payments`."""
    n, quests = int(s.num_players), local_zeros(4, np.int64)
    totals, payments = local_zeros(NUM_TOTALS, np.int64), local_zeros(PAID, np.int64)
    fill_quests(s, seat, goals, quests)
    fill_totals(s, seat, quests, payments, totals)
    for r in range(n):
        clan, at = (seat + r) % n, AT_PAYMENTS + r * NUM_PAYMENTS
        for i in range(NUM_PAYMENTS):
            out[at + i] = payments[clan * NUM_PAYMENTS + i]
        bonus = int(payments[clan * NUM_PAYMENTS + Payment.BONUS])
        out[at + Payment.ONE_STEP] = bonus_after(s, clan, 1) - bonus
        out[at + Payment.TWO_STEPS] = bonus_after(s, clan, 2) - bonus
    for lead in range(NUM_LEADS):
        at = AT_LEADS + lead * 2 * NUM_RIVALS
        put_leads(s, seat, totals[lead * MAX_SEATS : (lead + 1) * MAX_SEATS], out, at)


@rule
def write_counted(s: State, seat: int, strengths: Bytes, figures: Ints, out: Floats) -> None:
    """Write the sections `count_leads` and `clock`."""
    counts = local_zeros(_COUNTS, np.int64)
    can_act, rage = 0, 0
    for clan in range(s.num_players):
        own = counts[clan::MAX_SEATS]
        own[0] = s.rage[clan]
        own[1] = stat_value(s, clan, Stat.AXES)
        own[2] = max(0, stat_value(s, clan, Stat.HORNS) - int(s.on_board[clan]))
        own[3] = s.on_board[clan]
        for kind in range(NUM_KINDS):
            own[4] += s.figures[clan, kind, Place.RESERVE]
            own[5] += s.figures[clan, kind, Place.VALHALLA]
        own[6] = s.hand_size[clan]
        own[7] = s.quest_count[clan]
        for slot in range(NUM_SLOTS):
            own[8] += int(s.upgrades[clan, slot] != NONE)
        for province in range(NUM_PROVINCES):
            if s.destroyed[province] == 0:
                own[9] += strengths[clan * NUM_PROVINCES + province]
                own[10] += int(margin(s, clan, strengths, province) > 0)
                own[11] += int(rivals(s, clan, figures, province) == 0 and figures[clan * NUM_PROVINCES + province] > 0)
        if clan != seat and s.phase == Phase.ACTION and s.passed[clan] == 0 and s.rage[clan] > 0:
            can_act += 1
            rage += int(s.rage[clan])
    for i in range(NUM_COUNTED):
        put(out, AT_COUNT_LEADS + 2 * i, least_lead(s, seat, counts[i * MAX_SEATS : (i + 1) * MAX_SEATS]))
    out[AT_CLOCK] = can_act
    out[AT_CLOCK + 1] = rage
    for province in range(NUM_PROVINCES):
        out[AT_CLOCK + 2] += int(s.destroyed[province] == 0 and s.pillaged[province] == 0)
        out[AT_CLOCK + 3] += int(s.destroyed[province] == 0)


@rule
def rivals(s: State, seat: int, figures: Ints, province: int) -> int:
    """How many other clans have figures in a province or its fjord."""
    found = 0
    for other in range(s.num_players):
        found += int(other != seat and figures[other * NUM_PROVINCES + province] > 0)
    return found


@rule
def write_provinces(s: State, seat: int, strengths: Bytes, figures: Ints, standing: Ints, out: Floats) -> None:
    """Write the sections by province; those of a destroyed one stay zero."""
    for province in range(NUM_PROVINCES):
        if s.destroyed[province] == 0:
            joins = local_zeros(MAX_SEATS, np.int64)
            space = room(s, province)
            for clan in range(s.num_players):
                joins[clan] = 0
                for origin in range(NUM_PROVINCES):
                    if ADJACENT[origin, province]:
                        joins[clan] += standing[clan * NUM_PROVINCES + origin]
                joins[clan] = min(space, int(joins[clan]))
            others = rivals(s, seat, figures, province)
            put(out, AT_PROVINCE_LEAD + 2 * province, margin(s, seat, strengths, province))
            put(out, AT_PROVINCE_JOINS + 2 * province, least_lead(s, seat, joins))
            out[AT_ALONE + province] = int(others == 0 and figures[seat * NUM_PROVINCES + province] > 0)
            out[AT_RIVALS + province] = others
            if s.pillaged[province] == 0:
                out[AT_TOKEN + province] = token_glory(s, seat, province)


@rule
def write_cards(s: State, seat: int, out: Floats) -> int:
    """Write the sections of cards. Return the most that the own cards add in a battle."""
    n, added = int(s.num_players), own_best(s, seat, NONE)
    for card in range(NUM_CARDS):
        copies = int(s.hand[seat, card])
        if copies > 0 and TYPE[card] == CardType.BATTLE:
            out[AT_CARDS] = max(int(out[AT_CARDS]), card_strength(card))
            out[AT_CARDS + 2] += copies
            out[AT_CARDS + 3] += copies * int(STRENGTH[card])
        elif copies > 0 and TYPE[card] >= CardType.LEADER:
            out[AT_CARDS + 4] += copies
        for r in range(1, n):
            if s.known[(seat + r) % n, card] > 0:
                out[AT_KNOWN + r - 1] = max(int(out[AT_KNOWN + r - 1]), card_strength(card))
    out[AT_CARDS + 1] = added
    return added


@rule
def stake_of(s: State) -> int:
    """The province of the battle or of the question, NONE without one."""
    province = int(s.battle_province) if s.battle == 1 else int(s.about_place)
    return province if province < NUM_PROVINCES else NONE


@rule
def lead_over(s: State, strength: int, clan: int, province: int) -> int:
    """The lead of a STR over a clan in the province of a battle or a question; GREAT if the clan takes no part."""
    if figures_in_reach(s, clan, province) > 0 or (s.battle == 1 and s.in_battle[clan] == 1):
        return strength - total_there(s, clan, province)
    return GREAT


@rule
def write_stake(s: State, seat: int, figures: Ints, best_card: int, out: Floats) -> None:
    """Write the sections of the province of the battle or of the question, if there is one."""
    province = stake_of(s)
    if province == NONE:
        return
    n, lead, others, strength = int(s.num_players), GREAT, 0, total_there(s, seat, province)
    for r in range(1, n):
        clan = (seat + r) % n
        others += int(figures[clan * NUM_PROVINCES + province])
        ahead = lead_over(s, strength, clan, province)
        if ahead < GREAT:
            put(out, AT_STAKE_LEAD + 2 * r, ahead)
            lead = min(lead, ahead)
    if lead < GREAT:
        put(out, AT_STAKE_LEAD, lead)
        put(out, AT_WITH_CARD, lead + best_card)
    out[AT_STAKE] = 1
    out[AT_STAKE + 1] = figures[seat * NUM_PROVINCES + province]
    out[AT_STAKE + 2] = others
    out[AT_STAKE + 3] = rivals(s, seat, figures, province)
    out[AT_STAKE + 4] = token_glory(s, seat, province)
    out[AT_STAKE + 5] = min(5, room(s, province))


@rule
def total_there(s: State, clan: int, province: int) -> int:
    """STR of a clan in a battle over a province, with its open cards if the battle is on (rules 4.6)."""
    return total_strength(s, clan) if s.battle == 1 else clan_strength(s, clan, province, Purpose.BATTLE)


@shared_rule
def write_ledger(s: State, out: Floats) -> None:
    """Fill `out`, float32[NUM_LEDGER], for the seat to act."""
    out = borrowed(out)
    out[:] = 0.0
    seat, goals = int(s.seat), local_zeros(NUM_GOALS, np.int64)
    strengths = local_zeros(CELLS, np.uint8)
    figures, standing = local_zeros(CELLS, np.int64), local_zeros(CELLS, np.int64)
    fill_strengths(s, strengths)
    fill_board(s, figures, standing)
    fill_goals(s, seat, strengths, goals)
    write_quests(s, seat, goals, out)
    write_glory(s, seat, goals, out)
    write_counted(s, seat, strengths, figures, out)
    write_provinces(s, seat, strengths, figures, standing, out)
    write_stake(s, seat, figures, write_cards(s, seat, out), out)
    for i in range(NUM_LEDGER):
        out[i] = min(np.float32(MOST), out[i] * _SCALES[i])
