"""Reviews: every decision of a finished or unfinished game, evaluated with the information of its seat."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bloodrage_env.core.api.replay import Replay
from bloodrage_env.core.compile.decorators import Records
from bloodrage_env.study import COSTLY, SIMULATIONS, Analyst, Judged, Missed, Price, certain

from .analysis import scaled
from .base import View, agent_rng, draw_seed


class Reviewer:
    """Evaluates the decisions of one game in order.

    Parameters
    ----------
    analyst : Analyst
        Of the game of the replay, such as `games.study("bloodrage").analyst("network")`.
    replay : Replay
        The game, finished or not.
    simulations : int
        The win probabilities are those of the search at the last choice of each seat, and each action has a cost. With
        0 the probabilities come from the network, and there are no costs.

    Examples
    --------
    >>> from bloodrage_agents.review import Reviewer
    >>> from bloodrage_env import games
    >>> recorder = games.recorder(games.options_from("bloodrage", num_players=2), seed=1)
    >>> seat = recorder.apply(int(recorder.states[0].mask.argmax()))
    >>> reviewer = Reviewer(games.study("bloodrage").analyst("network"), recorder.replay(), simulations=0)
    >>> [judged.step for judged in reviewer.decisions()]
    [0]
    """

    def __init__(self, analyst: Analyst, replay: Replay, simulations: int = SIMULATIONS) -> None:
        self._analyst, self._replay, self._simulations = analyst, replay, simulations
        self._expected: list[float] = []  # by each seat of itself, at its last choice

    def decisions(self) -> Iterator[Judged]:
        """Yield each decision when it is evaluated. Raise ReplayError if the replay is invalid."""
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
        view, seed = View.of(states, 0, seat, self._replay.game.name), seed_of(step)
        judged = Judged(step, seat, action, course)
        if states[0].num_legal > 1:
            analysis = self._analyst.analyse(view, seed, self._simulations)
            self._expected[seat] = analysis.wins[seat]
            judged = replace(judged, analysis=analysis)
            if self._simulations and analysis.best != action:
                judged = priced(self._analyst, judged, view, analysis.best, seed)
        if self._simulations:
            judged = replace(judged, course=tuple(scaled(np.array(self._expected)).tolist()))
        return judged


def seed_of(step: int) -> int:
    """Return the seed of the analysis of a decision by its step."""
    return draw_seed(agent_rng("review", step))


def priced(analyst: Analyst, judged: Judged, view: View, best: int, seed: int) -> Judged:
    """Return the decision with what it gives away against the best action, as far as that is certain.

    In a position that is practically lost, where no action can cost much of the win probability, this is counted in
    places and score at the end of the game. A costly decision also has a reason (`study.Missed`).
    """
    actions = best, judged.action
    shares = analyst.compare(view, actions, seed)
    cost = max(0.0, certain(shares))
    if shares[0].mean() <= COSTLY:
        end = analyst.outlook(view, actions, seed, to_the_end=True)
        price = Price(certain(end.places[::-1]), certain(end.scores))
        if min(price) >= 0 and max(price) > 0:
            judged = replace(judged, price=price)
    if not cost and judged.price is None:
        return judged
    judged = replace(judged, cost=cost, better=best)
    if not judged.costly:
        return judged
    near = analyst.outlook(view, actions, seed)
    missed = Missed(certain(near.scores), certain(near.lost), at_the_end=False)
    if judged.price is None and missed.score <= 0 and missed.lost >= 0:
        end = analyst.outlook(view, actions, seed, to_the_end=True)
        if certain(end.scores) > 0:
            missed = Missed(certain(end.scores), 0.0, at_the_end=True)
    return replace(judged, missed=missed)
