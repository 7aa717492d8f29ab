"""Scores of choices around a battle: joining, cards, saves."""

from bloodrage_env.core.compile.decorators import Floats, rule
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import (
    CARD,
    COUNT,
    EFFECTS,
    FIGURE_AT,
    LATE,
    MARCH,
    NO,
    NONE,
    NUM_BOARD,
    NUM_CARDS,
    NUM_KINDS,
    STRENGTH,
    TYPE,
    YES,
    Card,
    CardType,
    Effect,
    Figure,
    Place,
    Purpose,
    State,
    asked,
    battle_destroys,
    clan_strength,
    figures_in_reach,
    figures_of_kind,
    sets_off,
    total_strength,
)

from .odds import at_most, card_strength, own_best, win_chance
from .plan import Plan, card_worth
from .prices import denied, figure_loss, loss, win_glory
from .survey import change, shift
from .weights import Weight


@rule
def prize(s: State, plan: Plan, province: int, pillager: int) -> float:
    """What winning a battle brings: its glory, and the token or that another doesn't get it."""
    token = plan.token[province]
    return float(win_glory(s, plan, province) + (token if pillager == plan.seat else denied(plan, pillager) * token))


@rule
def stake(s: State, plan: Plan, province: int, pillager: int) -> float:
    """What a battle about to come is worth to the seat, with the figures that are there now."""
    own = clan_strength(s, plan.seat, province, Purpose.BATTLE)
    if figures_in_reach(s, plan.seat, province) == 0:
        return 0.0
    chance = win_chance(s, plan, province, float(own + plan.best_card), True)
    return chance * prize(s, plan, province, pillager) - (1.0 - chance) * loss(s, plan, province)


@rule
def score_call(t: State, plan: Plan, scores: Floats) -> None:
    """Whether one more figure makes the battle better, against what it leaves behind."""
    seat = plan.seat
    province = int(t.about_place)
    pillager = asked(t).pillager
    scores[NO] = 0.0
    before = stake(t, plan, province, pillager)
    for action in range(FIGURE_AT, MARCH):
        if t.mask[action] == 1:
            kind = (action - FIGURE_AT) // NUM_BOARD
            origin = (action - FIGURE_AT) % NUM_BOARD
            shift(t, seat, kind, origin, province, 1)
            gain = stake(t, plan, province, pillager) - before
            gain += plan.stand[kind, province] - plan.stand[kind, origin] + change(t, plan, origin, NONE)
            shift(t, seat, kind, province, origin, 1)
            scores[action] = gain


# ---- the card to play


@rule
def force_against(s: State, plan: Plan, clan: int, card: int) -> float:
    """STR of a clan in the battle after what the card of the seat does to the figures there."""
    province = int(s.battle_province)
    force = plan.force[clan, province]
    if not battle_destroys(s, province):
        return force
    if card == Card.ODINS_SMITE:
        victims = sets_off(s, CARD + card, clan, Figure.WARRIOR)
        return force + victims * engine.strength(s, clan, Figure.WARRIOR, 1, province, Purpose.BATTLE)
    if card == Card.ODINS_TIDE:
        best = 0
        for kind in range(NUM_KINDS):
            if figures_of_kind(s, clan, kind, province) > 0:
                best = max(best, engine.strength(s, clan, kind, 1, province, Purpose.BATTLE))
        return float(best)
    return force


@rule
def card_chance(s: State, plan: Plan, card: int) -> float:
    """The chance to win the battle with a card."""
    seat = plan.seat
    own = force_against(s, plan, seat, card)
    if TYPE[card] == CardType.BATTLE:
        own += STRENGTH[card]
    elif TYPE[card] == CardType.QUEST:
        for slot in range(s.upgrades.shape[1]):
            own = max(own, force_against(s, plan, seat, card) + engine.quest_value(s, seat, slot))
    for late in range(NUM_CARDS):
        if LATE[late] == 1:
            own += (int(s.hand[seat, late]) - int(late == card)) * STRENGTH[late]
    chance = 1.0
    for other in range(s.num_players):
        if other != seat and s.in_battle[other] == 1:
            margin = own - force_against(s, plan, other, card)
            if card == Card.HEIMDALLS_SIGHT:
                # It is as strong as the best of theirs: only a second opponent's figures can still win.
                chance *= 0.95 if margin > 0.0 else 0.05
            elif s.main[other] != NONE:  # played openly before
                chance *= 1.0 if margin > card_strength(int(s.main[other])) else 0.0
            else:
                chance *= at_most(plan, other, margin)
    return chance


@rule
def win_text(s: State, plan: Plan, card: int) -> float:
    """What the text of a card pays its owner after a win."""
    step = max(plan.step[0], max(plan.step[1], plan.step[2]))
    gain = EFFECTS[Effect.WIN_GLORY, card] + EFFECTS[Effect.WIN_RAGE, card] * plan.rage * int(s.passed[plan.seat] == 0)
    gain += EFFECTS[Effect.WIN_STEP, card] * step
    if card == Card.FRIGGAS_GRACE and s.pillager == plan.seat:
        gain += step
    return float(gain)


@rule
def lose_text(s: State, plan: Plan, card: int) -> float:
    """... and after a defeat."""
    gain = EFFECTS[Effect.LOSE_GLORY, card] * (1.0 + plan.weights[Weight.DENY])
    gain += EFFECTS[Effect.LOSE_RAGE, card] * plan.rage * int(s.passed[plan.seat] == 0)
    if card == Card.LOKIS_POISON:
        gain += 1.5
    return float(gain)


@rule
def card_gain(s: State, plan: Plan, card: int) -> float:
    """What it is worth to play a card."""
    seat = plan.seat
    province = int(s.battle_province)
    if card == Card.HEIMDALLS_WATCH:
        return watch_gain(s, plan)
    chance = card_chance(s, plan, card)
    spent = plan.weights[Weight.KEEP] * max(0.0, card_worth(plan, card))
    if LATE[card] == 1:
        spent *= 1.5
    own = figures_in_reach(s, seat, province)
    others = 0
    for other in range(s.num_players):
        if other != seat:
            others += figures_in_reach(s, other, province)
    win = prize(s, plan, province, int(s.pillager)) + win_text(s, plan, card) - spent
    defeat = lose_text(s, plan, card) - loss(s, plan, province)
    fallen = EFFECTS[Effect.FALLEN_GLORY, card]
    if fallen > 0 and battle_destroys(s, province):
        win += fallen * others
        defeat += fallen * (own + 0.5 * others * int(s.num_players > 2))
    return float(chance * win + (1.0 - chance) * defeat)


@rule
def watch_gain(s: State, plan: Plan) -> float:
    """Heimdall's Watch: glory for the cards revealed, and then a battle with the cards that are left."""
    province = int(s.battle_province)
    glory = 0.0
    for other in range(s.num_players):
        if other != plan.seat and s.in_battle[other] == 1 and s.hand_size[other] > 0:
            glory += 2.5
    left = own_best(s, plan.seat, Card.HEIMDALLS_WATCH)
    chance = win_chance(s, plan, province, float(plan.force[plan.seat, province] + left + 1.0), False)
    gain = chance * prize(s, plan, province, int(s.pillager)) - (1.0 - chance) * loss(s, plan, province)
    return float(glory + gain)


@rule
def score_battle_card(s: State, plan: Plan, scores: Floats) -> None:
    """The gain of each card of the hand."""
    for card in range(NUM_CARDS):
        if s.mask[CARD + card] == 1:
            scores[CARD + card] = card_gain(s, plan, card)


@rule
def wants_to_win(s: State, plan: Plan) -> bool:
    """Whether winning the open battle is better than losing it."""
    province = int(s.battle_province)
    win = prize(s, plan, province, int(s.pillager))
    defeat = -loss(s, plan, province)
    card = int(s.text[plan.seat])
    if card != NONE:
        win += win_text(s, plan, card)
        defeat += lose_text(s, plan, card)
    return win > defeat


@rule
def score_count_quest(s: State, plan: Plan, scores: Floats) -> None:
    """As much as possible, or nothing to lose on purpose."""
    sign = 1.0 if wants_to_win(s, plan) else -1.0
    for count in range(10):
        if s.mask[COUNT + count] == 1:
            scores[COUNT + count] = sign * count


@rule
def score_late_card(s: State, plan: Plan, scores: Floats) -> None:
    """Only what turns a defeat into a win, the least card that does; or makes a narrow win safer."""
    seat = plan.seat
    own = total_strength(s, seat)
    best = 0
    for other in range(s.num_players):
        if other != seat and s.in_battle[other] == 1:
            best = max(best, total_strength(s, other))
    reach = 0
    for card in range(NUM_CARDS):
        if LATE[card] == 1:
            reach += int(s.hand[seat, card]) * int(STRENGTH[card])
    scores[NO] = 0.0
    useful = wants_to_win(s, plan) and own <= best and own + reach > best
    for card in range(NUM_CARDS):
        if s.mask[CARD + card] == 1:
            enough = own + int(STRENGTH[card]) > best
            scores[CARD + card] = (2.0 + int(enough) - 0.1 * STRENGTH[card]) if useful else -1.0


@rule
def score_keep_figure(s: State, plan: Plan, scores: Floats) -> None:
    """The figure that is missed most."""
    fights = 1.0 if wants_to_win(s, plan) else 0.0
    for action in range(FIGURE_AT, MARCH):
        if s.mask[action] == 1:
            kind = (action - FIGURE_AT) // NUM_BOARD
            place = (action - FIGURE_AT) % NUM_BOARD
            strength = engine.strength(s, plan.seat, kind, 1, place, Purpose.BATTLE)
            scores[action] = figure_loss(s, plan, kind, place) + fights * strength


@rule
def score_save(s: State, plan: Plan, scores: Floats) -> None:
    """Frigga's Protection for figures that are worth their Rage; the Witch goes where she is worth more."""
    province = int(s.about_place)
    kind = int(s.about_kind)
    cost = figure_loss(s, plan, kind, province)
    each = engine.price(s, COUNT + 1)
    for count in range(s.high + 1):
        scores[COUNT + count] = count * (cost - each * plan.rage)
    if s.mask[YES] == 1:
        scores[YES] = plan.stand[kind, Place.YGGDRASIL] - (plan.stand[kind, province] - cost)
