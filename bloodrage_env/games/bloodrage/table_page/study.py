"""Hints while a game goes on, and the review of one that is over: made by an analyst in a thread of its own."""

from functools import partial
from typing import Final

from bloodrage_agents.base import View, agent_rng, draw_seed
from bloodrage_agents.games.bloodrage.analysis import Analyst
from bloodrage_agents.games.bloodrage.review import Reviewer

from ....encoding import as_bytes
from ....serve.thinking import Thinkers
from ....study import Judged, Study, analysis_data
from .. import engine
from ..engine import States
from ..notation.questions import answer_text
from ..render.replay_page import page_data
from ..render.study_data import study_data
from ..replay import Replay

HINT_SIMULATIONS: Final = 100
REVIEW_SIMULATIONS: Final = 100  # of each decision


class Studies:
    """What the tables of a server ask of one analyst, one thing at a time: a hint waits for one decision of a review.

    Neither waits for agents, nor they for it.
    """

    def __init__(self) -> None:
        self._thinkers = Thinkers(1)
        self._analyst: Analyst | None = None

    def load(self) -> None:
        """Make the analyst, which takes a second, before somebody waits for it."""
        self._shared()

    async def hint(self, states: States, seat: int, number: int) -> bytes:
        """The analysis of the question of this number, which is open to `seat`, by what the seat knows."""
        return await self._thinkers.result(self._hint, View(engine.hide(states, 0, seat), seat), number)

    def _hint(self, view: View, number: int) -> bytes:
        seed = draw_seed(agent_rng("hint", number))
        analysis = self._shared().analyse(view, seed, HINT_SIMULATIONS)
        data = analysis_data(analysis, partial(answer_text, view.record, 0), str)
        return as_bytes({"number": number, "best": analysis.best, **data})

    async def page(self, replay: Replay) -> bytes:
        """What the page of a replay shows."""
        return await self._thinkers.result(
            lambda: as_bytes(page_data(replay, "A game of Blood Rage", replay.players or None))
        )

    def _shared(self) -> Analyst:
        if self._analyst is None:
            self._analyst = Analyst()
        return self._analyst

    async def review(self, replay: Replay, decisions: list[Judged]) -> bytes:
        """The study of a game as `study_data` makes it; decisions are added to the list as they are judged."""
        reviewer = await self._thinkers.result(lambda: Reviewer(self._shared(), replay, REVIEW_SIMULATIONS))
        judged = reviewer.decisions()
        while len(decisions) < len(replay):
            decisions.append(await self._thinkers.result(next, judged))
        return await self._thinkers.result(lambda: as_bytes(study_data(replay, Study(decisions, reviewer.result()))))
