"""Base class of the search agents: a budget, and a view in place of an observation."""

from typing import ClassVar, Literal

import numpy as np

from bloodrage_env.core.compile.decorators import Ints, compile_all

from .answer import Answer
from .base import ActionMask, Agent, View, draw_seed
from .budget import Budget, Meter


class SearchAgent(Agent):
    """Base class of the search agents, with a budget of `simulations` or `ms` (milliseconds) per decision.

    With `simulations` the action is a function of the view and the state of `rng`; with `ms` it also depends on the
    speed of the machine. Raise UserError unless exactly one of both is given.
    """

    sees: ClassVar[Literal["observation", "view"]] = "view"

    def __init__(self, simulations: int | None = None, ms: int | None = None) -> None:
        self.budget = Budget(simulations, ms)
        compile_all()  # now, not on the clock of the first decision

    def act(self, observation: View, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """Return the best action found. A single legal action is returned without a search."""
        seed = draw_seed(rng)
        legal = np.flatnonzero(action_mask)
        return int(legal[0]) if len(legal) == 1 else self.search(observation, legal, seed, self.budget.start()).move

    def search(self, view: View, legal: Ints, seed: int, meter: Meter) -> Answer:
        """Return the answer among the `legal` actions (int64[n], n > 1), within the budget of `meter`."""
        raise NotImplementedError
