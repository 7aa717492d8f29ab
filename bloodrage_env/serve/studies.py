"""Hints in a running game and reviews of finished ones, from an analyst in a thread of its own."""

from functools import partial
from typing import Any, Final

from bloodrage_agents.base import View, agent_rng, draw_seed
from bloodrage_agents.network import NETWORK
from bloodrage_agents.review import Reviewer, priced, seed_of

from .. import games
from ..core.api.replay import Replay
from ..core.compile.decorators import Records
from ..encoding import as_bytes
from ..study import LOST, SHOWN_MOVES, Analyst, Judged, Move, Study, analysis_data, outlook_data, thousandths
from . import puzzles
from .games import Game
from .plain import page_of
from .puzzle import Puzzle
from .thinking import Thinkers

HINT_SIMULATIONS: Final = 100
REVIEW_SIMULATIONS: Final = 100  # of each decision
NO_OUTLOOK: Final = {"deals": 0, "ahead": []}  # where the win probabilities say enough
HINT_DEALS: Final = 12  # of a lost position, in which each move that a hint shows is played on to the end


class Studies:
    """The requests of all tables to one analyst, one at a time. A hint waits for at most one decision of a review.

    Agents are not delayed. Raises UserError for a game without an analyst.
    """

    def __init__(self, game: str) -> None:
        self._game, self._studied = game, games.study(game)
        self._thinkers = Thinkers(1)
        self._analyst: Analyst | None = None

    def load(self) -> None:
        """Create the analyst in advance, which takes a second."""
        self._shared()

    async def hint(self, states: Records, seat: int, number: int) -> bytes:
        """Return the analysis of an open question of `seat` from what the seat knows.

        `reasons` are sentences of the rules about the best action. In a lost position `ahead` and `deals` are those of
        `outlook_data`, to the end of the game.
        """
        return await self._thinkers.result(self._hint, View.of(states, 0, seat, self._game), number)

    def _hint(self, view: View, number: int) -> bytes:
        seed = draw_seed(agent_rng("hint", number))
        analysis = self._shared().analyse(view, seed, HINT_SIMULATIONS)
        data = analysis_data(analysis, partial(self._studied.label, view.record, 0), str)
        ahead, shown = NO_OUTLOOK, [tried.action for tried in analysis.tried[:SHOWN_MOVES]]
        if shown and max(tried.value for tried in analysis.tried) < LOST:
            outlook = self._shared().outlook(view, shown, seed, HINT_DEALS, to_the_end=True)
            ahead = outlook_data(shown, outlook)
        reasons = page_of(self._game).reasons(view.record, view.seat, analysis.best)
        return as_bytes({"number": number, "best": analysis.best, "reasons": reasons, **ahead, **data})

    async def grade(self, game: Game) -> None:
        """Grade the answer to the puzzle of a game: what it costs against the best one, from what the seat knows."""
        puzzle, answer = game.puzzle, puzzles.given(game)
        if puzzle is None or answer is None or answer in puzzle.grades:
            return
        states = await self._thinkers.result(game.replay().at, puzzle.start)
        view = View.of(states, 0, puzzle.seat, self._game)
        puzzle.line, puzzle.grades[answer] = await self._thinkers.result(self._grade, view, puzzle, answer)

    def _grade(self, view: View, puzzle: Puzzle, answer: int) -> tuple[tuple[Move, ...], dict[str, Any]]:
        seed, analyst = seed_of(puzzle.start), self._shared()
        texts = {action: self._studied.label(view.record, 0, action) for action in (puzzle.best, answer)}
        tried = analyst.analyse(view, seed, REVIEW_SIMULATIONS).tried
        short = (Move(puzzle.seat, texts[puzzle.best], puzzle.best),)
        line = next((each.line for each in tried if each.action == puzzle.best and each.line), short)
        judged = Judged(puzzle.start, puzzle.seat, answer, ())
        if answer != puzzle.best:
            judged = priced(analyst, judged, view, puzzle.best, seed)
        return line, puzzles.grade_data(judged, puzzle.best, texts, line)

    async def chances(self, states: Records, number: int) -> bytes:
        """Return the `number` of the open question, and `chances`, each seat's share of the victory in thousandths."""
        course = await self._thinkers.result(lambda: self._shared().course(states))
        return as_bytes({"number": number, "chances": thousandths(course)})

    async def page(self, replay: Replay) -> bytes:
        """Return the data of a replay page, with `course`: each seat's chance to win before each action and at the end,
        in thousandths, from all hands.
        """
        return await self._thinkers.result(self._page, replay)

    def _page(self, replay: Replay) -> bytes:
        data = self._studied.page_data(replay, f"A game of {games.spec(self._game).title}", replay.players or None)
        return as_bytes({**data, "course": [thousandths(self._shared().course(each)) for each in replay.states()]})

    def _shared(self) -> Analyst:
        if self._analyst is None:
            self._analyst = self._studied.analyst(NETWORK)
        return self._analyst

    async def review(self, replay: Replay, decisions: list[Judged]) -> bytes:
        """Return the study of a game for its page. Decisions are added to the list as they are analysed."""
        reviewer = await self._thinkers.result(lambda: Reviewer(self._shared(), replay, REVIEW_SIMULATIONS))
        judged = reviewer.decisions()
        while len(decisions) < len(replay):
            decisions.append(await self._thinkers.result(next, judged))
        study = Study(decisions, reviewer.result())
        return await self._thinkers.result(lambda: as_bytes(self._studied.study_data(replay, study)))
