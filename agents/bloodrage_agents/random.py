"""`random`: every legal action is equally likely."""

from typing import Any

import numpy as np

from .base import ActionMask, Agent


class RandomAgent(Agent):
    """Every legal action is equally likely; the zero of the rating scale."""

    def act(self, observation: Any, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """Return a random legal action."""
        return int(rng.choice(np.flatnonzero(action_mask)))
