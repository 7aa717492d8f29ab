"""`flat`: flat Monte Carlo. Every action is tried in sampled deals, with sequential halving.

docs/agents/flat.md describes it, docs/leaderboard.md has its win rates.
"""

from math import ceil, log2

import numpy as np

from bloodrage_env import games
from bloodrage_env.core.compile.decorators import Ints

from . import parts
from .answer import Answer
from .base import View
from .budget import Meter
from .search import SearchAgent


class Flat(SearchAgent):
    """Sequential halving (Karnin, Koren and Somekh 2013) over rollouts; all actions use the same sampled deals."""

    def __init__(self, simulations: int | None = None, ms: int | None = None, game: str = games.FIRST) -> None:
        self.game = game
        parts.roll_out(game)  # loaded now, compiled by the line below
        super().__init__(simulations, ms)

    def search(self, view: View, legal: Ints, seed: int, meter: Meter) -> Answer:
        """Return the action with the best mean value. Each stage has an equal budget and halves the actions.

        In the first stage every action has one rollout, even if that is more than the budget. Actions are preferred by
        the stage that they reach, and in a stage by their value. Only the seat's own values are estimated.
        """
        roll_out = parts.roll_out(self.game)
        stages = ceil(log2(len(legal)))
        actions, sums, visits = legal.astype(np.int64), np.zeros(len(legal)), np.zeros(len(legal), np.int64)
        deals, left = 0, len(legal)
        for stage in range(1, stages + 1):
            while more := meter.chunk(left, stage / stages) or int(deals == 0):
                roll_out(view.record, 0, view.seat, seed, deals, more, actions[:left], sums[:left])
                deals += more
            visits[:left] = deals
            best = np.argsort(-sums[:left], kind="stable")
            actions[:left], sums[:left] = actions[best], sums[best]
            left = ceil(left / 2)
        values = np.full((len(legal), int(view.record[0].num_players)), np.nan)
        values[:, view.seat] = sums / visits
        return Answer(actions, visits, values)
