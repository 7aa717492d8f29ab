"""Reviews: every decision of a finished or unfinished game, evaluated with the information of its seat."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from bloodrage_env.core.compiled import Records
from bloodrage_env.core.replay import Replay
from bloodrage_env.study import SIMULATIONS, Analysis, Analyst, Judged

from .analysis import scaled
from .base import View, agent_rng, draw_seed

CERTAIN: Final = 2.0  # standard errors by which an action must be worse than another one to count as that


class Reviewer:
    """Evaluates the decisions of one game in order.

    With `simulations`, the win probabilities are those of the search at the last choice of each seat, and each action
    has a cost. Without, the probabilities come from the network, and there are no costs.
    """

    def __init__(self, analyst: Analyst, replay: Replay, simulations: int = SIMULATIONS) -> None:
        self._analyst, self._replay, self._simulations = analyst, replay, simulations
        self._expected: list[float] = []  # by each seat of itself, at its last choice

    def decisions(self) -> Iterator[Judged]:
        """Yield each decision when it is evaluated. Raises ReplayError if the replay is invalid."""
        for step, (states, action) in enumerate(zip(self._replay.states(), self._replay.actions, strict=False)):
            yield self._judged(step, states, action)

    def result(self) -> tuple[float, ...]:
        """Return each seat's share of the victory, or the network's win probabilities if the game is not over."""
        return self._analyst.course(self._replay.at(-1))

    def _judged(self, step: int, states: Records, action: int) -> Judged:
        seat = self._replay.game.play.seat_to_act(states, 0)
        course = self._analyst.course(states)
        if not self._expected:
            self._expected = list(course)
        view, seed = View.of(states, 0, seat, self._replay.game.name), draw_seed(agent_rng("review", step))
        analysis, cost, better, missed = None, 0.0, None, None
        if states[0].num_legal > 1:
            analysis = self._analyst.analyse(view, seed, self._simulations)
            self._expected[seat] = analysis.wins[seat]
            if self._simulations and analysis.best != action:
                cost, better, missed = self._cost(view, analysis, action, seed)
        if self._simulations:
            course = tuple(scaled(np.array(self._expected)).tolist())
        return Judged(step, seat, action, course, analysis, cost, better, missed)

    def _cost(
        self, view: View, analysis: Analysis, action: int, seed: int
    ) -> tuple[float, int | None, tuple[float, float] | None]:
        """Return the loss against the better action, that action, and what it has more of (`Judged.missed`); 0 and None
        unless the loss is certain.
        """
        compared = self._analyst.compare(view, (analysis.best, action), seed)
        best, played = compared.shares
        cost = float((best - played).mean())
        error = float((best - played).std() / np.sqrt(best.size))
        if cost <= CERTAIN * error:
            return 0.0, None, None
        (_, score, lost), (_, played_score, played_lost) = compared.means()
        return cost, analysis.best, (score - played_score, lost - played_lost)
