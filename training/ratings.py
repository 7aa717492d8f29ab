"""Ratings from finished games: strengths on an Elo-like scale, win shares, places and glory, all with intervals.

The model is that of Bradley and Terry for pairs, with the ties of Davidson (1970): with strengths p = exp(theta),
A is placed before B with probability p_A / (p_A + p_B + nu sqrt(p_A p_B)), level with it with
nu sqrt(p_A p_B) / (the same). Every pair of a game's ranking counts as one comparison. In rankings by Plackett and Luce
the pairs follow the same law, so that the estimate is consistent for these, too; but the pairs of a game, and the
games of a deal, depend on each other. Therefore intervals come from a bootstrap over whole deals.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from bloodrage_env.engine.ids import MAX_SEATS

from .records import StoredGame

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

ANCHOR: Final = "random"  # has 0 Elo; without it the first agent
ELO: Final = 400 / math.log(10)  # Elo of a step of 1 in theta: 400 Elo are odds of 10 to 1
REPLICATES: Final = 1000  # of the bootstrap
LEVEL: Final = 0.95  # of the intervals
NORMAL: Final = 1.959964  # standard deviations about the mean hold as much
# A weak prior, so that who won or lost everything has a finite rating: each theta is normal about the mean of all, the
# tie parameter log-normal about a small one.
PRIOR_ELO: Final = 800.0
PRIOR_LOG_TIE: Final = (math.log(0.05), 2.0)  # mean and standard deviation of log nu
_MAX_STEPS: Final = 100
_PRECISE: Final = 1e-9  # in theta
# Columns of the sums of a deal, by agent and seat
_SEATS, _WINS, _PLACES, _FINISHED, _GLORY, _FORFEITS = range(6)


@dataclass(frozen=True)
class Interval:
    """Estimates with the ends of their intervals, arrays of one shape; NaN where nothing was seen."""

    value: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True)
class Ratings:
    """Ratings of A agents, in the order of `names`; intervals hold 95 %, and are over the luck of the deals.

    With fewer than two deals there is no interval: its ends are infinite, or NaN.
    """

    names: tuple[str, ...]
    anchor: str  # has 0 Elo
    deals: int
    games: int
    seats_taken: Counts  # [A]: seats of all games
    forfeits: Counts  # [A]
    elo: Floats  # [A]
    low: Floats  # [A]
    high: Floats  # [A]
    unbeaten: npt.NDArray[np.bool_]  # [A]: won every comparison; the rating is what the prior allows
    beaten: npt.NDArray[np.bool_]  # [A]: lost every one
    better: Floats  # [A, A]: P(row is better than column), the share of replicates; 1/2 on the diagonal
    pair_share: Interval  # [A, A]: share of comparisons in which the row was placed before the column, ties half
    win_share: Interval  # [A]: of games, per seat taken; k who share a victory have 1 / k each
    mean_place: Interval  # [A]: 1 is the best; equal clans share the mean of their places
    mean_glory: Interval  # [A]: of games that nobody forfeited
    win_share_by_seat: Interval  # [A, MAX_SEATS]
    mean_place_by_seat: Interval  # [A, MAX_SEATS]
    mean_glory_by_seat: Interval  # [A, MAX_SEATS]

    def leader(self) -> int:
        """Whose rating is the highest, the anchor aside, whose interval has no width."""
        return int(np.argmax(np.where(np.array(self.names) == self.anchor, -np.inf, self.elo)))

    def leader_width(self) -> float:
        """The width of the leader's interval, Elo; infinite where there is none."""
        width = float(self.high[self.leader()] - self.low[self.leader()])
        return width if np.isfinite(width) else float("inf")


@dataclass
class Tally:
    """Sums of each deal, from games added one by one; `rate` makes ratings of them."""

    names: tuple[str, ...]
    games: int = 0
    _row: dict[int, int] = field(default_factory=dict)  # of a deal
    _wins: list[Floats] = field(default_factory=list)  # of each deal [A, A]: how often the row came before the column
    _ties: list[Floats] = field(default_factory=list)
    _sums: list[Floats] = field(default_factory=list)  # of each deal [A, MAX_SEATS, 6]

    def add(self, game: StoredGame) -> None:
        """Count a game."""
        count = len(self.names)
        row = self._row.setdefault(game.deal, len(self._row))
        if row == len(self._wins):
            self._wins.append(np.zeros((count, count)))
            self._ties.append(np.zeros((count, count)))
            self._sums.append(np.zeros((count, MAX_SEATS, 6)))
        self.games += 1
        who = [self.names.index(spec) for spec in game.line_up]
        places, shares = places_and_wins(game)
        for seat, agent in enumerate(who):
            sums = self._sums[row][agent, seat]
            sums[[_SEATS, _WINS, _PLACES]] += (1, shares[seat], places[seat])
            if game.forfeit_seat is None:
                sums[[_FINISHED, _GLORY]] += (1, game.glory[seat])
            elif game.forfeit_seat == seat:
                sums[_FORFEITS] += 1
            for other, rival in enumerate(who[:seat]):
                if rival == agent or (game.forfeit_seat is not None and game.forfeit_seat not in (seat, other)):
                    continue
                if places[seat] == places[other]:
                    self._ties[row][agent, rival] += 1
                    self._ties[row][rival, agent] += 1
                elif places[seat] < places[other]:
                    self._wins[row][agent, rival] += 1
                else:
                    self._wins[row][rival, agent] += 1

    def rate(self) -> Ratings:
        """The ratings so far; the same games always give the same ones."""
        count, deals = len(self.names), len(self._wins)
        wins = np.array(self._wins).reshape(deals, count, count)
        ties = np.array(self._ties).reshape(deals, count, count)
        sums = np.array(self._sums).reshape(deals, count, MAX_SEATS, 6)
        # Row 0 weighs each deal once: the estimate. The others are the bootstrap, which draws one deal less than there
        # are, since otherwise its intervals are too narrow for few deals (Rao and Wu 1988).
        weights = np.ones((1 + REPLICATES, deals))
        if deals >= 2:
            drawn = np.random.default_rng(0).multinomial(deals - 1, np.full(deals, 1 / deals), size=REPLICATES)
            weights[1:] = drawn * deals / (deals - 1)
        all_wins, all_ties = (np.tensordot(weights, each, 1) for each in (wins, ties))
        theta = fit(all_wins, all_ties)
        anchor = self.names.index(ANCHOR) if ANCHOR in self.names else 0
        elo = ELO * (theta - theta[:, [anchor]])
        rated = _interval(elo, deals)
        ahead = elo[1:, :, None] - elo[1:, None, :]
        compared = all_wins + all_wins.transpose(0, 2, 1) + all_ties
        by_seat = np.tensordot(weights, sums, 1)
        whole = by_seat.sum(2)
        none = np.full(count, np.nan)
        lost, won, tied = wins.sum((0, 1)), wins.sum((0, 2)), ties.sum((0, 1))
        return Ratings(
            names=self.names,
            anchor=self.names[anchor],
            deals=deals,
            games=self.games,
            seats_taken=whole[0, :, _SEATS].astype(np.int64),
            forfeits=whole[0, :, _FORFEITS].astype(np.int64),
            elo=rated.value,
            low=none if deals < 2 else rated.low,
            high=none if deals < 2 else rated.high,
            unbeaten=(won > 0) & (lost + tied == 0),
            beaten=(lost > 0) & (won + tied == 0),
            better=(np.sum(ahead > 0, 0) + np.sum(ahead == 0, 0) / 2) / REPLICATES,
            pair_share=_share(all_wins + all_ties / 2, compared, deals),
            win_share=_share(whole[..., _WINS], whole[..., _SEATS], deals),
            mean_place=_ratio(whole[..., _PLACES], whole[..., _SEATS], deals),
            mean_glory=_ratio(whole[..., _GLORY], whole[..., _FINISHED], deals),
            win_share_by_seat=_share(by_seat[..., _WINS], by_seat[..., _SEATS], deals),
            mean_place_by_seat=_ratio(by_seat[..., _PLACES], by_seat[..., _SEATS], deals),
            mean_glory_by_seat=_ratio(by_seat[..., _GLORY], by_seat[..., _FINISHED], deals),
        )


def rate(names: Sequence[str], games: Iterable[StoredGame]) -> Ratings:
    """Ratings of these agents from these games, in which no others play."""
    tally = Tally(tuple(names))
    for game in games:
        tally.add(game)
    return tally.rate()


def places_and_wins(game: StoredGame) -> tuple[list[float], list[float]]:
    """The place of each seat and its share of the victory.

    Equal clans share the mean of their places, and a victory (rules 5). Who forfeits is last and has no share; the
    others are first together.
    """
    glory: Sequence[int] = game.glory
    if game.forfeit_seat is not None:
        glory = [0 if seat == game.forfeit_seat else 1 for seat in range(len(game.glory))]
    places = [1 + sum(other > own for other in glory) + (glory.count(own) - 1) / 2 for own in glory]
    best = max(glory)
    return places, [(own == best) / glory.count(best) for own in glory]


def fit(wins: Floats, ties: Floats) -> Floats:
    """The most likely theta, float64[R, A], of R sets of comparisons at once, under the prior; each row sums to 0.

    `wins[r, a, b]` is how often a came before b, `ties` is symmetric. Newton's method on the posterior, which is
    strictly concave in theta and log nu, with halved steps where one leads down.
    """
    replicates, count, _ = wins.shape
    x = np.zeros((replicates, count + 1))  # theta, and log nu last
    x[:, -1] = PRIOR_LOG_TIE[0]
    value = _posterior(x, wins, ties)
    active = np.arange(replicates)
    for _ in range(_MAX_STEPS):
        gradient, curvature = _derivatives(x[active], wins[active], ties[active])
        step = np.linalg.solve(curvature, gradient[..., None])[..., 0]
        size = np.ones(len(active))
        while True:
            reached = _posterior(x[active] + size[:, None] * step, wins[active], ties[active])
            down = (reached < value[active] - 1e-9 * (1 + np.abs(value[active]))) & (size > 1e-6)
            if not down.any():
                break
            size[down] /= 2
        x[active] += size[:, None] * step
        value[active] = reached
        active = active[np.abs(step).max(1) > _PRECISE]
        if not len(active):
            break
    theta = x[:, :-1]
    centred: Floats = theta - theta.mean(1, keepdims=True)
    return centred


def _chances(x: Floats) -> tuple[Floats, Floats, Floats]:
    """Log of the sum over outcomes, P(row before column) and P(tie) of every pair, [R, A, A]."""
    half = (x[:, :-1, None] - x[:, None, :-1]) / 2
    log_tie = np.broadcast_to(x[:, -1, None, None], half.shape)
    total = np.logaddexp(np.logaddexp(half, -half), log_tie)
    return total, np.exp(half - total), np.exp(log_tie - total)


def _posterior(x: Floats, wins: Floats, ties: Floats) -> Floats:
    """The log posterior of each row of `x`, up to a constant."""
    half = (x[:, :-1, None] - x[:, None, :-1]) / 2
    total, _, _ = _chances(x)
    log_tie = x[:, -1, None, None]
    likely = (wins * (half - total)).sum((1, 2)) + (ties * (log_tie - total)).sum((1, 2)) / 2
    deviation, spread = PRIOR_ELO / ELO, PRIOR_LOG_TIE[1]
    prior = (x[:, :-1] ** 2).sum(1) / deviation**2 + ((x[:, -1] - PRIOR_LOG_TIE[0]) / spread) ** 2
    result: Floats = likely - prior / 2
    return result


def _derivatives(x: Floats, wins: Floats, ties: Floats) -> tuple[Floats, Floats]:
    """The gradient of `_posterior`, [R, A + 1], and its Hessian's negative, [R, A + 1, A + 1]."""
    count = x.shape[1] - 1
    played = wins + wins.transpose(0, 2, 1) + ties
    _, first, tie = _chances(x)
    deviation, spread = PRIOR_ELO / ELO, PRIOR_LOG_TIE[1]
    gradient = np.empty_like(x)
    gradient[:, :-1] = (wins + ties / 2 - played * (first + tie / 2)).sum(2) - x[:, :-1] / deviation**2
    gradient[:, -1] = (ties - played * tie).sum((1, 2)) / 2 - (x[:, -1] - PRIOR_LOG_TIE[0]) / spread**2
    # Of a pair: the outcome moves the score of the row by 1, 1/2 or 0; its variance, and its covariance with a tie.
    variance = played * (first + tie / 4 - (first + tie / 2) ** 2)
    with_tie = played * tie * (1 / 2 - first - tie / 2)
    curvature = np.zeros((len(x), count + 1, count + 1))
    curvature[:, :-1, :-1] = -variance
    own = np.arange(count)
    curvature[:, own, own] += variance.sum(2) + 1 / deviation**2
    curvature[:, :-1, -1] = curvature[:, -1, :-1] = with_tie.sum(2)
    curvature[:, -1, -1] = (played * tie * (1 - tie)).sum((1, 2)) / 2 + 1 / spread**2
    return gradient, curvature


def _ratio(above: Floats, below: Floats, deals: int) -> Interval:
    """A mean of each replicate, as an interval."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return _interval(np.where(below > 0, above / below, np.nan), deals)


def _share(above: Floats, below: Floats, deals: int) -> Interval:
    """A share of each replicate, as an interval.

    Where nothing was won, or everything, a bootstrap knows no doubt: there it is the interval of Wilson (1927), with a
    deal as one observation.
    """
    seen = _ratio(above, below, deals)
    if deals >= 2:
        square = NORMAL**2 / deals
        seen.low[seen.value == 1] = 1 / (1 + square)
        seen.high[seen.value == 0] = square / (1 + square)
    return seen


def _interval(replicates: Floats, deals: int) -> Interval:
    """The estimate is row 0; the ends are quantiles of the other rows."""
    value, rest = replicates[0], replicates[1:]
    if deals < 2:
        return Interval(value, np.full_like(value, np.nan), np.full_like(value, np.nan))
    # A replicate that lacks what is measured says nothing about it; fewer than half of them are not worth an interval.
    seen = np.isfinite(rest)
    ends = np.full((2, *value.shape), np.nan)
    enough = seen.mean(0) > 0.5
    tail = (1 - LEVEL) / 2
    ends[:, enough] = np.nanquantile(rest[:, enough], (tail, 1 - tail), axis=0)
    return Interval(value, ends[0], ends[1])
