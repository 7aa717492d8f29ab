"""Hints while a game goes on, and the review of one that is over: made by an analyst in a thread of its own."""

from functools import partial
from typing import Final

from bloodrage_agents.base import View, agent_rng, draw_seed
from bloodrage_agents.network import NETWORK
from bloodrage_agents.review import Reviewer

from .. import games
from ..core.compiled import Records
from ..core.replay import Replay
from ..encoding import as_bytes
from ..study import Analyst, Judged, Study, analysis_data
from .thinking import Thinkers

HINT_SIMULATIONS: Final = 100
REVIEW_SIMULATIONS: Final = 100  # of each decision


class Studies:
    """What the tables of a server ask of one analyst, one thing at a time: a hint waits for one decision of a review.

    Neither waits for agents, nor they for it. Raises UserError for a game that has no analyst.
    """

    def __init__(self, game: str) -> None:
        self._game, self._studied = game, games.study(game)
        self._thinkers = Thinkers(1)
        self._analyst: Analyst | None = None

    def load(self) -> None:
        """Make the analyst, which takes a second, before somebody waits for it."""
        self._shared()

    async def hint(self, states: Records, seat: int, number: int) -> bytes:
        """The analysis of the question of this number, which is open to `seat`, by what the seat knows."""
        return await self._thinkers.result(self._hint, View.of(states, 0, seat, self._game), number)

    def _hint(self, view: View, number: int) -> bytes:
        seed = draw_seed(agent_rng("hint", number))
        analysis = self._shared().analyse(view, seed, HINT_SIMULATIONS)
        data = analysis_data(analysis, partial(self._studied.label, view.record, 0), str)
        return as_bytes({"number": number, "best": analysis.best, **data})

    async def page(self, replay: Replay) -> bytes:
        """What the page of a replay shows."""
        title = f"A game of {games.spec(self._game).title}"
        return await self._thinkers.result(
            lambda: as_bytes(self._studied.page_data(replay, title, replay.players or None))
        )

    def _shared(self) -> Analyst:
        if self._analyst is None:
            self._analyst = self._studied.analyst(NETWORK)
        return self._analyst

    async def review(self, replay: Replay, decisions: list[Judged]) -> bytes:
        """The study of a game as its pages show it; decisions are added to the list as they are judged."""
        reviewer = await self._thinkers.result(lambda: Reviewer(self._shared(), replay, REVIEW_SIMULATIONS))
        judged = reviewer.decisions()
        while len(decisions) < len(replay):
            decisions.append(await self._thinkers.result(next, judged))
        study = Study(decisions, reviewer.result())
        return await self._thinkers.result(lambda: as_bytes(self._studied.study_data(replay, study)))
