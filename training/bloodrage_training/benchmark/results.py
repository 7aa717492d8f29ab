"""The results of a track: what each deal brought, and the win rates with intervals that follow from it."""

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated

import numpy as np
from msgspec import Meta

from bloodrage_env.encoding import as_json

from ..schema import Table
from ..tournament.estimates import Estimate, Quotients, mean_share
from ..tournament.ratings import places_and_wins
from ..tournament.records import StoredGame, equal_share
from ..tournament.store import Store
from .protocols import Protocol


class Deal(Table, frozen=True):
    """One deal against one opponent, at all seats. Tuples are by seating."""

    opponent: str
    deal: int
    seed: int
    won: tuple[Annotated[float, Meta(ge=0, le=1)], ...]  # share of the victory
    scores: tuple[tuple[Annotated[int, Meta(ge=-(2**31), le=2**31)], ...], ...]  # of all seats
    forfeits: Annotated[int, Meta(ge=0, le=100)]  # games that the agent forfeited
    moves: Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]  # a hash of all actions


@dataclass(frozen=True)
class Track:
    """The results of a track."""

    protocol: Protocol
    deals: int  # fewer than those of the protocol in a trial
    results: tuple[Deal, ...]  # in the order of deals and opponents
    seconds: float  # thinking time for a decision
    response: bytes | None = None  # the policy of a best response, as a file

    @property
    def comparable(self) -> bool:
        """Whether all deals of the protocol were played, and a response had its budget."""
        return self.deals == self.protocol.deals

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(len(each.won) for each in self.results)

    def mean_score(self) -> Estimate:
        """Return the mean score of the agent, with its interval over deals. It is for games of one seat."""
        scores = np.array([[score for (score,) in each.scores] for each in self.results], float)
        sums = Quotients()
        sums.add(scores.sum(1), np.full(len(scores), float(scores.shape[1])))
        means = sums.ratio()
        return Estimate(float(means.value), float(means.low), float(means.high))

    def win_rate(self, opponent: str | None = None) -> Estimate:
        """Return the win rate against an opponent, or in all games, with its interval over deals."""
        return win_rate(self.results, opponent)

    @property
    def opponents(self) -> tuple[str, ...]:
        """The opponents, in the order of the protocol."""
        return tuple(dict.fromkeys(each.opponent for each in self.results))

    @property
    def share(self) -> float:
        """The win rate of equal players."""
        return equal_share(self.protocol.game, self.protocol.options.num_players)


def win_rate(results: Iterable[Deal], opponent: str | None = None) -> Estimate:
    """Return wins per game with an interval; games of one deal are a cluster."""
    return mean_share(
        [won for each in deal if opponent in (None, each.opponent) for won in each.won]
        for _, deal in groupby(results, lambda each: each.deal)
    )


def deal_of(played: Sequence[StoredGame], agent: str) -> Deal:
    """Return the results of one deal against one opponent from its games, in the order of seatings."""
    seats = [game.line_up.index(agent) for game in played]
    moves = hashlib.sha256(as_json([game.actions for game in played]).encode()).hexdigest()[:16]
    won = tuple(places_and_wins(game)[1][seat] for game, seat in zip(played, seats, strict=True))
    lost = sum(game.forfeit_seat is not None and game.line_up[game.forfeit_seat] == agent for game in played)
    first, scores = played[0], tuple(game.scores for game in played)
    return Deal(_opponent(first, agent), first.deal, first.seed, won, scores, lost, moves)


def read_store(store: Store, protocol: Protocol, deals: int, response: bytes | None = None) -> Track:
    """Return the results of the first deals of a store."""
    agent, *opponents = store.plan().agents
    played: dict[tuple[int, str], list[StoredGame]] = {}
    seconds = decisions = 0.0
    for game in store.finished():  # deal by deal, seating by seating
        if game.deal >= deals:
            break
        played.setdefault((game.deal, _opponent(game, agent)), []).append(game)
        seat = game.line_up.index(agent)
        seconds, decisions = seconds + game.seconds[seat], decisions + game.decisions[seat]
    results = tuple(
        deal_of(played[deal, opponent], agent)
        for deal in range(deals)
        for opponent in opponents or [agent]
        if (deal, opponent) in played
    )
    return Track(protocol, deals, results, seconds / decisions if decisions else math.nan, response)


def _opponent(game: StoredGame, agent: str) -> str:
    """Return the agent at the other seats; the agent itself if there are none."""
    return next((each for each in game.line_up if each != agent), agent)
