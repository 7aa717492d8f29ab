"""Rollouts: a game played on to its end by a quick policy, and what the end is worth to each seat.

A rollout by the heuristics of `heuristics.py` takes twenty times as long. This policy draws at random, with a weight
for each action, so that a search has many more rollouts in the same time.
"""

from math import exp

import numpy as np

from bloodrage_env.core.apart import apart
from bloodrage_env.core.chance import new_words, seed_words, unit
from bloodrage_env.core.compiled import Ints, entry, rule
from bloodrage_env.games.bloodrage.engine import (
    CARD,
    FIGURE_AT,
    IS_UPGRADE,
    MARCH,
    MAX_SEATS,
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
    States,
    check_game,
    check_seed,
    clan_strength,
    redeal,
    step,
)

from ....mcts.deals import draw_seed
from ....mcts.nodes import Doubles

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
def check_observer(s: State, observer: int) -> None:
    """It is the observer who is asked."""
    if s.over != 0 or observer < 0 or observer != s.seat:
        raise ValueError("observer must be the seat to act")


@rule
def pillage_weight(s: State, province: int) -> float:
    """By the STR that all can see there."""
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
    """The next action of a rollout. It looks at the own hand and at what is open to all."""
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
    """Play on to the end."""
    while s.over == 0:
        step(s, choose(s, words))


@rule
def outcome(s: State, values: Doubles) -> None:
    """What the end of a game is worth: `values[seat]`, 0 to 1 with sum 1, a softmax of the glory.

    A win alone says little about most moves.
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


@entry
def roll_out(
    states: States, index: int, observer: int, seed: int, first: int, count: int, actions: Ints, sums: Doubles
) -> None:
    """Roll out each of some actions of `observer`, whose turn it is, in the deals `first` to `first + count - 1`.

    Adds what the ends are worth to it to `sums` (float64, one an action). All actions meet the same deals, which
    `seed` decides, so that luck of the deal doesn't come between them.
    """
    if not apart((states, actions, sums)):
        raise ValueError("states, actions and sums must not share memory")
    check_game(states, index)
    check_observer(states[index], observer)
    check_seed(seed)
    if first < 0:
        raise ValueError("first must be 0 or more")
    if len(sums) != len(actions):
        raise ValueError("sums must be as many as actions")
    for action in actions:
        if action < 0 or action >= NUM_ACTIONS or states[index].mask[action] == 0:
            raise ValueError("actions must be legal")
    words = new_words()
    values = np.zeros(MAX_SEATS)
    worlds = np.zeros(1, STATE)
    for deal in range(first, first + count):
        seed_words(words, seed, deal)
        dealt = redeal(states, index, observer, draw_seed(words))
        for i in range(len(actions)):
            worlds[0] = dealt[0]
            step(worlds[0], actions[i])
            play_out(worlds[0], words)
            outcome(worlds[0], values)
            sums[i] += values[observer]
