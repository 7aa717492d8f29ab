"""Rollouts: a game played on by a quick policy, and what it comes to for a seat."""

import numpy as np

from bloodrage_env.core.apart import apart
from bloodrage_env.core.chance import new_words, seed_words, unit
from bloodrage_env.core.compiled import Ints, entry, rule

from ....mcts.deals import draw_seed
from ..form import (
    ACT,
    CELL,
    DONE,
    MOVE,
    NUM_ACTIONS,
    NUM_DIRECTIONS,
    STATE,
    Decision,
    Direction,
    State,
    States,
    check_game,
    redeal,
    step,
)
from .evaluate import expected_share
from .heuristics import choose_card, weakest_target
from .weights import Doubles

MOST_ANSWERS = 150  # of a rollout; then the cards that are left say who is ahead

# Weights of actions against each other, in the main part of a turn.
WEIGHT = np.ones(NUM_ACTIONS)
WEIGHT[DONE] = 0.5
WEIGHT[ACT:CELL] = 12.0
WEIGHT[MOVE + Direction.FORWARD : ACT : NUM_DIRECTIONS] = 3.0


@rule
def choose_quickly(s: State, words: Ints) -> int:
    """The next action of a rollout."""
    if s.decision == Decision.TARGET:
        target = weakest_target(s)
        if target >= 0:
            return target
    if s.decision == Decision.BUY:
        return choose_card(s, 0, words)
    weighted = s.decision == Decision.MAIN
    total = 0.0
    choice = -1
    left = int(s.num_legal)
    action = 0
    while left > 0:
        if s.mask[action] == 1:
            left -= 1
            weight = WEIGHT[action] if weighted else 1.0
            total += weight
            if unit(words) * total < weight:
                choice = action
        action += 1
    return choice


@rule
def play_out(s: State, words: Ints) -> None:
    """Play on, to the end or for MOST_ANSWERS answers."""
    answers = 0
    while s.over == 0 and answers < MOST_ANSWERS:
        step(s, choose_quickly(s, words))
        answers += 1


@entry
def roll_out(
    states: States, index: int, observer: int, seed: int, first: int, count: int, actions: Ints, sums: Doubles
) -> None:
    """Roll out each of some actions of `observer`, whose turn it is, in the redeals `first` to `first + count - 1`.

    Adds what the ends are worth to it to `sums` (float64, one an action). All actions meet the same redeals, which
    `seed` decides.
    """
    if not apart((states, actions, sums)):
        raise ValueError("states, actions and sums must not share memory")
    check_game(states, index)
    if states[index].over != 0 or observer < 0 or observer != states[index].seat:
        raise ValueError("observer must be the seat to act")
    if seed < 0:
        raise ValueError("seed must be 0 to 2**63 - 1")
    if first < 0:
        raise ValueError("first must be 0 or more")
    if len(sums) != len(actions):
        raise ValueError("sums must be as many as actions")
    for action in actions:
        if action < 0 or action >= NUM_ACTIONS or states[index].mask[action] == 0:
            raise ValueError("actions must be legal")
    words = new_words()
    worlds = np.zeros(1, STATE)
    for deal in range(first, first + count):
        seed_words(words, seed, deal)
        dealt = redeal(states, index, observer, draw_seed(words))
        for i in range(len(actions)):
            worlds[0] = dealt[0]
            step(worlds[0], actions[i])
            play_out(worlds[0], words)
            sums[i] += expected_share(worlds[0], observer)
