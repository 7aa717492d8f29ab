"""Counts of the games of a store for its report, in addition to ratings. Games are counted while they are iterated.

Of forfeited games, only the forfeit and the thinking time count. All other counts are over finished games.
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, NamedTuple, Protocol, TextIO

import numpy as np
import numpy.typing as npt

from bloodrage_env import games
from bloodrage_env.core.engine.spec import GameSpec
from bloodrage_env.language.transcript import Talk

from ..tournament.counted import Forfeits, games_of_results
from ..tournament.estimates import Numbers, Shares
from ..tournament.ratings import Ratings, Tally, places_and_wins
from ..tournament.records import Plan, StoredGame
from ..tournament.store import Store
from .chosen import Candidates, Choice

Counts = npt.NDArray[np.int64]
Value = str | int | float | None
Rows = Iterator[Sequence[Value]]  # of a table; the first one names the columns

MAX_FORFEITS: Final = 1000  # different pairs of agent and reason that are counted separately


@dataclass
class AgentCounts:
    """Counts of one agent over all its seats: `seats` of all games, `finished` of finished games."""

    seats: int = 0
    finished: int = 0
    wins: float = 0.0  # of finished games; k who share a victory have 1 / k each
    seconds: float = 0.0  # thinking time, of all games
    decisions: int = 0
    scores: Counter[int] = field(default_factory=Counter)  # how often it ended with so much
    talk: Talk = field(default_factory=Talk)  # of a language model

    @property
    def seconds_a_decision(self) -> float:
        """The mean thinking time per decision."""
        return self.seconds / self.decisions if self.decisions else float("nan")


class Details(Protocol):
    """Counts that only one game has."""

    def add(self, game: StoredGame, agents: Counts, wins: Numbers) -> None:
        """Count a finished game, with the index of the agent at each seat and its share of the victory."""

    def end_deal(self) -> None:
        """End a deal: later games belong to another one."""


class Summary:
    """The counts. `agents` are in the order of `names`. `details` are those of the game, if it has any."""

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
        """The number of deals with a game."""
        return self.by_seat.deals

    def add(self, game: StoredGame) -> None:
        """Count a game between these agents. Raise UserError if it cannot be replayed."""
        agents = np.array([self._index[name] for name in game.line_up], np.int64)
        self.games += 1
        self.candidates.add(game)
        for seat, agent in enumerate(agents):
            counts = self.agents[agent]
            counts.seats += 1
            counts.seconds += game.seconds[seat]
            counts.decisions += game.decisions[seat]
        for seat, talk in game.talks():
            self.agents[agents[seat]].talk.add(talk)
        if game.forfeit_seat is not None:
            self._add_forfeit(game.line_up[game.forfeit_seat], game.forfeit_reason or "no reason given")
            return
        self._add_finished(game, agents)

    def end_deal(self) -> None:
        """End a deal: later games belong to another one."""
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
    """Return the counts of games that come deal by deal (`Store.finished`). Raise UserError as `Summary.add`."""
    own = game_report(game)
    summary = Summary(names, num_players, None if own is None else own.counter(len(names), num_players))
    for _, deal in groupby(stored, key=lambda each: each.deal):
        for each in deal:
            summary.add(each)
        summary.end_deal()
    return summary


@dataclass(frozen=True)
class Results:
    """All data of a report."""

    plan: Plan
    created: str
    versions: tuple[dict[str, str], ...]
    failures: tuple[tuple[int, str], ...]  # units that were given up
    ratings: Ratings
    summary: Summary
    missing: str = ""  # what is not counted, or what the games lack, as `games_of_results` says
    forfeits: Forfeits = field(default_factory=Forfeits)

    @functools.cached_property
    def chosen(self) -> list[Choice]:
        """The games to show."""
        return self.summary.candidates.chosen(self.ratings)

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return games.spec(self.plan.options.game)

    @property
    def report(self) -> "GameReport | None":
        """The parts that only this game has."""
        return game_report(self.plan.options.game)

    @classmethod
    def of(cls, store: Store, anchor: str | None = None, progress: TextIO | None = None) -> "Results":
        """Read a store, every game once; `anchor` as for `Tally.rate`, `progress` as for `games_of_results`. Raise
        UserError for invalid games.
        """
        plan = store.plan()
        options = plan.options
        tally, forfeits = Tally(plan.agents), Forfeits()
        found, missing = games_of_results(store, progress)
        summary = summarise(_counted(forfeits.of(found), tally), plan.agents, options.num_players, options.game)
        return cls(
            plan, store.created(), store.versions(), store.failures(), tally.rate(anchor), summary, missing, forfeits
        )


class Section(NamedTuple):
    """A part of the page: its anchor, its name in the navigation, and the function that makes its HTML."""

    anchor: str
    name: str
    html: Callable[[Results], str]


@dataclass(frozen=True)
class GameReport:
    """The parts of a report that only one game has: the part `report` of its spec.

    `counter` returns a counter of games for these numbers of agents and players. `agent_columns` returns further
    columns of agents.csv by name, with a value for each agent. `tables` returns further files.
    """

    counter: Callable[[int, int], Details]
    sections: tuple[Section, ...]
    agent_columns: Callable[[Results], Mapping[str, Sequence[Value]]]
    tables: Mapping[str, Callable[[Results], Rows]]


def game_report(game: str) -> GameReport | None:
    """Return the parts of a report that only this game has, None for a game without any."""
    found: GameReport | None = games.spec(game).load("report") if games.spec(game).has("report") else None
    return found


def _counted(games: Iterable[StoredGame], tally: Tally) -> Iterator[StoredGame]:
    for game in games:
        tally.add(game)
        yield game
