"""`rush` and `hold`: two styles of play that look one action ahead. See docs/berserk/agents.md."""

from typing import ClassVar, Literal

import numpy as np

from bloodrage_env.errors import UserError

from ...base import ActionMask, Agent, View, draw_seed
from .compiled.heuristics import choose
from .compiled.weights import STYLES


class Heuristic(Agent):
    """One of the styles. It tries every legal action in a few redeals. Raises UserError for another name."""

    sees: ClassVar[Literal["observation", "view"]] = "view"

    def __init__(self, style: str = STYLES[0]) -> None:
        if style not in STYLES:
            raise UserError(f"there is no style {style!r}; there are {', '.join(STYLES)}")
        self.style = STYLES.index(style)

    def act(self, observation: View, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """Return the action with the best score."""
        return int(choose(observation.record, 0, self.style, draw_seed(rng)))
