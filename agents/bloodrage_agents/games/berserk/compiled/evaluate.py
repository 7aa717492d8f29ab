"""Evaluates a position for a seat, by the cards that are left and their cells."""

from math import exp

from bloodrage_env.core.compile.decorators import rule

from ....mcts.nodes import Doubles
from ..mode import (
    AIR,
    COLUMN_OF,
    COLUMNS,
    DISTANCE,
    FLOW,
    FLYERS,
    LIFE,
    NONE,
    NUM_ACTS,
    NUM_SEATS,
    NUM_TEAMS,
    SQUAD,
    State,
    can_act,
    is_open,
    opponent,
    owner,
)
from .weights import WEIGHTS, WORTH, Weight

score = FLOW.score

OPPONENTS = NUM_SEATS // NUM_TEAMS  # of each player, and players in a team
CENTRE = COLUMNS // 2  # the column
WON = 1000.0
SCALE = 6.0  # crystals: a lead of so much is worth e times as much
PER_POISON = 0.3  # crystals that a point of poison takes off a card
PER_TOKEN = 0.2


@rule
def material(s: State, seat: int, wounded: float) -> float:
    """Return the worth of a seat's cards on the board. `wounded` is the part that depends on their life."""
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
    """Return whether an open card could declare an action now, if its owner were to act."""
    if not is_open(s, slot) or s.card[slot] == NONE or s.face_down[slot] == 1:
        return False
    for act in range(NUM_ACTS):
        if can_act(s, slot, act, NONE):
            return True
    return False


@rule
def nearest(s: State, slot: int) -> int:
    """Return the distance of the nearest enemy on the board."""
    least = 0
    for i in range(OPPONENTS):
        base = opponent(owner(slot), i) * SQUAD
        for other in range(base, base + SQUAD):
            if s.cell[other] != NONE and (not FLYERS or s.cell[other] != AIR):
                distance = int(DISTANCE[s.cell[slot], s.cell[other]])
                if least == 0 or distance < least:
                    least = distance
    return least


@rule
def standing(s: State, seat: int, style: int) -> float:
    """Return the worth of the cells of a seat's cards."""
    total = 0.0
    for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
        if s.cell[slot] != NONE:
            if not FLYERS or s.cell[slot] != AIR:
                total += WEIGHTS[style, Weight.DISTANCE] * nearest(s, slot)
                total += WEIGHTS[style, Weight.CENTRE] * abs(int(COLUMN_OF[s.cell[slot]]) - CENTRE)
            if can_attack(s, slot):
                total += WEIGHTS[style, Weight.REACH]
    for i in range(OPPONENTS):
        base = opponent(seat, i) * SQUAD
        for slot in range(base, base + SQUAD):
            if can_attack(s, slot):
                total += WEIGHTS[style, Weight.REACHED]
    return total


@rule
def team_material(s: State, team: int, wounded: float) -> float:
    """Return the worth of the cards of a team, 0 or 1."""
    total = 0.0
    for seat in range(team, NUM_SEATS, NUM_TEAMS):
        total += material(s, seat, wounded)
    return total


@rule
def evaluate(s: State, seat: int, style: int) -> float:
    """Return the worth of a position in crystals; WON and more for a won game. A partner's cards count as own
    cards.
    """
    team = seat % NUM_TEAMS
    wounded = WEIGHTS[style, Weight.WOUNDED]
    lead = team_material(s, team, wounded) - WEIGHTS[style, Weight.ENEMY] * team_material(s, 1 - team, wounded)
    if s.over == 1:
        lead += WON * (score(s, team) - score(s, 1 - team))
    else:
        lead += standing(s, seat, style)
    return float(lead)


@rule
def expected_share(s: State, seat: int) -> float:
    """Return the worth of the end of a rollout for a seat, an equal part of its team's, which is 0 to 1.

    It is the share of the victory, or depends on the cards that are left.
    """
    team = seat % NUM_TEAMS
    if s.over == 1 and s.truncated == 0:
        return (0.5 + 0.5 * (score(s, team) - score(s, 1 - team))) / OPPONENTS
    lead = team_material(s, team, 1.0) - team_material(s, 1 - team, 1.0)
    return 1.0 / (1.0 + exp(-lead / SCALE)) / OPPONENTS


@rule
def outcome(s: State, values: Doubles) -> None:
    """Fill `values[seat]` with the worth of the end of a rollout for each seat, 0 to 1 with sum 1."""
    values[:] = 0.0
    for seat in range(NUM_SEATS):
        values[seat] = expected_share(s, seat)
