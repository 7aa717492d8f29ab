"""Rollouts: a quick policy plays a game on."""

import numpy as np

from bloodrage_env.core.compile.decorators import Ints, rule
from bloodrage_env.core.engine.chance import unit

from ....rollouts import roll_out_for
from ..mode import (
    ACT,
    CELL,
    COMPILER,
    DONE,
    FLOW,
    MOVE,
    NUM_ACTIONS,
    NUM_DIRECTIONS,
    STATE,
    Decision,
    Direction,
    State,
    check_game,
    redeal,
    step,
)
from .evaluate import outcome
from .heuristics import choose_card, weakest_target

MOST_ANSWERS = 150  # of a rollout; then the cards that are left say who is ahead

# Weights of actions against each other, in the main part of a turn.
WEIGHT = np.ones(NUM_ACTIONS)
WEIGHT[DONE] = 0.5
WEIGHT[ACT:CELL] = 12.0
WEIGHT[MOVE + Direction.FORWARD : ACT : NUM_DIRECTIONS] = 3.0


@rule
def choose_quickly(s: State, words: Ints) -> int:
    """Return the next action of a rollout."""
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
    """Play to the end, or for MOST_ANSWERS answers."""
    answers = 0
    while s.over == 0 and answers < MOST_ANSWERS:
        step(s, choose_quickly(s, words))
        answers += 1


roll_out = roll_out_for(COMPILER, FLOW, check_game, redeal, play_out, outcome, STATE)
