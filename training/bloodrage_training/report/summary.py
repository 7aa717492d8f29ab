"""What the games of a store say beside the ratings: counts that are kept while the games stream by.

Of games that were forfeited only the forfeit and the thinking time count; all else is over finished games.
"""

import functools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

import numpy as np

from bloodrage_env import games
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, NUM_CARDS, NUM_SOURCES

from ..games.bloodrage.replayed import Counts, Played, Replayer
from ..tournament.counted import games_of_results
from ..tournament.estimates import Numbers, Shares
from ..tournament.ratings import Ratings, Tally, places_and_wins
from ..tournament.records import Plan, StoredGame
from ..tournament.store import Store
from .chosen import Candidates, Choice

MAX_FORFEITS: Final = 1000  # different pairs of agent and reason that are told apart


@dataclass
class AgentCounts:
    """What one agent did, summed over its seats: `seats` of all games, `finished` of those played to the end."""

    seats: int = 0
    finished: int = 0
    wins: float = 0.0  # of finished games; k who share a victory have 1 / k each
    seconds: float = 0.0  # thinking time, of all games
    decisions: int = 0
    glory: Counter[int] = field(default_factory=Counter)  # how often it ended with so much
    glory_from: Counts = field(default_factory=lambda: np.zeros(NUM_SOURCES, np.int64))

    @property
    def seconds_a_decision(self) -> float:
        """Its mean thinking time."""
        return self.seconds / self.decisions if self.decisions else float("nan")


class CardCounts:
    """How often cards were drafted or used, and by whom; `shares` is of victories among those who did."""

    def __init__(self, num_agents: int) -> None:
        self.shares = Shares(NUM_CARDS)
        self.by_agent = np.zeros((num_agents, NUM_CARDS), np.int64)

    def add(self, agents: Counts, cards: Counts, wins: Numbers) -> None:
        """Count cards, each with the agent that took it and what its game brought it."""
        self.shares.add(cards, wins)
        np.add.at(self.by_agent, (agents, cards), 1)


class Summary:
    """The counts; `agents` are in the order of `names`, arrays with a row for each of them too.

    Where glory comes from, cards and the order of play are counted in Blood Rage only (`detailed`).
    """

    def __init__(self, names: Iterable[str], num_players: int, game: str = games.FIRST) -> None:
        self.names = tuple(names)
        self.num_players = num_players
        self.games = self.finished = 0
        self.agents = [AgentCounts() for _ in self.names]
        self.forfeits: Counter[tuple[str, str]] = Counter()  # by agent and reason
        self.lengths: Counter[int] = Counter()  # decisions of a finished game
        self.by_seat = Shares(num_players)
        self.by_turn = Shares(num_players)  # counted from the first player of the first Age
        self.glory_by_seat: Counts = np.zeros(MAX_SEATS, np.int64)
        self.glory_by_turn: Counts = np.zeros(MAX_SEATS, np.int64)
        self.drafted = CardCounts(len(self.names))
        self.draft_rounds: Counts = np.zeros((len(self.names), NUM_CARDS), np.int64)  # sum over cards drafted
        self.draft_seen: Counts = np.zeros((len(self.names), NUM_CARDS), np.int64)
        self.used = CardCounts(len(self.names))
        self.candidates = Candidates()
        self._index = {name: number for number, name in enumerate(self.names)}
        self._replayer = Replayer() if games.listing(game).counted else None

    @property
    def detailed(self) -> bool:
        """Whether the games were played again, and what only Blood Rage has was counted."""
        return self._replayer is not None

    @property
    def many_scores(self) -> bool:
        """Whether games end with more than two different scores."""
        return len({score for agent in self.agents for score in agent.glory}) > 2

    @property
    def deals(self) -> int:
        """How many deals have a game."""
        return self.by_seat.deals

    def par(self, counts: CardCounts, card: int) -> float:
        """What those who took a card win in all of their games, whatever they take: what the card is compared with."""
        takes = counts.by_agent[:, card]
        own = [agent.wins / agent.finished if agent.finished else 0.0 for agent in self.agents]
        return float(takes @ own / takes.sum()) if takes.any() else float("nan")

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
        if self._replayer is not None:
            self._add_played(game, agents, self._replayer.play(game))

    def end_deal(self) -> None:
        """The next game is of another deal."""
        for shares in (self.by_seat, self.by_turn, self.drafted.shares, self.used.shares):
            shares.end_deal()

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
            counts.glory[game.scores[seat]] += 1
        self.by_seat.add(seats, wins)
        self.glory_by_seat[seats] += game.scores

    def _add_played(self, game: StoredGame, agents: Counts, played: Played) -> None:
        wins, seats = np.array(places_and_wins(game)[1]), np.arange(self.num_players)
        turns = (seats - played.first_player) % self.num_players
        for seat in seats:
            self.agents[agents[seat]].glory_from += played.glory_from[seat]
        self.by_turn.add(turns, wins)
        self.glory_by_turn[turns] += game.scores
        drafted = played.drafted
        self.drafted.add(agents[drafted.seats], drafted.cards, wins[drafted.seats])
        np.add.at(self.draft_rounds, (agents[drafted.seats], drafted.cards), drafted.rounds)
        np.add.at(self.draft_seen, agents, drafted.seen)
        self.used.add(agents[played.used_seats], played.used_cards, wins[played.used_seats])


def summarise(stored: Iterable[StoredGame], names: Iterable[str], num_players: int, game: str = games.FIRST) -> Summary:
    """Count games that come deal by deal (`Store.finished`). Raises UserError as `Summary.add`."""
    summary = Summary(names, num_players, game)
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
    def listing(self) -> games.Listing:
        """What the game is called, and what it is won by."""
        return games.listing(self.plan.options.game)

    @classmethod
    def of(cls, store: Store, anchor: str | None = None) -> "Results":
        """Read a store: every game once, those of Blood Rage played again on the way; `anchor` as for `Tally.rate`.

        Raises UserError for games that don't play.
        """
        plan = store.plan()
        options = plan.options
        tally = Tally(plan.agents)
        found, missing = games_of_results(store)
        summary = summarise(_counted(found, tally), plan.agents, options.num_players, options.game)
        return cls(plan, store.created(), store.versions(), store.failures(), tally.rate(anchor), summary, missing)


def _counted(games: Iterable[StoredGame], tally: Tally) -> Iterator[StoredGame]:
    for game in games:
        tally.add(game)
        yield game
