"""Ratings from finished games: strengths on an Elo-like scale, win rates, places and glory, all with intervals.

The model is that of Bradley and Terry for pairs, with the ties of Davidson (1970): with strengths p = exp(theta),
A is placed before B with probability p_A / (p_A + p_B + nu sqrt(p_A p_B)), level with it with
nu sqrt(p_A p_B) / (the same). Every pair of a game's ranking counts as one comparison. In rankings by Plackett and Luce
the pairs follow the same model, so that the estimate is consistent for these, too; but the pairs of a game, and the
games of a deal, depend on each other. Therefore intervals come from the spread between whole deals (the "sandwich" of
Huber 1967 and White 1982, with deals as clusters).

What is computed depends on the games alone: not on names, nor on the order of agents or games. Sums are of whole
numbers, nothing is drawn at random, and strengths that differ by no more than rounding are level.

For an agent that lost (nearly) everything the games give no bound on its distance to the others; the prior does.
Intervals are therefore of differences within the field: the agents that have both won and lost against each other
often enough. Agents that no chain of comparisons connects are rated apart, in groups that cannot be compared.
"""

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bloodrage_env.core.engine.rewards import victory_share

from .estimates import PARTS, Estimate, Interval, Quotients, below, quantile
from .model import ELO, Floats, fit, spread_of
from .records import StoredGame

Counts = npt.NDArray[np.int64]
Ordered = tuple[Counts, Floats]  # comparisons and seats of games, in the order of deals

FEW: Final = 10  # with fewer comparisons against the order of strength a distance is a bound
_DIGITS: Final = 6  # of Elo: what is behind them is rounding, so that agents which are level are so exactly
_PAIR, _PLACE = 4, 9  # numbers that a tally keeps of a comparison, and of a seat of a game
_TOGETHER: Final = 1024  # deals that are in memory at a time
# Columns of the sums of a deal, by agent and seat
_SEATS, _WINS, _PLACES, _FINISHED, _GLORY, _FORFEITS = range(6)


@dataclass(frozen=True)
class Ratings:
    """Ratings of A agents, in the order of `names`. Intervals are 95 % intervals over deals.

    Each of the groups that `separate` returns has its own field, leaders and agent with 0 Elo; what compares agents of
    two groups is NaN. Differences in Elo have an interval within a field only. The ends of other intervals are NaN, and
    all intervals are NaN with fewer than two deals.

    Examples
    --------
    >>> from bloodrage_training.tournament.ratings import rate
    >>> from bloodrage_training.tournament.store import Store
    >>> with Store.open("games.sqlite") as store:
    ...     ratings = rate(store.plan().agents, store.finished())
    >>> [ratings.names[agent] for agent in ratings.order]
    ['balanced', 'random']
    """

    names: tuple[str, ...]
    anchor: str  # the agent with 0 Elo: the given one, or that of the largest group
    group: Counts  # [A]: the group of the agent, 0 for the largest
    zeros: tuple[str, ...]  # [A]: the agent of its group with 0 Elo
    deals: int
    games: int
    seats_taken: Counts  # [A]: seats of all games
    finished: Counts  # [A]: seats of games that nobody forfeited
    forfeits: Counts  # [A]
    elo: Floats  # [A]
    field: npt.NDArray[np.bool_]  # [A]: who is of its group's field (see `connected`); ratings of others are bounds
    compared: Counts  # [A]: comparisons with other agents
    not_lost: Counts  # [A]
    not_won: Counts  # [A]
    from_field: Interval  # [A]: Elo above the mean of the field; NaN where there is no field
    ahead: Interval  # [A, A]: Elo of the row above the column
    better: Floats  # [A, A]: P(row is better than column); 1/2 where they are level, as on the diagonal
    pair_share: Interval  # [A, A]: share of comparisons in which the row was placed before the column, ties half
    win_share: Interval  # [A]: of games, per seat taken; k who share a victory have 1 / k each
    mean_place: Interval  # [A]: 1 is the best; equal clans share the mean of their places
    mean_score: Interval  # [A]: of games that nobody forfeited
    win_share_by_seat: Interval  # [A, seats]
    mean_place_by_seat: Interval  # [A, seats]
    mean_score_by_seat: Interval  # [A, seats]

    @property
    def groups(self) -> list[list[int]]:
        """The agents of each group that compares any, the strongest first."""
        order = self.order
        found = [[agent for agent in order if self.group[agent] == number] for number in range(self.group.max() + 1)]
        return [agents for agents in found if len(agents) > 1]

    @property
    def anchors(self) -> list[str]:
        """The agents with 0 Elo: one of each of `groups`, or of all agents."""
        return [self.zeros[agents[0]] for agents in self.groups] or [self.zeros[self.order[0]]]

    @property
    def leaders(self) -> list[int]:
        """The leaders of each of `groups`; without comparisons all agents with a finished game."""
        return [each for agents in self.groups or [self.order] for each in self._leaders(agents)]

    def _leaders(self, agents: Sequence[int]) -> list[int]:
        """The strongest of these that are in the field, several if they are level; without a field the strongest."""
        able = [each for each in agents if self.field[each]] or [each for each in agents if self.finished[each]]
        best = max((self.elo[each] for each in able), default=math.nan)
        return [each for each in able if self.elo[each] == best]

    @property
    def order(self) -> list[int]:
        """The agents by group, the strongest first, level ones by name. Agents without a finished game are last."""
        keys = {
            agent: (not self.finished[agent], self.group[agent], -self.elo[agent], name)
            for agent, name in enumerate(self.names)
        }
        return sorted(keys, key=lambda agent: keys[agent])

    def from_leader(self, agent: int) -> Estimate:
        """Return the Elo of an agent above the leader of its group.

        Parameters
        ----------
        agent : int
            Its index in `names`.

        Returns
        -------
        Estimate
            0 without an interval for a leader, NaN without a leader.
        """
        leaders = [each for each in self.leaders if self.group[each] == self.group[agent]]
        if not leaders or agent in self.leaders:
            return Estimate(0.0 if leaders else math.nan, math.nan, math.nan)
        return self.ahead.at((agent, leaders[0]))

    def leader_width(self) -> float:
        """The width in Elo of the interval of the leader's difference from the field; infinite without one."""
        leads = [self.from_field.at(leader) for leader in self.leaders]
        return max((each.high - each.low if each.bounded else math.inf for each in leads), default=math.inf)

    def field_bound(self, agent: int) -> str:
        """The kind of `from_field`: "" a value, ">" at least, "<" at most, "~" from too few comparisons."""
        return "" if self.field[agent] else self._bound(agent, self.elo[self._field_of(agent)])

    def elo_bound(self, agent: int) -> str:
        """The kind of `elo`, which is relative to the anchor, as in `field_bound`."""
        anchor = self.names.index(self.zeros[agent])
        if agent == anchor or (self.field[agent] and self.field[anchor]):
            return ""
        return self._bound(agent, self.elo[self._field_of(agent)] if self.field[anchor] else np.zeros(1))

    def _field_of(self, agent: int) -> npt.NDArray[np.bool_]:
        """bool[A], the field of the agent's group."""
        found: npt.NDArray[np.bool_] = self.field & (self.group == self.group[agent])
        return found

    def _bound(self, agent: int, others: Floats) -> str:
        if max(self.not_lost[agent], self.not_won[agent]) < FEW or not len(others):
            return "~"
        return ">" if self.elo[agent] > others.max() else "<" if self.elo[agent] < others.min() else "~"


class Tally:
    """Finished games of some agents. `add` adds a game, `rate` returns the ratings. A game takes some 350 bytes."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.games = 0
        self._number = {name: number for number, name in enumerate(names)}
        self._row: dict[int, int] = {}  # of a deal
        self._seats = 0  # of the largest game
        self._pairs = array("q")  # of each comparison: row, two agents, and who was placed before (1: the first; 0, -1)
        self._places = array("d")  # of each seat of a game: row, agent, seat, and the columns above; wins in parts
        # Games in which two were compared, [A, A]; on the diagonal those in which an agent played
        self._met: Floats = np.zeros((len(names), len(names)))

    def add(self, game: StoredGame) -> None:
        """Add a game between these agents."""
        row = self._row.setdefault(game.deal, len(self._row))
        self.games += 1
        who, sides = [self._number[spec] for spec in game.line_up], game.sides
        self._seats = max(self._seats, len(who))
        places, victories = places_and_wins(game)
        met = {(agent, agent) for agent in who}
        for seat, agent in enumerate(who):
            finished = game.forfeit_seat is None
            self._places.extend((
                row, agent, seat, 1, round(PARTS * victories[seat]), places[seat], finished,
                game.scores[seat] if finished else 0, game.forfeit_seat == seat,
            ))  # fmt: skip
            for other, rival in enumerate(who[:seat]):
                if rival == agent or (seat - other) % sides == 0:  # partners are not compared
                    continue
                if not finished and game.forfeit_seat not in (seat, other):
                    continue
                met |= {(agent, rival), (rival, agent)}
                before = (places[seat] < places[other]) - (places[seat] > places[other])
                self._pairs.extend((row, agent, rival, before))
        for pair in met:
            self._met[pair] += 1

    def _ordered(self) -> Ordered:
        """Return the comparisons and the seats of all games, in the order of their deals."""
        pairs = np.frombuffer(self._pairs, np.int64).reshape(-1, _PAIR)
        places = np.frombuffer(self._places).reshape(-1, _PLACE)
        return pairs[np.argsort(pairs[:, 0], kind="stable")], places[np.argsort(places[:, 0], kind="stable")]

    def _deals(self, ordered: Ordered) -> Iterator[tuple[Floats, Floats, Floats]]:
        """Yield wins and ties of some deals at a time, float64[D, A, A], and the sums of the columns,
        float64[D, A, seats, 6].
        """
        count = len(self.names)
        pairs, places = ordered
        for first in range(0, max(1, len(self._row)), _TOGETHER):  # one part also without games
            deals = min(_TOGETHER, len(self._row) - first)
            wins, ties = np.zeros((2, deals, count, count))
            sums = np.zeros((deals, count, self._seats, 6))
            row, agent, rival, before = _rows(pairs, first, deals).T
            for own, other, won in ((agent, rival, before > 0), (rival, agent, before < 0)):
                np.add.at(wins, (row - first, own, other), won)
                np.add.at(ties, (row - first, own, other), before == 0)
            those = _rows(places, first, deals)
            row, agent, seat = those[:, :3].T.astype(np.int64)
            np.add.at(sums, (row - first, agent, seat), those[:, 3:])
            yield wins, ties, sums

    def rate(self, anchor: str | None = None) -> Ratings:
        """Return the ratings of the games so far. They depend on the games only.

        `anchor` has 0 Elo in its group. In other groups it is the best-connected agent: the one of the field with the
        most comparisons in it that were not lost, or not won, whichever are fewer. Raise ValueError for an unknown
        anchor.
        """
        count, ordered = len(self.names), self._ordered()
        pair_share, win_share, mean_place, mean_score, win_by_seat, place_by_seat, score_by_seat = (
            Quotients() for _ in range(7)
        )
        won, level = np.zeros((2, count, count))
        by_seat = np.zeros((count, self._seats, 6))
        for wins, ties, sums in self._deals(ordered):
            won, level, by_seat = won + wins.sum(0), level + ties.sum(0), by_seat + sums.sum(0)
            pair_share.add(PARTS * wins + PARTS * ties / 2, wins + wins.transpose(0, 2, 1) + ties)
            for of_all, of_seats, top, bottom in (
                (win_share, win_by_seat, _WINS, _SEATS),
                (mean_place, place_by_seat, _PLACES, _SEATS),
                (mean_score, score_by_seat, _GLORY, _FINISHED),
            ):
                of_seats.add(sums[..., top], sums[..., bottom])
                of_all.add(sums[..., top].sum(2), sums[..., bottom].sum(2))
        total = by_seat.sum(1)
        held = won + level  # comparisons that the row did not lose to the column
        zero = None if anchor is None else self.names.index(anchor)
        strengths = self._strengths(ordered, won, level, total[:, _FINISHED] > 0, zero)
        return Ratings(
            names=self.names,
            anchor=anchor or strengths["zeros"][np.argmin(strengths["group"])],
            deals=len(self._row),
            games=self.games,
            seats_taken=total[:, _SEATS].astype(np.int64),
            finished=total[:, _FINISHED].astype(np.int64),
            forfeits=total[:, _FORFEITS].astype(np.int64),
            compared=(held + won.T).sum(1).astype(np.int64),
            not_lost=held.sum(1).astype(np.int64),
            not_won=held.sum(0).astype(np.int64),
            pair_share=pair_share.shares(self._met),
            win_share=win_share.shares(self._met.diagonal()),
            mean_place=mean_place.ratio(),
            mean_score=mean_score.ratio(),
            win_share_by_seat=win_by_seat.shares(by_seat[..., _SEATS]),
            mean_place_by_seat=place_by_seat.ratio(),
            mean_score_by_seat=score_by_seat.ratio(),
            **strengths,
        )

    def _of_group(self, ordered: Ordered, who: Counts) -> Iterator[tuple[Floats, Floats]]:
        """Yield wins and ties between these agents, [D, A, A], of some deals in which one of them played at a time."""
        for wins, ties, sums in self._deals(ordered):
            played = sums[..., _SEATS][:, who].any((1, 2))
            yield wins[played][:, who][:, :, who], ties[played][:, who][:, :, who]

    def _strengths(
        self, ordered: Ordered, wins: Floats, ties: Floats, finished: npt.NDArray[np.bool_], anchor: int | None
    ) -> dict[str, Any]:
        """Return what `Ratings` says of strengths, group by group.

        `wins` and `ties` are of all deals, [A, A]; `finished` says who has played a game that nobody forfeited, [A].
        """
        count = len(self.names)
        elo, group, zeros = np.zeros(count), np.zeros(count, np.int64), np.zeros(count, np.int64)
        of_field, better = np.zeros(count, bool), np.full((count, count), np.nan)
        from_field, ahead = np.full((3, count), np.nan), np.full((3, count, count), np.nan)
        for number, who in enumerate(separate(wins + ties, self.names)):
            block = np.ix_(who, who)
            x = fit(wins[block], ties[block])
            moved, deals = spread_of(x, self._of_group(ordered, who))
            found, spread = _rounded(ELO * x[:-1]), ELO**2 * moved
            held = (wins + ties)[block]
            members = connected(found, held, finished[who])
            best = _best_connected(members, held, found, [self.names[agent] for agent in who])
            zero = who.tolist().index(anchor) if anchor in who else best
            variance = spread.diagonal()
            variance = variance[:, None] + variance - 2 * spread
            differences = _differences(found[:, None] - found, variance, deals)
            inside = np.isin(np.arange(len(who)), members)
            elo[who], group[who], zeros[who] = _rounded(found - found[zero]), number, who[zero]
            of_field[who], better[block] = inside, _better(differences.value, variance, deals)
            for ends, each in zip(ahead, _ends(_within(inside[:, None] & inside, differences)), strict=True):
                ends[block] = each
            if len(members):
                from_field[:, who] = _ends(_within(inside, _from_field(found, spread, inside, deals)))
        return {
            "elo": elo, "group": group, "zeros": tuple(self.names[each] for each in zeros), "field": of_field,
            "better": better, "from_field": Interval(*from_field), "ahead": Interval(*ahead),
        }  # fmt: skip


def _rows(table: npt.NDArray[Any], first: int, count: int) -> npt.NDArray[Any]:
    """Return the lines of an ordered table whose first column is one of `count` numbers."""
    begin, end = np.searchsorted(table[:, 0], (first, first + count))
    lines: npt.NDArray[Any] = table[begin:end]
    return lines


def _ends(each: Interval) -> list[Floats]:
    return [each.value, each.low, each.high]


def _from_field(elo: Floats, spread: Floats, inside: npt.NDArray[np.bool_], deals: int) -> Interval:
    """Return the differences from the mean of the field."""
    weights = np.eye(len(elo)) - inside / inside.sum()
    return _differences(weights @ elo, np.einsum("ai,ij,aj->a", weights, spread, weights), deals)


def _best_connected(members: Counts, held: Floats, elo: Floats, names: Sequence[str]) -> int:
    """Return the agent with the most comparisons not lost, or not won, whichever are fewer.

    It is one of these agents; without any, one of all. Ties are resolved by strength, then by name.
    """
    among = members if len(members) else np.arange(len(held))
    inner = held[np.ix_(among, among)]
    fewer = np.minimum(inner.sum(0), inner.sum(1)).tolist()
    keys = [(-count, -elo[agent], names[agent]) for count, agent in zip(fewer, among.tolist(), strict=True)]
    return int(among[keys.index(min(keys))])


def rate(names: Sequence[str], games: Iterable[StoredGame], anchor: str | None = None) -> Ratings:
    """Return the ratings of some agents.

    Parameters
    ----------
    names : sequence of str
        The agents.
    games : iterable of StoredGame
        Games in which no others play.
    anchor : str, optional
        The agent with 0 Elo; by default the one with the most comparisons.

    Returns
    -------
    Ratings
        The ratings. Raises UserError for an anchor that is none of the agents.

    Examples
    --------
    >>> from bloodrage_training.tournament.ratings import rate
    >>> rate(["random", "balanced"], []).games
    0
    """
    tally = Tally(tuple(names))
    for game in games:
        tally.add(game)
    return tally.rate(anchor)


def places_and_wins(game: StoredGame) -> tuple[list[float], list[float]]:
    """Return the place of each seat and its share of the victory.

    Equal clans share the mean of their places, and a victory (rules 5). A seat that forfeits is last and has no share;
    the others are first together. In teams each player has what its team wins, and loses by a partner's forfeit.
    A single player wins with a score above 0, and by half with 0 (`victory_share`).
    """
    if len(game.scores) == 1:
        won = 0.0 if game.forfeit_seat is not None else victory_share(np.array(game.scores, np.int32), 0)
        return [1.0], [won]
    glory: Sequence[int] = game.scores
    sides = game.sides
    if game.forfeit_seat is not None:
        glory = [int((seat - game.forfeit_seat) % sides != 0) for seat in range(len(game.scores))]
    places = [1 + sum(other > own for other in glory) + (glory.count(own) - 1) / 2 for own in glory]
    best = max(glory)
    team = len(glory) // sides
    return places, [(own == best) * team / glory.count(best) for own in glory]


def separate(held: Floats, names: Sequence[str]) -> list[Counts]:
    """Return the agents in groups that chains of comparisons connect, the largest group first.

    `held[a, b]` is how many comparisons with b the agent a did not lose.
    """
    met: npt.NDArray[np.bool_] = (held + held.T > 0) | np.eye(len(held), dtype=bool)
    left, groups = set(range(len(held))), []
    while left:
        reached = np.zeros(len(held), bool)
        reached[min(left)] = True
        while (more := np.asarray(met[reached].any(0))).sum() > reached.sum():
            reached = more
        groups.append(np.flatnonzero(reached))
        left -= {*groups[-1].tolist()}
    weight = held.sum(1)
    return sorted(groups, key=lambda each: (-len(each), -weight[each].sum(), min(names[agent] for agent in each)))


def connected(strength: Floats, held: Floats, able: npt.NDArray[np.bool_] | None = None) -> Counts:
    """Return the field, the agents whose distances can be estimated, the strongest first; empty if there are no two.

    `strength` is float64[A], `held[a, b]` how many comparisons with b the agent a did not lose; agents that are not
    `able` are left out. Wherever a line between stronger and weaker agents is crossed by fewer than FEW comparisons
    that the weaker ones did not lose, the distance across it is a bound. So it is for an agent that has not lost, or
    not won, fewer than FEW. What such lines leave together is a group; the field is the largest.
    """
    agents = np.argsort(-strength, kind="stable")
    groups = _groups(agents if able is None else agents[able[agents]], strength, held)
    best = max(groups, key=lambda group: (len(group), held[np.ix_(group, group)].sum()))
    return best if len(best) > 1 else best[:0]


def _groups(agents: Counts, strength: Floats, held: Floats) -> list[Counts]:
    """Divide these agents, which are in order of strength, into groups within which all distances are known.

    Level agents are always in the same group, because their order has no meaning.
    """
    among = held[np.ix_(agents, agents)]
    steps = np.flatnonzero(np.diff(strength[agents])) + 1
    lines = [place for place in steps.tolist() if among[place:, :place].sum() < FEW]
    if lines:
        return [group for part in np.split(agents, lines) for group in _groups(part, strength, held)]
    few = np.minimum(among.sum(0), among.sum(1)) < FEW
    if len(agents) > 1 and few.any():
        return [*_groups(agents[~few], strength, held), *agents[few, None]]
    return [agents]


def _differences(value: Floats, variance: Floats, deals: int) -> Interval:
    """Return differences in Elo with Student's intervals, from their variances; no interval below two deals."""
    half = quantile(deals - 1) * np.sqrt(np.maximum(variance, 0)) if deals >= 2 else np.full_like(value, np.nan)
    return Interval(_rounded(value), _rounded(value - half), _rounded(value + half))


def _better(ahead: Floats, variance: Floats, deals: int) -> Floats:
    """Return P(row is better than column) from differences and variances: 1/2 for level agents.

    With N deals, the result is limited to what N deals show if one of two equal agents was ahead in all: with a uniform
    prior of how often it is ahead, the probability of more than half of all deals is 1 - 1 / 2**(N + 1).
    """
    if deals < 2:
        return np.full_like(ahead, 0.5)
    deviation = np.sqrt(np.maximum(variance, 10.0 ** (-2 * _DIGITS)))
    limit = 0.5 ** (deals + 1)
    return np.clip(np.round(below(ahead / deviation, deals - 1), 2 * _DIGITS), limit, 1 - limit)


def _rounded(elo: Floats) -> Floats:
    """Return the values without rounding errors and negative zeros."""
    return np.round(elo, _DIGITS) + 0.0


def _within(inside: npt.NDArray[np.bool_], known: Interval) -> Interval:
    """Return the intervals without the ends of those that are not inside."""
    return Interval(known.value, *(np.where(inside, ends, np.nan) for ends in (known.low, known.high)))
