"""What a position is worth to a seat, by the cards that are left and where they stand."""

from math import exp

from bloodrage_env.core.compiled import rule
from bloodrage_env.games.berserk.engine import (
    COLUMN_OF,
    DISTANCE,
    FLOW,
    LIFE,
    NONE,
    NUM_ACTS,
    NUM_SEATS,
    SQUAD,
    State,
    can_act,
    is_open,
)

from .weights import WEIGHTS, WORTH, Weight

score = FLOW.score

CENTRE = 2  # the column
WON = 1000.0
SCALE = 6.0  # crystals: a lead of so much is worth e times as much
PER_POISON = 0.3  # crystals that a point of poison takes off a card
PER_TOKEN = 0.2


@rule
def material(s: State, seat: int, wounded: float) -> float:
    """The worth of the cards that a seat has on the board; `wounded` is the part that their life decides."""
    total = 0.0
    for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
        if s.cell[slot] != NONE and s.card[slot] != NONE:
            card = int(s.card[slot])
            left = (int(LIFE[card]) - int(s.wounds[slot])) / int(LIFE[card])
            total += WORTH[card] * (1.0 - wounded + wounded * left)
            total += PER_TOKEN * s.tokens[slot] - PER_POISON * s.poison[slot]
    return total


@rule
def can_attack(s: State, slot: int) -> bool:
    """Whether an open card could declare an action now; its owner need not be at turn."""
    if not is_open(s, slot) or s.card[slot] == NONE or s.face_down[slot] == 1:
        return False
    for act in range(NUM_ACTS):
        if can_act(s, slot, act, NONE):
            return True
    return False


@rule
def nearest(s: State, slot: int) -> int:
    """How far the nearest enemy is."""
    least = 0
    base = (1 - slot // SQUAD) * SQUAD
    for other in range(base, base + SQUAD):
        if s.cell[other] != NONE:
            distance = int(DISTANCE[s.cell[slot], s.cell[other]])
            if least == 0 or distance < least:
                least = distance
    return least


@rule
def standing(s: State, seat: int, style: int) -> float:
    """What it is worth where the cards of a seat stand."""
    total = 0.0
    for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
        if s.cell[slot] != NONE:
            total += WEIGHTS[style, Weight.DISTANCE] * nearest(s, slot)
            total += WEIGHTS[style, Weight.CENTRE] * abs(int(COLUMN_OF[s.cell[slot]]) - CENTRE)
            if can_attack(s, slot):
                total += WEIGHTS[style, Weight.REACH]
    base = (1 - seat) * SQUAD
    for slot in range(base, base + SQUAD):
        if can_attack(s, slot):
            total += WEIGHTS[style, Weight.REACHED]
    return total


@rule
def evaluate(s: State, seat: int, style: int) -> float:
    """In crystals; WON and more for a game that is won."""
    other = NUM_SEATS - 1 - seat
    wounded = WEIGHTS[style, Weight.WOUNDED]
    lead = material(s, seat, wounded) - WEIGHTS[style, Weight.ENEMY] * material(s, other, wounded)
    if s.over == 1:
        lead += WON * (score(s, seat) - score(s, other))
    else:
        lead += standing(s, seat, style)
    return float(lead)


@rule
def expected_share(s: State, seat: int) -> float:
    """What the end of a playout is worth, 0 to 1: the share of the victory, or of what is left of the cards."""
    other = NUM_SEATS - 1 - seat
    if s.over == 1 and s.truncated == 0:
        return 0.5 + 0.5 * (score(s, seat) - score(s, other))
    return 1.0 / (1.0 + exp((material(s, other, 1.0) - material(s, seat, 1.0)) / SCALE))
