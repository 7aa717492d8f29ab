"""What the games of a store say beside the ratings: counts that are kept while the games stream by.

Of games that were forfeited only the forfeit and the thinking time count; all else is over finished games.
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from bloodrage_env import games
from bloodrage_env.core.spec import GameSpec

from ..tournament.counted import games_of_results
from ..tournament.estimates import Numbers, Shares
from ..tournament.ratings import Ratings, Tally, places_and_wins
from ..tournament.records import Plan, StoredGame
from ..tournament.store import Store
from .chosen import Candidates, Choice

Counts = npt.NDArray[np.int64]
Value = str | int | float | None
Rows = Iterator[Sequence[Value]]  # of a table; the first one names the columns

MAX_FORFEITS: Final = 1000  # different pairs of agent and reason that are told apart


@dataclass
class AgentCounts:
    """What one agent did, summed over its seats: `seats` of all games, `finished` of those played to the end."""

    seats: int = 0
    finished: int = 0
    wins: float = 0.0  # of finished games; k who share a victory have 1 / k each
    seconds: float = 0.0  # thinking time, of all games
    decisions: int = 0
    scores: Counter[int] = field(default_factory=Counter)  # how often it ended with so much

    @property
    def seconds_a_decision(self) -> float:
        """Its mean thinking time."""
        return self.seconds / self.decisions if self.decisions else float("nan")


class Details(Protocol):
    """What a game has counted beside what all games have."""

    def add(self, game: StoredGame, agents: Counts, wins: Numbers) -> None:
        """Count a finished game, with the number of the agent at each seat and its share of the victory."""

    def end_deal(self) -> None:
        """The next game is of another deal."""


class Summary:
    """The counts; `agents` are in the order of `names`. `details` are those of the game, if it has any."""

    def __init__(self, names: Iterable[str], num_players: int, details: Details | None) -> None:
        self.names = tuple(names)
        self.num_players = num_players
        self.games = self.finished = 0
        self.agents = [AgentCounts() for _ in self.names]
        self.forfeits: Counter[tuple[str, str]] = Counter()  # by agent and reason
        self.lengths: Counter[int] = Counter()  # decisions of a finished game
        self.by_seat = Shares(num_players)
        self.score_by_seat: Counts = np.zeros(num_players, np.int64)
        self.details = details
        self.candidates = Candidates()
        self._index = {name: number for number, name in enumerate(self.names)}

    @property
    def many_scores(self) -> bool:
        """Whether games end with more than two different scores."""
        return len({score for agent in self.agents for score in agent.scores}) > 2

    @property
    def deals(self) -> int:
        """How many deals have a game."""
        return self.by_seat.deals

    def add(self, game: StoredGame) -> None:
        """Count a game between these agents. Raises UserError for one that can't be played again."""
        agents = np.array([self._index[name] for name in game.line_up], np.int64)
        self.games += 1
        self.candidates.add(game)
        for seat, agent in enumerate(agents):
            counts = self.agents[agent]
            counts.seats += 1
            counts.seconds += game.seconds[seat]
            counts.decisions += game.decisions[seat]
        if game.forfeit_seat is not None:
            self._add_forfeit(game.line_up[game.forfeit_seat], game.forfeit_reason or "no reason given")
            return
        self._add_finished(game, agents)

    def end_deal(self) -> None:
        """The next game is of another deal."""
        self.by_seat.end_deal()
        if self.details is not None:
            self.details.end_deal()

    def _add_forfeit(self, name: str, reason: str) -> None:
        if (name, reason) not in self.forfeits and len(self.forfeits) >= MAX_FORFEITS:
            reason = "other reasons"
        self.forfeits[name, reason] += 1

    def _add_finished(self, game: StoredGame, agents: Counts) -> None:
        wins, seats = np.array(places_and_wins(game)[1]), np.arange(self.num_players)
        self.finished += 1
        self.lengths[len(game.actions)] += 1
        for seat in seats:
            counts = self.agents[agents[seat]]
            counts.finished += 1
            counts.wins += wins[seat]
            counts.scores[game.scores[seat]] += 1
        self.by_seat.add(seats, wins)
        self.score_by_seat += game.scores
        if self.details is not None:
            self.details.add(game, agents, wins)


def summarise(stored: Iterable[StoredGame], names: Sequence[str], num_players: int, game: str) -> Summary:
    """Count games that come deal by deal (`Store.finished`). Raises UserError as `Summary.add`."""
    own = game_report(game)
    summary = Summary(names, num_players, None if own is None else own.counter(len(names), num_players))
    for _, deal in groupby(stored, key=lambda each: each.deal):
        for each in deal:
            summary.add(each)
        summary.end_deal()
    return summary


@dataclass(frozen=True)
class Results:
    """All that a report is made of."""

    plan: Plan
    created: str
    versions: tuple[dict[str, str], ...]
    failures: tuple[tuple[int, str], ...]  # units that were given up
    ratings: Ratings
    summary: Summary
    missing: str = ""  # what is not counted, or what the games lack, as `games_of_results` says

    @functools.cached_property
    def chosen(self) -> list[Choice]:
        """The games worth a look."""
        return self.summary.candidates.chosen(self.ratings)

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return games.spec(self.plan.options.game)

    @property
    def report(self) -> "GameReport | None":
        """What the game adds."""
        return game_report(self.plan.options.game)

    @classmethod
    def of(cls, store: Store, anchor: str | None = None) -> "Results":
        """Read a store: every game once; `anchor` as for `Tally.rate`.

        Raises UserError for games that don't play.
        """
        plan = store.plan()
        options = plan.options
        tally = Tally(plan.agents)
        found, missing = games_of_results(store)
        summary = summarise(_counted(found, tally), plan.agents, options.num_players, options.game)
        return cls(plan, store.created(), store.versions(), store.failures(), tally.rate(anchor), summary, missing)


class Section(NamedTuple):
    """A part of the page: its anchor, its name in the list of parts, and what makes its HTML."""

    anchor: str
    name: str
    html: Callable[[Results], str]


@dataclass(frozen=True)
class GameReport:
    """What a game adds to a report: the part `report` of its spec.

    `counter` makes what counts its games, for so many agents and players; `agent_columns` are further columns of
    agents.csv by name, with a value for each agent; `tables` are further files.
    """

    counter: Callable[[int, int], Details]
    sections: tuple[Section, ...]
    agent_columns: Callable[[Results], Mapping[str, Sequence[Value]]]
    tables: Mapping[str, Callable[[Results], Rows]]


def game_report(game: str) -> GameReport | None:
    """What a game adds to its reports, None for one that adds nothing."""
    found: GameReport | None = games.spec(game).load("report") if games.spec(game).has("report") else None
    return found


def _counted(games: Iterable[StoredGame], tally: Tally) -> Iterator[StoredGame]:
    for game in games:
        tally.add(game)
        yield game
