"""Scores of the actions of a turn and of what follows from them: invades, marches, upgrades, quests, pillages."""

import numpy as np

from bloodrage_env.core.compile.decorators import Floats, rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import (
    CARD,
    COUNT,
    FIGURE_AT,
    FIRST_SLOT,
    KIND_OF_SLOT,
    MARCH,
    MARCH_FROM,
    MARCH_TO,
    NO,
    NONE,
    NUM_ACTIONS,
    NUM_BOARD,
    NUM_CARDS,
    NUM_KINDS,
    NUM_PROVINCES,
    PASS,
    PRICE,
    PROVINCE,
    RAISE_DEAD,
    SACRIFICE,
    SLOTS_OF,
    TYPE,
    YES,
    CardType,
    Figure,
    Phase,
    Place,
    Purpose,
    State,
    asked,
    clan_strength,
    horns_free,
    invade_places,
    price,
    room,
    sets_off,
)

from .odds import contested, quest_chance, win_chance
from .plan import Plan, card_worth
from .prices import denied, loss, quest_reward, win_glory
from .score_cards import WITHOUT_MYSTIC, brings_nobody, replaced_worth
from .survey import change, first_province, make_plan, moving, placing, second_province, shift
from .weights import Weight


@rule
def score_action(t: State, plan: Plan, scores: Floats) -> None:
    """Every action of a turn."""
    seat = plan.seat
    idle = idle_worth(t, plan)
    rage = int(t.rage[seat])
    scores[PASS] = plan.weights[Weight.PASS] - idle
    if t.mask[SACRIFICE] == 1:
        scores[SACRIFICE] = sacrifice_worth(t, plan)
    if t.mask[RAISE_DEAD] == 1:
        cost = price(t, RAISE_DEAD)
        spend(t, plan, rage - cost)
        best = -1e9
        for kind in range(NUM_KINDS):
            if t.figures[seat, kind, Place.VALHALLA] > 0:
                best = max(best, best_invade(t, plan, kind))
        scores[RAISE_DEAD] = best - cost * plan.rage - lost_turns(plan, idle)
    for action in range(PROVINCE, NUM_ACTIONS):
        if t.mask[action] == 1:
            if action < CARD:
                scores[action] = pillage_score(t, plan, action - PROVINCE, action)
            elif action < FIGURE_AT:
                scores[action] = card_score(t, plan, action - CARD, idle)
            elif action < MARCH:
                kind = (action - FIGURE_AT) // NUM_BOARD
                place = (action - FIGURE_AT) % NUM_BOARD
                cost = price(t, action)
                spend(t, plan, rage - cost)
                score = arriving(t, plan, kind, place)
                scores[action] = score - cost * plan.rage - lost_turns(plan, idle)
            else:
                cost = price(t, action)
                spend(t, plan, rage - cost)
                score = march_worth(t, plan, int(MARCH_FROM[action - MARCH]), int(MARCH_TO[action - MARCH]))
                scores[action] = score - cost * plan.rage - lost_turns(plan, idle)
            plan.act = 1.0


@rule
def spend(t: State, plan: Plan, rage_left: int) -> None:
    """Without Rage there is no further action, also no free one (rules 3.2.2)."""
    plan.act = 1.0 if rage_left > 0 else 1.0 - plan.weights[Weight.HOLD]


@rule
def lost_turns(plan: Plan, idle: float) -> float:
    """What an action that takes the last Rage gives up."""
    return (1.0 - plan.act) * idle


@rule
def idle_worth(s: State, plan: Plan) -> float:
    """What the seat may still do for nothing while it has Rage: quests of the hand, pillages, leader and Mystics."""
    seat = plan.seat
    best = max(plan.step[0], max(plan.step[1], plan.step[2]))
    total = 0.0
    for card in range(NUM_CARDS):
        if s.hand[seat, card] > 0 and TYPE[card] == CardType.QUEST:
            total += s.hand[seat, card] * quest_chance(s, plan, card) * quest_reward(s, plan, card, best)
    for province in range(NUM_PROVINCES):
        total += plan.worth[province]
    for kind in range(NUM_KINDS):
        free = engine.is_leader(s, seat, kind) or engine.is_mystic(s, seat, kind)
        if free and s.figures[seat, kind, Place.RESERVE] > 0 and horns_free(s, seat):
            total += plan.rage
    return total


# ---- invades


@rule
def arriving(t: State, plan: Plan, kind: int, place: int) -> float:
    """What an Invade brings: the figure in its place, and what it kills: on arrival, or for its village."""
    if engine.may_take_village(t, plan.seat, kind, place):
        plain = placing(t, plan, kind, place) if room(t, place) > 0 else -1e9
        return max(plain, best_taking(t, plan, kind, place, 1)) + following(t, plan, kind, place)
    killed = 0.0
    of_leaders = 0.0
    if place < NUM_PROVINCES:
        for other in range(t.num_players):
            if other != plan.seat and plan.present[other, place] > 0:
                lost = arrival_strength(t, FIGURE_AT + kind * NUM_BOARD + place, other, place)
                plan.force[other, place] -= lost
                killed += lost
                of_leaders += plan.leads[other] * lost
    gain = placing(t, plan, kind, place) + plan.weights[Weight.DENY] * killed + plan.weights[Weight.HUNT] * of_leaders
    if killed > 0.0:
        for other in range(t.num_players):
            if other != plan.seat:
                plan.force[other, place] = clan_strength(t, other, place, Purpose.BATTLE)
    return gain + following(t, plan, kind, place)


@rule
def arrival_strength(t: State, action: int, victim: int, place: int) -> float:
    """STR that an Invade into a place would take from a clan."""
    total = 0
    for other in range(NUM_KINDS):
        lost = sets_off(t, action, victim, other)
        if lost != 0:
            total -= lost * engine.strength(t, victim, other, 1, place, Purpose.BATTLE)
    return float(total)


@rule
def taking(t: State, plan: Plan, kind: int, place: int, clan: int, victim: int) -> float:
    """What it brings that a Mystic takes the village of a clan's figure; `t` is as it was afterwards."""
    lost = float(engine.strength(t, clan, victim, 1, place, Purpose.BATTLE))
    plan.force[clan, place] -= lost
    gain = placing(t, plan, kind, place) + denied(plan, clan) * lost
    plan.force[clan, place] += lost
    return float(gain)


@rule
def best_taking(t: State, plan: Plan, kind: int, place: int, first: int) -> float:
    """The best victim of the clans that sit `first` places to the left or more; far below zero if there is none."""
    best = -1e9
    for offset in range(first, t.num_players):
        clan = (plan.seat + offset) % int(t.num_players)
        for victim in (Figure.WARRIOR, Figure.MYSTIC):
            if t.figures[clan, victim, place] > 0:
                best = max(best, taking(t, plan, kind, place, clan, victim))
    return best


@rule
def following(t: State, plan: Plan, kind: int, place: int) -> float:
    """A warrior that Frigga's Succor sends along."""
    if sets_off(t, FIGURE_AT + kind * NUM_BOARD + place, plan.seat, Figure.WARRIOR) > 0:
        return max(0.0, plan.stand[Figure.WARRIOR, place])
    return 0.0


@rule
def best_invade(t: State, plan: Plan, kind: int) -> float:
    """The best place for a figure; far below zero where it can go nowhere."""
    places = invade_places(t, plan.seat, kind)
    best = -1e9
    for place in range(NUM_BOARD):
        if places & (1 << place):
            best = max(best, arriving(t, plan, kind, place))
    return best


@rule
def score_places(t: State, plan: Plan, scores: Floats) -> None:
    """FREE_INVADE and RAISE_DEAD: the best figure and place."""
    scores[NO] = 0.0
    for action in range(FIGURE_AT, MARCH):
        if t.mask[action] == 1:
            scores[action] = arriving(t, plan, (action - FIGURE_AT) // NUM_BOARD, (action - FIGURE_AT) % NUM_BOARD)


@rule
def score_follower(t: State, plan: Plan, scores: Floats) -> None:
    """SUCCOR and BLESSING: whether a warrior from the reserve is worth its place there."""
    scores[NO] = 0.0
    scores[YES] = placing(t, plan, Figure.WARRIOR, int(t.about_place))


@rule
def score_victim(t: State, plan: Plan, scores: Floats) -> None:
    """Whose village a Mystic takes: against those of the clans to be asked about later, and an empty one."""
    place = int(t.about_place)
    clan = asked(t).victim
    kind = asked(t).kind
    for victim in (Figure.WARRIOR, Figure.MYSTIC):
        if t.figures[clan, victim, place] > 0:
            scores[FIGURE_AT + victim * NUM_BOARD + place] = taking(t, plan, kind, place, clan, victim)
    offset = (clan - plan.seat) % int(t.num_players)
    scores[NO] = best_taking(t, plan, kind, place, offset + 1)
    if room(t, place) > 0:
        scores[NO] = max(scores[NO], placing(t, plan, kind, place))


# ---- marches


@rule
def march_worth(t: State, plan: Plan, origin: int, target: int) -> float:
    """What it brings that all who find room go, or all but one warrior."""
    best = -1e9
    warriors = int(t.figures[plan.seat, Figure.WARRIOR, origin])
    for stay in range(min(2, warriors + 1)):
        best = max(best, going(t, plan, origin, target, NONE, 0, stay))
    return best


@rule
def going(t: State, plan: Plan, origin: int, target: int, kind_asked: int, count: int, stay: int) -> float:
    """What a march brings: of the kind `kind_asked` (or NONE) `count` go, earlier kinds as chosen, of the others all
    that find room, but for `stay` warriors; `t` is as it was afterwards.
    """
    seat = plan.seat
    space = room(t, target)
    gain = 0.0
    for kind in range(NUM_KINDS):
        move = 0
        if t.figures[seat, kind, origin] > 0:
            if kind < kind_asked:
                move = int(t.march[kind])
            elif kind == kind_asked:
                move = count
            else:
                move = int(t.figures[seat, kind, origin]) - (stay if kind == Figure.WARRIOR else 0)
            move = min(move, space)
        space -= move
        gain += move * (plan.stand[kind, target] - plan.stand[kind, origin])
        shift(t, seat, kind, origin, target, move)
        t.march[kind] = move
    gain += change(t, plan, origin, target)
    for kind in range(NUM_KINDS):
        shift(t, seat, kind, target, origin, int(t.march[kind]))
    return gain


@rule
def score_march(t: State, plan: Plan, scores: Floats) -> None:
    """How many of a kind go, when the kinds before have chosen."""
    kind = int(t.about_kind)
    origin = asked(t).origin
    before = local_zeros(NUM_KINDS, np.int64)
    for each in range(NUM_KINDS):
        before[each] = t.march[each]
    for count in range(t.low, t.high + 1):
        best = -1e9
        for stay in range(2 if kind < Figure.WARRIOR else 1):
            for each in range(NUM_KINDS):
                t.march[each] = before[each]
            best = max(best, going(t, plan, origin, int(t.about_place), kind, count, stay))
        scores[COUNT + count] = best


# ---- upgrades and quests


@rule
def card_score(t: State, plan: Plan, card: int, idle: float) -> float:
    """An upgrade: what it is worth in play, with its free Invade. A quest: early only if it is nearly safe."""
    seat = plan.seat
    if TYPE[card] == CardType.QUEST:
        best = max(plan.step[0], max(plan.step[1], plan.step[2]))
        reward = quest_chance(t, plan, card) * quest_reward(t, plan, card, best)
        return plan.weights[Weight.COMMIT] * reward + 0.1
    cost = price(t, CARD + card)
    spend(t, plan, int(t.rage[seat]) - cost)
    worth = plan.weights[Weight.UPGRADE] * (card_worth(plan, card) + int(PRICE[card]) * plan.rage)
    if brings_nobody(t, plan, card):
        worth *= WITHOUT_MYSTIC
    worth -= replaced_worth(t, plan, card)
    kind = int(KIND_OF_SLOT[FIRST_SLOT[TYPE[card]]])
    if kind != NONE and SLOTS_OF[TYPE[card]] == 1 and t.figures[seat, kind, Place.RESERVE] > 0:
        worth += max(0.0, best_invade(t, plan, kind))
    return worth - cost * plan.rage - lost_turns(plan, idle)


# ---- pillages


@rule
def pillage_worth(s: State, plan: Plan, province: int) -> float:
    """What it brings to pillage a province now: the token and the Axes, or the loss of a battle."""
    seat = plan.seat
    battle = contested(s, plan, province)
    own = plan.force[seat, province] + plan.weights[Weight.SUPPORT] * plan.threat[seat, province] + plan.best_card
    chance = win_chance(s, plan, province, own, True)
    risk = loss(s, plan, province) + plan.weights[Weight.DENY] * 4.0
    gain = plan.token[province] + plan.rush + battle * win_glory(s, plan, province)
    return float(chance * gain - (1.0 - chance) * risk)


@rule
def pillage_score(s: State, plan: Plan, province: int, action: int) -> float:
    """The same against the prospect that is given up, and the price of the action."""
    score = plan.weights[Weight.PILLAGE] * pillage_worth(s, plan, province) - plan.worth[province]
    return score - price(s, action) * plan.rage


@rule
def score_free_pillage(s: State, plan: Plan, scores: Floats) -> None:
    """Thor's Domain."""
    scores[NO] = 0.0
    scores[YES] = pillage_score(s, plan, int(s.about_place), YES)


@rule
def score_leader_move(t: State, plan: Plan, scores: Floats) -> None:
    """Where the leader stands best; which of two leaders moves is much the same, and one is expected to."""
    scores[NO] = 0.0
    if t.about_kind == NONE:
        for kind in range(NUM_KINDS):
            scores[FIGURE_AT + kind * NUM_BOARD + int(t.about_place)] = 0.1
        return
    for province in range(NUM_PROVINCES):
        if t.mask[PROVINCE + province] == 1:
            scores[PROVINCE + province] = moving(t, plan, int(t.about_kind), int(t.about_place), province)


@rule
def score_god_move(t: State, plan: Plan, scores: Floats) -> None:
    """Where the god who is moved makes own pillages worth most, and adds least to a token that another would take."""
    origin = int(t.about_place)
    god = int(t.god_in[origin])
    tokens = local_zeros(NUM_PROVINCES, np.float64)
    for province in range(NUM_PROVINCES):
        tokens[province] = plan.token[province]
    t.god_in[origin] = NONE
    for target in range(NUM_PROVINCES):
        if t.mask[PROVINCE + target] == 1:
            t.god_in[target] = god
            make_plan(t, plan)
            strongest = 0.0
            for other in range(t.num_players):
                if other != plan.seat:
                    strongest = max(strongest, plan.force[other, target])
            lost = plan.token[target] - tokens[target] if strongest > plan.force[plan.seat, target] else 0.0
            scores[PROVINCE + target] = plan.worth.sum() - plan.weights[Weight.DENY] * lost
            t.god_in[target] = NONE
    t.god_in[origin] = god


# ---- Frigga's Chosen, Frigga's Sacrifice


@rule
def score_withdraw(t: State, plan: Plan, scores: Floats) -> None:
    """Where a Mystic is worth most, against its death; in Ragnarok the glory of that is what it stands for."""
    kind = int(t.about_kind)
    place = int(t.about_place)
    scores[NO] = 0.0 if t.phase == Phase.RAGNAROK else -giving_up(t, plan, kind, place)
    for province in range(NUM_PROVINCES):
        if t.mask[PROVINCE + province] == 1:
            scores[PROVINCE + province] = moving(t, plan, kind, place, province)


@rule
def giving_up(t: State, plan: Plan, kind: int, place: int) -> float:
    """What a figure on the board is worth to its owner against one in Valhalla."""
    shift(t, plan.seat, kind, place, Place.VALHALLA, 1)
    cost = plan.stand[kind, place] - change(t, plan, first_province(place), second_province(place))
    shift(t, plan.seat, kind, Place.VALHALLA, place, 1)
    return float(cost - plan.death[kind])


@rule
def sacrifice_worth(t: State, plan: Plan) -> float:
    """The best step on a stat against the two figures that are missed least."""
    least = 1e9
    second = 1e9
    for kind in range(NUM_KINDS):
        for place in range(NUM_BOARD):
            for _ in range(min(2, int(t.figures[plan.seat, kind, place]))):
                cost = giving_up(t, plan, kind, place)
                if cost < least:
                    second = least
                    least = cost
                elif cost < second:
                    second = cost
    return max(plan.step[0], max(plan.step[1], plan.step[2])) - least - second


@rule
def score_sacrifice(t: State, plan: Plan, scores: Floats) -> None:
    """The figures missed least; the first of the two has the lower id and counts with the best one from there on."""
    best = -1e9
    for action in range(MARCH - 1, FIGURE_AT - 1, -1):
        kind = (action - FIGURE_AT) // NUM_BOARD
        if kind < NUM_KINDS:
            place = (action - FIGURE_AT) % NUM_BOARD
            count = int(t.figures[plan.seat, kind, place])
            if count > 0:
                worth = -giving_up(t, plan, kind, place)
                if count > 1:
                    best = max(best, worth)
                if t.mask[action] == 1:
                    scores[action] = worth + (best if asked(t).sacrificed == 0 else 0.0)
                best = max(best, worth)
