"""Probabilities: what cards the others may play, how a battle ends, who will be strongest (no hidden field is read)."""

from math import exp

import numpy as np

from bloodrage_env.core.compile.decorators import rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import (
    ADJACENT,
    GLORIOUS_DEATH_FIGURES,
    GOAL,
    LATE,
    NONE,
    NUM_CARDS,
    NUM_KINDS,
    NUM_PROVINCES,
    NUM_SLOTS,
    REGION,
    STRENGTH,
    TYPE,
    Card,
    CardType,
    Goal,
    God,
    Phase,
    Place,
    Purpose,
    State,
    clan_strength,
    copies_in_deck,
    figures_in_reach,
    god_stands,
    room,
)

from .plan import MOST, NUM_GOALS, SIGHT_STRENGTH, Plan, Reals
from .prices import win_glory
from .weights import Weight

CARD_ONLY = 0.01  # STR that could join a battle where figures count nothing: it marks that a figure could join


@rule
def read_cards(s: State, plan: Plan) -> None:
    """What each opponent's next battle card may add, from the cards of this Age not seen elsewhere and from `known`."""
    seat = plan.seat
    pool = local_zeros(MOST, np.float64)
    total = 0.0
    for card in range(NUM_CARDS):
        left = float(copies_in_deck(s, int(s.age), card)) - s.hand[seat, card] - s.discards[card]
        for other in range(s.num_players):
            if other != seat:
                left -= s.known[other, card]
        if left > 0.0:
            total += left
            pool[card_strength(card)] += left
    plan.best_card = own_best(s, seat, NONE)
    for other in range(s.num_players):
        if other != seat:
            read_hand(s, plan, other, pool, total)


@rule
def card_strength(card: int) -> int:
    """What a card adds to a battle as far as it can be said without looking at the battle."""
    if card == Card.HEIMDALLS_SIGHT:
        return SIGHT_STRENGTH
    return int(STRENGTH[card]) if TYPE[card] == CardType.BATTLE else 0


@rule
def own_best(s: State, seat: int, besides: int) -> int:
    """The most that own cards add: one card, and late cards on top; without one copy of `besides`."""
    best = 0
    late = 0
    quest_value = 0
    for slot in range(NUM_SLOTS):
        quest_value = max(quest_value, engine.quest_value(s, seat, slot))
    for card in range(NUM_CARDS):
        copies = int(s.hand[seat, card]) - int(card == besides)
        if copies > 0:
            if LATE[card] == 1:
                late += copies * int(STRENGTH[card])
            elif TYPE[card] == CardType.QUEST:
                best = max(best, quest_value)
            else:
                best = max(best, card_strength(card))
    return best + late


@rule
def read_hand(s: State, plan: Plan, other: int, pool: Reals, total: float) -> None:
    """The chance that the card of one opponent adds at most so much: partly its best card, partly any."""
    known = 0
    top = 0  # what the best card known adds
    for card in range(NUM_CARDS):
        if s.known[other, card] > 0:
            known += int(s.known[other, card])
            top = max(top, card_strength(card))
    unknown = max(0, int(s.hand_size[other]) + int(s.quest_count[other]) - known)
    unknown = min(unknown, int(s.hand_size[other]))
    guess = plan.weights[Weight.GUESS]
    share = 0.0
    for strength in range(MOST):
        share += pool[strength]
        part = share / total if total > 0.0 else 1.0
        best = part**unknown if strength >= top else 0.0
        plan.below[other, strength] = guess * best + (1.0 - guess) * max(best, part)


@rule
def read_board(s: State, plan: Plan) -> None:
    """Strengths in each province, and what could join a battle there; how much Rage is still to come."""
    land, single = plan.land, plan.single
    land[:] = 0.0
    single[:] = 0.0
    rage = 0.0
    for clan in range(s.num_players):
        if clan != plan.seat and s.passed[clan] == 0:
            rage += float(s.rage[clan])
        for province in range(NUM_PROVINCES):
            plan.force[clan, province] = clan_strength(s, clan, province, Purpose.BATTLE)
            plan.present[clan, province] = figures_in_reach(s, clan, province)
            for kind in range(NUM_KINDS):
                count = int(s.figures[clan, kind, province])
                if count > 0:
                    strength = engine.strength(s, clan, kind, 1, province, Purpose.QUEST)  # as it is elsewhere
                    land[clan, province] += count * strength
                    single[clan, province] = max(single[clan, province], strength)
    plan.doubt = plan.weights[Weight.PRESSURE] * rage / max(1, s.num_players - 1)
    for province in range(NUM_PROVINCES):
        space = room(s, province)
        for clan in range(s.num_players):
            best = 0.0
            rest = 0.0
            for origin in range(NUM_PROVINCES):
                if ADJACENT[origin, province]:
                    best = max(best, single[clan, origin])
                    rest += land[clan, origin]
            threat = 0.0 if space <= 0 else min(rest, best + (min(space, 4) - 1) * 1.5)
            plan.threat[clan, province] = min(threat, CARD_ONLY) if god_stands(s, God.TYR, province) else threat


# ---- chances


@rule
def at_most(plan: Plan, other: int, margin: float) -> float:
    """The chance that an opponent's card adds less than `margin`; between whole numbers on a straight line."""
    if margin <= 0.0:
        return 0.0
    if margin >= MOST:
        return 1.0
    low = int(margin)
    below = plan.below[other, low - 1] if low > 0 else 0.0
    return float(below + (margin - low) * (plan.below[other, low] - below))


@rule
def win_chance(s: State, plan: Plan, province: int, own: float, joiners: bool) -> float:
    """The chance that `own` STR, cards included, beats every opponent there; `joiners`: others may still come."""
    chance = 1.0
    join = plan.weights[Weight.JOIN]
    for other in range(s.num_players):
        if other != plan.seat:
            force = plan.force[other, province]
            more = plan.threat[other, province] if joiners else 0.0
            if plan.present[other, province] > 0:
                chance *= at_most(plan, other, own - force - join * more)
            elif more > 0.0:
                chance *= 1.0 - join + join * at_most(plan, other, own - more)
    return chance


@rule
def contested(s: State, plan: Plan, province: int) -> float:
    """How likely a pillage there becomes a battle."""
    likely = 0.0
    for other in range(s.num_players):
        if other != plan.seat:
            if plan.present[other, province] > 0:
                return 1.0
            if plan.threat[other, province] > 0.0:
                likely = 1.0 - (1.0 - likely) * (1.0 - plan.weights[Weight.JOIN])
    return likely


@rule
def prospect(s: State, plan: Plan, province: int) -> float:
    """What a pillage there, later in this phase, is worth to the seat as the figures stand."""
    if plan.act == 0.0 or s.destroyed[province] == 1 or s.pillaged[province] == 1 or s.phase > Phase.ACTION:
        return 0.0
    seat = plan.seat
    if figures_in_reach(s, seat, province) == 0:
        return 0.0
    own = clan_strength(s, seat, province, Purpose.BATTLE) + plan.weights[Weight.SUPPORT] * plan.threat[seat, province]
    chance = win_chance(s, plan, province, own + plan.best_card, True)
    gain = plan.token[province] + plan.rush + contested(s, plan, province) * win_glory(s, plan, province)
    return float(plan.act * plan.weights[Weight.PROSPECT] * chance * gain)


@rule
def control_chance(s: State, plan: Plan, province: int) -> float:
    """The chance of strictly the most STR there when quests are checked."""
    if s.destroyed[province] == 1:
        return 0.0
    own = clan_strength(s, plan.seat, province, Purpose.QUEST)
    if own == 0:
        return 0.0
    best = 0.0
    for other in range(s.num_players):
        if other != plan.seat:
            best = max(best, plan.force[other, province])
    margin = own - best - 0.5 - 0.3 * plan.doubt
    return float(1.0 / (1.0 + exp(-margin / (0.25 + 0.5 * plan.doubt))))


@rule
def quests_worth(plan: Plan) -> float:
    """What the most STR is worth with the chances in `trial`: for quests, and to a garrison everywhere."""
    total = 0.0
    if plan.weights[Weight.GARRISON] != 0.0:
        total = plan.weights[Weight.GARRISON] * plan.trial.sum()
    for goal in range(NUM_GOALS):
        if goal != Goal.GLORIOUS_DEATH and plan.quest[goal] > 0.0:
            total += plan.quest[goal] * goal_chance(plan, goal)
    return total


@rule
def goal_chance(plan: Plan, goal: int) -> float:
    """The chance to be strongest in any province of a region, or in two at all, with the chances in `trial`."""
    none = 1.0
    one = 0.0
    for province in range(NUM_PROVINCES):
        if goal == Goal.WIDESPREAD or REGION[province] == goal:
            one = one * (1.0 - plan.trial[province]) + none * plan.trial[province]
            none *= 1.0 - plan.trial[province]
    return 1.0 - none - (one if goal == Goal.WIDESPREAD else 0.0)


@rule
def quest_chance(s: State, plan: Plan, card: int) -> float:
    """The chance that a quest is met in this Age, as things stand."""
    if GOAL[card] == Goal.GLORIOUS_DEATH:
        gone = 0
        for kind in range(NUM_KINDS):
            gone += int(s.figures[plan.seat, kind, Place.VALHALLA])
        return 1.0 if gone >= GLORIOUS_DEATH_FIGURES else 0.15 * gone
    return goal_chance(plan, int(GOAL[card]))
