"""Rollouts: a quick policy plays a game to its end, and the end has a value for each seat.

A rollout by the heuristics of `heuristics.py` takes twenty times as long. This policy draws actions at random with
weights, so that a search has many more rollouts in the same time.
"""

from math import exp

import numpy as np

from bloodrage_env.core.compile.decorators import Ints, rule
from bloodrage_env.core.engine.chance import unit
from bloodrage_env.games.bloodrage.engine import (
    CARD,
    COMPILER,
    FIGURE_AT,
    FLOW,
    IS_UPGRADE,
    MARCH,
    NO,
    NUM_ACTIONS,
    NUM_CARDS,
    PASS,
    PROVINCE,
    STATE,
    STRENGTH,
    TYPE,
    CardType,
    Decision,
    Purpose,
    State,
    check_game,
    clan_strength,
    redeal,
    step,
)

from ....mcts.nodes import Doubles
from ....rollouts import roll_out_for

# Weights of actions against each other, in the Action phase and in the questions that follow from it.
WEIGHT = np.ones(NUM_ACTIONS)
WEIGHT[PASS] = 0.05
WEIGHT[NO] = 0.3
WEIGHT[MARCH:] = 0.15
WEIGHT[CARD:FIGURE_AT] = 2.0
WEIGHT[CARD : CARD + NUM_CARDS][IS_UPGRADE] = 4.0
# Of a card in battle: strong ones first, others rarely.
BATTLE_WEIGHT = np.where(TYPE == CardType.BATTLE, 0.3 + STRENGTH**1.5, 0.05)
# Of a pillage: with more STR than anyone there, with up to CLOSE less than the strongest, with still less.
AHEAD_WEIGHT, CLOSE_WEIGHT, BEHIND_WEIGHT = 12.0, 3.0, 0.3
CLOSE = 2

TEMPERATURE = 10.0  # glory: a lead of so much is worth e times as much


@rule
def pillage_weight(s: State, province: int) -> float:
    """Return a weight that depends on the visible STR there."""
    most = 0
    for other in range(s.num_players):
        if other != s.seat:
            most = max(most, clan_strength(s, other, province, Purpose.BATTLE))
    own = clan_strength(s, int(s.seat), province, Purpose.BATTLE)
    if own > most:
        return AHEAD_WEIGHT
    return CLOSE_WEIGHT if own + CLOSE >= most else BEHIND_WEIGHT


@rule
def choose(s: State, words: Ints) -> int:
    """Return the next action of a rollout. It reads the own hand and public information."""
    decision = s.decision
    total = 0.0
    choice = -1
    left = int(s.num_legal)
    action = 0
    while left > 0:
        if s.mask[action] == 1:
            left -= 1
            weight = WEIGHT[action]
            if decision == Decision.BATTLE_CARD:
                weight = BATTLE_WEIGHT[action - CARD]
            elif decision == Decision.DRAFT:
                weight = 1.0
            elif decision == Decision.ACTION and action >= PROVINCE and action < CARD:
                weight = pillage_weight(s, action - PROVINCE)
            total += weight
            if unit(words) * total < weight:
                choice = action
        action += 1
    return choice


@rule
def play_out(s: State, words: Ints) -> None:
    """Play to the end."""
    while s.over == 0:
        step(s, choose(s, words))


@rule
def outcome(s: State, values: Doubles) -> None:
    """Fill `values[seat]` with the value of the end of a game, 0 to 1 with sum 1: a softmax of the glory.

    A win alone contains little information about most moves.
    """
    best = 0
    for seat in range(s.num_players):
        best = max(best, int(s.glory[seat]))
    total = 0.0
    for seat in range(s.num_players):
        values[seat] = exp((s.glory[seat] - best) / TEMPERATURE)
        total += values[seat]
    for seat in range(s.num_players):
        values[seat] /= total


roll_out = roll_out_for(COMPILER, FLOW, check_game, redeal, play_out, outcome, STATE)
