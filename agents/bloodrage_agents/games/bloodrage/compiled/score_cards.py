"""Scores of choices about cards: draft, keep, slot, buy back; and about stats."""

from bloodrage_env.core.compile.decorators import Floats, rule
from bloodrage_env.games.bloodrage.engine import (
    CARD,
    EFFECTS,
    FIRST_SLOT,
    GOAL,
    IS_UPGRADE,
    NO,
    NONE,
    NUM_AGES,
    NUM_CARDS,
    NUM_PROVINCES,
    NUM_STATS,
    PRICE,
    REGION,
    SLOT,
    SLOTS_OF,
    STAT,
    TYPE,
    CardType,
    Effect,
    Goal,
    Stat,
    State,
    mystics_in_supply,
    pack,
    price,
    quest_times,
    stat_value,
)

from .plan import Plan, card_worth
from .weights import Weight

WITHOUT_MYSTIC = 0.4  # of the worth of a card that should bring one


@rule
def slot_of_least(s: State, plan: Plan, card: int) -> int:
    """The slot of a card's type that costs least to take: an empty one, or that of the least card."""
    first = int(FIRST_SLOT[TYPE[card]])
    best = first
    least = 1e9
    for slot in range(first, first + int(SLOTS_OF[TYPE[card]])):
        lying = int(s.upgrades[plan.seat, slot])
        worth = 0.0 if lying == NONE else lying_worth(s, plan, lying)
        if worth < least:
            least = worth
            best = slot
    return best


@rule
def brings_nobody(s: State, plan: Plan, card: int) -> bool:
    """A card that brings a Mystic where the supply has none."""
    return EFFECTS[Effect.RECRUITS, card] > 0 and mystics_in_supply(s, plan.seat) == 0


@rule
def lying_worth(s: State, plan: Plan, card: int) -> float:
    """What an upgrade that lies in a slot is still worth: less, the fewer Ages are left to use it."""
    left = NUM_AGES - int(s.age)
    return max(0.3, card_worth(plan, card)) * (0.4 + 0.2 * left)


@rule
def replaced_worth(s: State, plan: Plan, card: int) -> float:
    """What would have to go for an upgrade."""
    lying = int(s.upgrades[plan.seat, slot_of_least(s, plan, card)])
    return 0.0 if lying == NONE else lying_worth(s, plan, lying)


@rule
def hand_worth(s: State, plan: Plan, card: int) -> float:
    """What a card is worth to a hand such as it is (draft, kept card)."""
    seat = plan.seat
    worth = card_worth(plan, card)
    kind = int(TYPE[card])
    alike = 0
    cost = 0
    battle = 0
    for other in range(NUM_CARDS):
        copies = int(s.hand[seat, other]) + int(s.pending[seat, 0] == other)
        if copies > 0:
            battle += copies * int(TYPE[other] == CardType.BATTLE)
            if IS_UPGRADE[other]:
                cost += copies * int(PRICE[other])
                alike += copies * int(TYPE[other] == kind and SLOTS_OF[kind] == 1)
            if TYPE[other] == CardType.QUEST and GOAL[other] == GOAL[card]:
                alike += copies * int(GOAL[card] != Goal.GLORIOUS_DEATH)
    if kind == CardType.BATTLE:
        if battle == 0:
            worth += plan.weights[Weight.BATTLE_CARDS]
        elif battle > 2:
            worth *= plan.weights[Weight.CROWD]
    elif kind == CardType.QUEST:
        worth *= goal_open(s, int(GOAL[card]))
        if quest_times(s, seat) > 1:
            worth *= 1.7
    else:
        worth -= replaced_worth(s, plan, card)
        if brings_nobody(s, plan, card):
            worth *= WITHOUT_MYSTIC
        over = cost + int(PRICE[card]) - int(stat_value(s, seat, Stat.RAGE))
        if over > 0:
            worth -= 0.7 * plan.rage * over
    for _ in range(alike):
        worth *= plan.weights[Weight.CROWD]
    return float(worth)


@rule
def goal_open(s: State, goal: int) -> float:
    """A quest of a region needs provinces that stand: 1 for two or more, less for one, 0 for none."""
    if goal >= Goal.YGGDRASIL:
        return 1.0
    standing = 0
    for province in range(NUM_PROVINCES):
        standing += int(REGION[province] == goal and s.destroyed[province] == 0)
    if standing == 0:
        return 0.0
    return 0.8 if standing == 1 else 1.0


@rule
def score_draft(s: State, plan: Plan, scores: Floats) -> None:
    """The worth of each card. The first of two picks must have the lower id: it counts with the best one above."""
    pair = s.num_players == 2 and s.pending[plan.seat, 0] == NONE
    start, stop = pack(s, plan.seat)
    for card in range(NUM_CARDS):
        if s.mask[CARD + card] == 1:
            score = hand_worth(s, plan, card)
            if pair:
                best = -1e9
                copies = 0
                for i in range(start, stop):
                    other = int(s.deck[s.age, i])
                    copies += int(other == card)
                    if other > card or (other == card and copies > 1):
                        best = max(best, hand_worth(s, plan, other))
                score += best
            scores[CARD + card] = score


@rule
def score_keep_card(s: State, plan: Plan, scores: Floats) -> None:
    """The best card for the next Age; quests pay the glory of their own Age then."""
    scores[NO] = -0.5
    for card in range(NUM_CARDS):
        if s.mask[CARD + card] == 1:
            scores[CARD + card] = hand_worth(s, plan, card)


@rule
def score_slot(s: State, plan: Plan, scores: Floats) -> None:
    """An empty slot, or that of the least card."""
    first = int(FIRST_SLOT[TYPE[s.about_card]])
    for n in range(SLOTS_OF[TYPE[s.about_card]]):
        if s.mask[SLOT + n] == 1:
            lying = int(s.upgrades[plan.seat, first + n])
            scores[SLOT + n] = 0.0 if lying == NONE else -lying_worth(s, plan, lying)


@rule
def score_buy_back(s: State, plan: Plan, scores: Floats) -> None:
    """A battle card for one Rage, where it will be of use."""
    scores[NO] = 0.0
    for card in range(NUM_CARDS):
        if s.mask[CARD + card] == 1:
            scores[CARD + card] = 0.6 * card_worth(plan, card) - price(s, CARD + card) * plan.rage


@rule
def score_stat(s: State, plan: Plan, scores: Floats) -> None:
    """What each step is worth."""
    for stat in range(NUM_STATS):
        if s.mask[STAT + stat] == 1:
            scores[STAT + stat] = plan.step[stat]
