"""Scores of actions and leads as inputs of a network, and the forms of a score in the action head, for every game.

The action with the best score has the input 1. An action that is worse by WORST or more has LEAST, an illegal one 0.
"""

from math import sqrt
from typing import Final

import numpy as np

from bloodrage_env.core.compile.decorators import Floats, Mask, rule

WORST: Final = 15.0  # an action that is worse than the best one by more counts as worse by so much
LEAST: Final = 0.02  # the number of such an action
NUM_FORMS: Final = 3  # numbers that the action head makes of a score, see `forms`


@rule
def compare(mask: Mask, scores: Floats) -> None:
    """Convert `scores`, float32[NUM_ACTIONS], of the legal actions to inputs."""
    best = np.float32(-1e9)
    for action in range(len(mask)):
        if mask[action] == 1:
            best = max(best, scores[action])
    for action in range(len(mask)):
        worse = min(np.float32(WORST), best - scores[action]) * np.float32((1.0 - LEAST) / WORST)
        scores[action] = mask[action] * (np.float32(1.0) - worse)


@rule
def forms(score: float, out: Floats) -> None:
    """Return the forms of a score in the action head, float32[NUM_FORMS]: linear, the root, and whether it is the
    best.
    """
    worse = (1.0 - score) * (WORST / (1.0 - LEAST))
    out[0] = np.float32(-worse * 0.25)
    out[1] = np.float32(-sqrt(max(0.0, worse)) * 0.5)
    out[2] = np.float32(1.0) if worse < 1e-3 else np.float32(0.0)


@rule
def put(out: Floats, at: int, lead: int) -> None:
    """Write a lead as two numbers, how far ahead and how far behind: a network reads no negative ones."""
    out[at] = max(0, lead)
    out[at + 1] = max(0, -lead)
