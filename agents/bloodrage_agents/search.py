"""What the search agents share: a budget, and a view in place of an observation."""

from typing import ClassVar, Literal

import numpy as np

from bloodrage_env.core.compiled import Ints, compile_all

from .base import ActionMask, Agent, View, draw_seed
from .budget import Budget, Meter


class SearchAgent(Agent):
    """Base of the agents that search, for so many `simulations` or `ms` a decision. UserError unless one is given.

    With `simulations` the answer is a function of the view and the seed that `rng` gives; with `ms` it depends on how
    fast the machine is.
    """

    sees: ClassVar[Literal["observation", "view"]] = "view"

    def __init__(self, simulations: int | None = None, ms: int | None = None) -> None:
        self.budget = Budget(simulations, ms)
        compile_all()  # now, not on the clock of the first decision

    def act(self, observation: View, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """The action found best; at once where only one is legal."""
        meter = self.budget.start()
        seed = draw_seed(rng)
        legal = np.flatnonzero(action_mask)
        return int(legal[0]) if len(legal) == 1 else self.search(observation, legal, seed, meter)

    def search(self, view: View, legal: Ints, seed: int, meter: Meter) -> int:
        """One of the `legal` actions (int64[n], n > 1), found with the simulations that `meter` grants."""
        raise NotImplementedError
