"""`greedy`: one decision ahead, over a few redeals. See docs/agents/greedy.md."""

from typing import ClassVar, Literal

import numpy as np

from ...base import ActionMask, Agent, View, draw_seed
from .compiled.greedy import choose_greedy


class Greedy(Agent):
    """Takes the action with the best mean evaluation against the best opponent, over `redeals` redeals."""

    sees: ClassVar[Literal["observation", "view"]] = "view"

    def __init__(self, redeals: int = 4) -> None:
        self.redeals = redeals

    def act(self, observation: View, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """Return the best action one decision ahead."""
        return int(choose_greedy(observation.record, 0, self.redeals, draw_seed(rng)))
