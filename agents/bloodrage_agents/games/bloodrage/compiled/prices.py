"""What things are worth to a seat, in glory: steps, tokens, Rage, quests, figures."""

from bloodrage_env.core.compile.decorators import rule
from bloodrage_env.games.bloodrage.engine import (
    FJORD_OF,
    GLORIOUS_DEATH_FIGURES,
    GOAL,
    NONE,
    NUM_AGES,
    NUM_BOARD,
    NUM_CARDS,
    NUM_KINDS,
    NUM_PROVINCES,
    NUM_STATS,
    NUM_STEPS,
    QUEST_GLORY,
    RAGNAROK_GLORY,
    STAT_BONUS,
    STAT_VALUE,
    TOKEN_GLORY,
    Effect,
    Figure,
    Goal,
    Phase,
    Place,
    Purpose,
    Stat,
    State,
    Token,
    battle_destroys,
    doomed_province,
    end_glory,
    figures_in_reach,
    leader_number,
    losers_gain_axes,
    quest_times,
    ragnarok_times,
    release_glory,
    ship_glory,
    stat_value,
    strength,
    token_times,
    winner_enemy_glory,
    winner_glory,
)

from .plan import Plan
from .weights import Weight


@rule
def rounds_left(s: State) -> int:
    """Action phases that are still to begin."""
    return NUM_AGES - 1 - int(s.age) + int(s.phase == Phase.GODS_GIFTS)


@rule
def step_worth(s: State, plan: Plan, stat: int) -> float:
    """What the next step on a stat is worth: its use in the Ages to come and its share of the end bonus (rules 1.5)."""
    step = int(s.stat_step[plan.seat, stat])
    if step == NUM_STEPS - 1:
        return 0.0
    more = float(STAT_VALUE[stat, step + 1] - STAT_VALUE[stat, step])
    ages = float(rounds_left(s))
    if stat == Stat.RAGE:
        use = plan.weights[Weight.STAT_RAGE] * ages
    elif stat == Stat.AXES:
        use = plan.weights[Weight.STAT_AXES] * (ages + 0.5)
    else:
        use = plan.weights[Weight.STAT_HORNS] * (ages + 0.3)
    target = 3 if step < 3 else 5
    bonus = float(STAT_BONUS[target] - STAT_BONUS[step])
    steps = target - step
    # The last step of the way brings it all; how likely the rest is made falls with its length and with the Ages gone.
    likely = 1.0 if steps == 1 else (0.3 + 0.2 * ages) / steps
    return float(use * more + plan.weights[Weight.BONUS] * bonus * likely)


@rule
def price_goods(s: State, plan: Plan) -> None:
    """Steps, tokens, Axes, Rage, quests."""
    seat = plan.seat
    best = 0.0
    total = 0.0
    for stat in range(NUM_STATS):
        plan.step[stat] = step_worth(s, plan, stat)
        best = max(best, plan.step[stat])
        total += plan.step[stat]
    for province in range(NUM_PROVINCES):
        token = int(s.token[province])
        if token == Token.GLORY:
            plan.token[province] = TOKEN_GLORY
        elif token == Token.ALL_STATS:
            plan.token[province] = total
        else:
            plan.token[province] = plan.step[token]
        plan.token[province] *= token_times(s, seat, province)
        plan.token[province] += leader_number(s, seat, Effect.PILLAGE_STEP, province) * best
        plan.token[province] += leader_number(s, seat, Effect.PILLAGE_ALL, province) * total
    plan.axes = plan.weights[Weight.AXES] * stat_value(s, seat, Stat.AXES)
    plan.rage = plan.weights[Weight.RAGE]
    plan.rush = rush_worth(s, plan)
    find_leaders(s, plan)
    price_quests(s, plan, best)


@rule
def rush_worth(s: State, plan: Plan) -> float:
    """What it is worth to a style in a hurry that one province less can be pillaged: a share of the Rage that the
    others lose when none is left (rules 3.2.4), on average; the last one loses the seat its own as well.
    """
    rage = 0.0
    for other in range(s.num_players):
        if other != plan.seat and s.passed[other] == 0:
            rage += float(s.rage[other])
    rage /= max(1, s.num_players - 1)
    left = 0
    for province in range(NUM_PROVINCES):
        left += int(s.destroyed[province] == 0 and s.pillaged[province] == 0)
    if left <= 1 and s.passed[plan.seat] == 0:
        rage -= float(s.rage[plan.seat])
    return float(plan.weights[Weight.RUSH] * rage / max(1, left))


@rule
def find_leaders(s: State, plan: Plan) -> None:
    """Mark the opponents with the most glory."""
    best = 0
    for other in range(s.num_players):
        if other != plan.seat:
            best = max(best, standing(s, other))
    for other in range(s.num_players):
        plan.leads[other] = 1.0 if other != plan.seat and standing(s, other) == best else 0.0


@rule
def standing(s: State, clan: int) -> int:
    """Glory of a clan with the end bonuses that its stats have reached (rules 1.5)."""
    glory = int(s.glory[clan])
    for stat in range(NUM_STATS):
        glory += int(STAT_BONUS[s.stat_step[clan, stat]])
    return glory


@rule
def denied(plan: Plan, clan: int) -> float:
    """Factor on what an opponent doesn't get."""
    return float(plan.weights[Weight.DENY] + plan.weights[Weight.HUNT] * plan.leads[clan])


@rule
def hunted(s: State, plan: Plan, province: int) -> float:
    """What it is worth to a style that hunts them that the leaders lose a battle in a province."""
    if plan.weights[Weight.HUNT] == 0.0 or not battle_destroys(s, province):
        return 0.0
    total = 0.0
    for other in range(s.num_players):
        total += plan.leads[other] * plan.force[other, province]
    return float(plan.weights[Weight.HUNT] * total)


@rule
def price_quests(s: State, plan: Plan, step: float) -> None:
    """Quests in the hand and committed, by goal; each also raises a stat."""
    seat = plan.seat
    plan.quest[:] = 0.0
    for card in range(NUM_CARDS):
        if s.hand[seat, card] > 0 and GOAL[card] >= 0:
            plan.quest[GOAL[card]] += s.hand[seat, card] * quest_reward(s, plan, card, step)
    for i in range(s.quest_count[seat]):
        card = int(s.quests[seat, i])
        if card >= 0:
            plan.quest[GOAL[card]] += quest_reward(s, plan, card, step)


@rule
def quest_reward(s: State, plan: Plan, card: int, step: float) -> float:
    """Glory and stat of a quest that is met."""
    return float(plan.weights[Weight.QUEST] * (QUEST_GLORY[card] * quest_times(s, plan.seat) + step))


@rule
def mystics_glory(s: State, plan: Plan, province: int) -> float:
    """What Thor's Chosen pays for the Mystics in a province, if the battle is won."""
    return float(winner_glory(s, plan.seat, int(s.figures[plan.seat, Figure.MYSTIC, province])))


@rule
def price_figures(s: State, plan: Plan) -> None:
    """What a figure is worth where it stands, and what its death in battle pays."""
    seat = plan.seat
    doomed = doomed_province(s)
    later = s.age < NUM_AGES - 1
    release = plan.weights[Weight.DEATH] * release_glory(s, seat)
    end = float(end_glory(s, seat))
    gone = 0
    for kind in range(NUM_KINDS):
        gone += int(s.figures[seat, kind, Place.VALHALLA])
    glorious = plan.quest[Goal.GLORIOUS_DEATH] / GLORIOUS_DEATH_FIGURES if gone < GLORIOUS_DEATH_FIGURES else 0.0
    for kind in range(NUM_KINDS):
        dragons = float(ship_glory(s, seat, kind))
        plan.death[kind] = release + plan.weights[Weight.DEATH] * dragons + glorious
        doom = float(RAGNAROK_GLORY[s.age]) * ragnarok_times(s, seat) + dragons
        for place in range(NUM_BOARD):
            if doomed != NONE and (place == doomed or place == FJORD_OF[doomed]):
                plan.stand[kind, place] = plan.weights[Weight.DOOM] * doom + release
            else:
                kept = strength(s, seat, kind, 1, place, Purpose.QUEST) if later else 0
                plan.stand[kind, place] = plan.weights[Weight.LIFE] * kept + end


@rule
def win_glory(s: State, plan: Plan, province: int) -> float:
    """What a battle won there is worth: its glory (the Axes, unless Loki has them; what Mystics and Thor pay), and what
    its leaders lose to a hunter.
    """
    glory = 0.0 if losers_gain_axes(s, province) else float(plan.axes)
    glory += mystics_glory(s, plan, province)
    enemy_glory = winner_enemy_glory(s, province)
    if enemy_glory > 0:
        for other in range(s.num_players):
            if other != plan.seat:
                glory += enemy_glory * figures_in_reach(s, other, province)
    return glory + hunted(s, plan, province)


@rule
def loss(s: State, plan: Plan, province: int) -> float:
    """What a battle lost there costs the seat: all its figures in the province and its fjord (less what their deaths
    pay), unless Frigga keeps them; less the Axes where Loki is. More to the cautious.
    """
    total = -float(plan.axes) if losers_gain_axes(s, province) else 0.0
    if not battle_destroys(s, province):
        return total
    for kind in range(NUM_KINDS):
        total += int(s.figures[plan.seat, kind, province]) * figure_loss(s, plan, kind, province)
        if province < Place.YGGDRASIL:
            fjord = int(FJORD_OF[province])
            total += int(s.figures[plan.seat, kind, fjord]) * figure_loss(s, plan, kind, fjord)
    return total * (1.0 + plan.weights[Weight.CAUTION]) if total > 0.0 else total


@rule
def figure_loss(s: State, plan: Plan, kind: int, place: int) -> float:
    """What the death of a figure in a battle costs its owner; below zero where it pays."""
    fight = plan.weights[Weight.FIGHT] * strength(s, plan.seat, kind, 1, place, Purpose.BATTLE)
    return float(plan.stand[kind, place] + fight - plan.death[kind])
