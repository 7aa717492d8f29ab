"""Ratings from finished games: strengths on an Elo-like scale, win rates, places and glory, all with intervals.

The model is that of Bradley and Terry for pairs, with the ties of Davidson (1970): with strengths p = exp(theta),
A is placed before B with probability p_A / (p_A + p_B + nu sqrt(p_A p_B)), level with it with
nu sqrt(p_A p_B) / (the same). Every pair of a game's ranking counts as one comparison. In rankings by Plackett and Luce
the pairs follow the same model, so that the estimate is consistent for these, too; but the pairs of a game, and the
games of a deal, depend on each other. Therefore intervals come from a bootstrap over whole deals.

For an agent that lost (nearly) everything the games give no bound on its distance to the others; the prior does.
Intervals are therefore of differences within the field: the agents that have both won and lost against each other
often enough.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from bloodrage_env.engine import MAX_SEATS

from .estimates import Estimate, Interval, quantile, shares
from .records import StoredGame

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

ELO: Final = 400 / math.log(10)  # Elo of a step of 1 in theta: 400 Elo are odds of 10 to 1
REPLICATES: Final = 1000  # of the bootstrap
FEW: Final = 10  # with fewer comparisons against the order of strength a distance is a bound
# A weak prior, so that who won or lost everything has a finite rating: each theta is normal about the mean of all, the
# tie parameter log-normal about a small one.
PRIOR_ELO: Final = 800.0
PRIOR_LOG_TIE: Final = (math.log(0.05), 2.0)  # mean and standard deviation of log nu
_MAX_STEPS: Final = 100
_PRECISE: Final = 1e-9  # in theta
# Columns of the sums of a deal, by agent and seat
_SEATS, _WINS, _PLACES, _FINISHED, _GLORY, _FORFEITS = range(6)


@dataclass(frozen=True)
class Ratings:
    """Ratings of A agents, in the order of `names`; intervals hold 95 %, and are over deals.

    Differences in Elo have an interval within the field alone; elsewhere their ends are NaN, as are those of all
    intervals with fewer than two deals.
    """

    names: tuple[str, ...]
    anchor: str  # has 0 Elo
    deals: int
    games: int
    seats_taken: Counts  # [A]: seats of all games
    forfeits: Counts  # [A]
    elo: Floats  # [A]
    field: npt.NDArray[np.bool_]  # [A]: who is of the field (see `connected`); the ratings of others are bounds
    compared: Counts  # [A]: comparisons with other agents
    not_lost: Counts  # [A]
    not_won: Counts  # [A]
    from_field: Interval  # [A]: Elo above the mean of the field; NaN where there is no field
    ahead: Interval  # [A, A]: Elo of the row above the column
    better: Floats  # [A, A]: P(row is better than column), the share of replicates; 1/2 on the diagonal
    pair_share: Interval  # [A, A]: share of comparisons in which the row was placed before the column, ties half
    win_share: Interval  # [A]: of games, per seat taken; k who share a victory have 1 / k each
    mean_place: Interval  # [A]: 1 is the best; equal clans share the mean of their places
    mean_score: Interval  # [A]: of games that nobody forfeited
    win_share_by_seat: Interval  # [A, MAX_SEATS]
    mean_place_by_seat: Interval  # [A, MAX_SEATS]
    mean_score_by_seat: Interval  # [A, MAX_SEATS]

    @property
    def leader(self) -> int:
        """The strongest agent of the field; without a field the strongest of all."""
        return int(np.argmax(np.where(self.field, self.elo, -np.inf) if self.field.any() else self.elo))

    @property
    def order(self) -> list[int]:
        """The agents, the strongest first."""
        return sorted(range(len(self.names)), key=lambda agent: (-self.elo[agent], agent))

    def from_leader(self, agent: int) -> Estimate:
        """Elo of an agent above the leader; for the leader itself 0 without an interval."""
        return self.ahead.at((agent, self.leader)) if agent != self.leader else Estimate(0.0, math.nan, math.nan)

    def leader_width(self) -> float:
        """The width of the interval of the leader's difference from the field, Elo; infinite where there is none."""
        leads = self.from_field.at(self.leader)
        return leads.high - leads.low if leads.bounded else math.inf

    def field_bound(self, agent: int) -> str:
        """What `from_field` is: "" a value, ">" at least so much, "<" at most, "~" from too few comparisons."""
        return "" if self.field[agent] else self._bound(agent, self.elo[self.field])

    def elo_bound(self, agent: int) -> str:
        """The same of `elo`, which is relative to the anchor."""
        anchor = self.names.index(self.anchor)
        if agent == anchor or (self.field[agent] and self.field[anchor]):
            return ""
        return self._bound(agent, self.elo[self.field] if self.field[anchor] else np.zeros(1))

    def _bound(self, agent: int, others: Floats) -> str:
        if max(self.not_lost[agent], self.not_won[agent]) < FEW or not len(others):
            return "~"
        return ">" if self.elo[agent] > others.max() else "<" if self.elo[agent] < others.min() else "~"


@dataclass
class Tally:
    """Sums of each deal, from games added one by one; `rate` makes ratings of them."""

    names: tuple[str, ...]
    games: int = 0
    _row: dict[int, int] = field(default_factory=dict)  # of a deal
    _wins: list[Floats] = field(default_factory=list)  # of each deal [A, A]: how often the row came before the column
    _ties: list[Floats] = field(default_factory=list)
    _sums: list[Floats] = field(default_factory=list)  # of each deal [A, MAX_SEATS, 6]
    # Games in which two were compared, [A, A]; on the diagonal those in which an agent played
    _met: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def __post_init__(self) -> None:
        self._met = np.zeros((len(self.names), len(self.names)))

    def add(self, game: StoredGame) -> None:
        """Count a game between these agents."""
        count = len(self.names)
        row = self._row.setdefault(game.deal, len(self._row))
        if row == len(self._wins):
            self._wins.append(np.zeros((count, count)))
            self._ties.append(np.zeros((count, count)))
            self._sums.append(np.zeros((count, MAX_SEATS, 6)))
        self.games += 1
        who = [self.names.index(spec) for spec in game.line_up]
        places, victories = places_and_wins(game)
        met = np.zeros(self._met.shape, bool)
        for seat, agent in enumerate(who):
            sums = self._sums[row][agent, seat]
            sums[[_SEATS, _WINS, _PLACES]] += (1, victories[seat], places[seat])
            met[agent, agent] = True
            if game.forfeit_seat is None:
                sums[[_FINISHED, _GLORY]] += (1, game.scores[seat])
            elif game.forfeit_seat == seat:
                sums[_FORFEITS] += 1
            for other, rival in enumerate(who[:seat]):
                if rival == agent or (game.forfeit_seat is not None and game.forfeit_seat not in (seat, other)):
                    continue
                met[agent, rival] = met[rival, agent] = True
                if places[seat] == places[other]:
                    self._ties[row][agent, rival] += 1
                    self._ties[row][rival, agent] += 1
                elif places[seat] < places[other]:
                    self._wins[row][agent, rival] += 1
                else:
                    self._wins[row][rival, agent] += 1
        self._met += met

    def rate(self, anchor: str | None = None) -> Ratings:
        """The ratings so far; the same games always give the same ones.

        `anchor` has 0 Elo. Without one it is the best-connected agent: the one of the field with the most comparisons
        in it that were not lost, or not won, whichever are fewer. ValueError for an anchor that is none of the agents.
        """
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
        elo = ELO * fit(*(np.tensordot(weights, each, 1) for each in (wins, ties)))
        held = (wins + ties).sum(0)  # comparisons that the row did not lose to the column
        members = connected(elo[0], held)
        of_field = np.isin(np.arange(count), members)
        centre = elo[:, members].mean(1, keepdims=True) if len(members) else np.full((len(elo), 1), np.nan)
        ahead = elo[:, :, None] - elo[:, None, :]
        zero = _best_connected(members, held) if anchor is None else self.names.index(anchor)
        by_seat = np.tensordot(weights, sums, 1)
        whole, of_deal = by_seat.sum(2), sums.sum(2)
        return Ratings(
            names=self.names,
            anchor=self.names[zero],
            deals=deals,
            games=self.games,
            seats_taken=whole[0, :, _SEATS].astype(np.int64),
            forfeits=whole[0, :, _FORFEITS].astype(np.int64),
            elo=elo[0] - elo[0, zero],
            field=of_field,
            compared=(held + wins.sum(0).T).sum(1).astype(np.int64),
            not_lost=held.sum(1).astype(np.int64),
            not_won=held.sum(0).astype(np.int64),
            from_field=_within(of_field, _interval(elo - centre, deals)),
            ahead=_within(of_field[:, None] & of_field, _interval(ahead, deals)),
            better=(np.sum(ahead[1:] > 0, 0) + np.sum(ahead[1:] == 0, 0) / 2) / REPLICATES,
            pair_share=shares(wins + wins.transpose(0, 2, 1) + ties, wins + ties / 2, self._met),
            win_share=shares(of_deal[..., _SEATS], of_deal[..., _WINS], self._met.diagonal()),
            mean_place=_ratio(whole[..., _PLACES], whole[..., _SEATS], deals),
            mean_score=_ratio(whole[..., _GLORY], whole[..., _FINISHED], deals),
            win_share_by_seat=shares(sums[..., _SEATS], sums[..., _WINS], sums[..., _SEATS].sum(0)),
            mean_place_by_seat=_ratio(by_seat[..., _PLACES], by_seat[..., _SEATS], deals),
            mean_score_by_seat=_ratio(by_seat[..., _GLORY], by_seat[..., _FINISHED], deals),
        )


def rate(names: Sequence[str], games: Iterable[StoredGame], anchor: str | None = None) -> Ratings:
    """Ratings of these agents from these games, in which no others play; `anchor` as for `Tally.rate`."""
    tally = Tally(tuple(names))
    for game in games:
        tally.add(game)
    return tally.rate(anchor)


def places_and_wins(game: StoredGame) -> tuple[list[float], list[float]]:
    """The place of each seat and its share of the victory.

    Equal clans share the mean of their places, and a victory (rules 5). Who forfeits is last and has no share; the
    others are first together.
    """
    glory: Sequence[int] = game.scores
    if game.forfeit_seat is not None:
        glory = [0 if seat == game.forfeit_seat else 1 for seat in range(len(game.scores))]
    places = [1 + sum(other > own for other in glory) + (glory.count(own) - 1) / 2 for own in glory]
    best = max(glory)
    return places, [(own == best) / glory.count(best) for own in glory]


def connected(strength: Floats, held: Floats) -> Counts:
    """The field: agents whose distances the games tell, the strongest first; none if there are no two such agents.

    `strength` is float64[A], `held[a, b]` how many comparisons with b the agent a did not lose. Wherever a line between
    stronger and weaker agents is crossed by fewer than FEW comparisons that the weaker ones did not lose, the distance
    across it is a bound. So it is for an agent that has not lost, or not won, fewer than FEW. What such lines leave
    together is a group; the field is the largest.
    """
    groups = _groups(np.argsort(-strength, kind="stable"), held)
    best = max(groups, key=lambda group: (len(group), held[np.ix_(group, group)].sum()))
    return best if len(best) > 1 else best[:0]


def _groups(agents: Counts, held: Floats) -> list[Counts]:
    """These agents, which are in the order of their strength, in groups within which all distances are known."""
    among = held[np.ix_(agents, agents)]
    lines = [place for place in range(1, len(agents)) if among[place:, :place].sum() < FEW]
    if lines:
        return [group for part in np.split(agents, lines) for group in _groups(part, held)]
    few = np.minimum(among.sum(0), among.sum(1)) < FEW
    if len(agents) > 1 and few.any():
        lone = int(np.argmax(few))
        return [*_groups(np.delete(agents, lone), held), agents[[lone]]]
    return [agents]


def _best_connected(members: Counts, held: Floats) -> int:
    """Who has the most comparisons not lost, or not won, whichever are fewer, among these agents; none: among all."""
    among = np.sort(members) if len(members) else np.arange(len(held))
    inner = held[np.ix_(among, among)]
    return int(among[np.argmax(np.minimum(inner.sum(0), inner.sum(1)))])


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
    """A mean of each replicate, as an interval; without one where the deals show no spread."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = _interval(np.where(below > 0, above / below, np.nan), deals)
    return _within(mean.low < mean.high, mean)


def _within(inside: npt.NDArray[np.bool_], known: Interval) -> Interval:
    """Without the ends of what is not inside."""
    return Interval(known.value, *(np.where(inside, ends, np.nan) for ends in (known.low, known.high)))


def _interval(replicates: Floats, deals: int) -> Interval:
    """The estimate is row 0; the ends of its 95 % interval are quantiles of the other rows."""
    value, rest = replicates[0], replicates[1:]
    if deals < 2:
        return Interval(value, np.full_like(value, np.nan), np.full_like(value, np.nan))
    # A replicate that lacks what is measured says nothing about it; fewer than half of them are not worth an interval.
    seen = np.isfinite(rest)
    ends = np.full((2, *value.shape), np.nan)
    enough = seen.mean(0) > 0.5
    # Few deals look more alike than they are: as much is cut off as Student's quantile leaves of a normal distribution
    # (Hesterberg 2015, "expanded percentile interval").
    tail = math.erfc(float(quantile(deals - 1)) / math.sqrt(2)) / 2
    ends[:, enough] = np.nanquantile(rest[:, enough], (tail, 1 - tail), axis=0)
    return Interval(value, ends[0], ends[1])
