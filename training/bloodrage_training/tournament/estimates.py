"""Shares with intervals, from games that come in deals: games of one deal are correlated, so deals are resampled.

A share is wins over takes, both summed over deals. Its spread is that of a ratio of sums over clusters (Cochran,
Sampling Techniques, 3rd edition, 11.7): takes within a deal may be correlated in any way. The interval is
Wilson's for the effective sample size, which is how many independent takes would have this spread; so it stays within
0 and 1, and is asymmetric near them.

Where nothing was won, or everything, the correlation within a deal can't be estimated: there each game counts once. It
is the limit of the formula: with one win in N games the effective sample size is N - 1. For the same reason no spread
is taken to be less than that of one win: deals may all have gone alike by chance.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Z: Final = 1.959964  # 97.5 % of a normal distribution lie below
PARTS: Final = 60  # of a win, which up to five share: sums of whole parts are exact, whatever their order


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval. NaN without data; the ends are NaN if there is too little data.

    Examples
    --------
    >>> from bloodrage_training.tournament.estimates import Estimate
    >>> Estimate(0.5, 0.4, 0.6).bounded
    True
    """

    value: float
    low: float
    high: float

    @property
    def known(self) -> bool:
        """Whether there is a value."""
        return math.isfinite(self.value)

    @property
    def bounded(self) -> bool:
        """Whether it has an interval."""
        return math.isfinite(self.low) and math.isfinite(self.high)


@dataclass(frozen=True)
class Interval:
    """Estimates with the ends of their intervals, arrays of one shape. NaN without data, or with too little.

    Examples
    --------
    >>> import numpy as np
    >>> from bloodrage_training.tournament.estimates import Interval
    >>> Interval(np.array([0.5, 0.2]), np.array([0.4, 0.1]), np.array([0.6, 0.3])).at(1)
    Estimate(value=0.2, low=0.1, high=0.3)
    """

    value: Numbers
    low: Numbers
    high: Numbers

    def at(self, place: int | tuple[int, int]) -> Estimate:
        """Return one element.

        Parameters
        ----------
        place : int or tuple of int
            Its index.

        Returns
        -------
        Estimate
            The element.
        """
        return Estimate(float(self.value[place]), float(self.low[place]), float(self.high[place]))


class Shares:
    """Wins and takes of `size` things, deal by deal. A win can be a fraction (a shared victory)."""

    def __init__(self, size: int) -> None:
        self.deals = 0
        self.takes: Numbers = np.zeros(size)
        self._wins: Numbers = np.zeros(size)  # in parts, as below
        self._games: Numbers = np.zeros(size)  # how many games have a take of it
        self._in_deals: Numbers = np.zeros(size)  # how many deals have
        self._deal = np.zeros((2, size))  # takes and wins of the deal that is under way
        self._squares = np.zeros((3, size))  # sums over deals of takes², takes x wins, wins²

    @property
    def wins(self) -> Numbers:
        """The wins of each thing."""
        return self._wins / PARTS

    def add(self, things: npt.NDArray[np.int64], wins: Numbers) -> None:
        """Count a game: a take of each thing in `things`, with the win at the same position."""
        size = len(self.takes)
        takes = np.bincount(things, minlength=size)
        self._games += takes > 0
        self._deal[0] += takes
        self._deal[1] += np.bincount(things, parts_of(wins), minlength=size)

    def end_deal(self) -> None:
        """End a deal: later takes belong to another one."""
        takes, wins = self._deal
        self.deals += 1
        self.takes += takes
        self._wins += wins
        self._in_deals += takes > 0
        self._squares += (takes * takes, takes * wins, wins * wins)
        self._deal[:] = 0

    def share(self, thing: int) -> Estimate:
        """Return wins per take of `thing`; NaN if it was never taken, without an interval if in one deal only."""
        return _shares(self.takes, self._wins, self._squares, self._in_deals, self._games).at(thing)


def mean_share(deals: Iterable[Iterable[float]]) -> Estimate:
    """Return wins per game with an interval, from the wins of an agent in the games of each deal."""
    shares = Shares(1)
    for deal in deals:
        for won in deal:
            shares.add(np.zeros(1, np.int64), np.array([won]))
        shares.end_deal()
    return shares.share(0)


class Quotients:
    """Sums over deals of what stands above and below in quotients, for their values with intervals.

    `add` takes a part of the deals, so that not all of them have to be in memory.
    """

    def __init__(self) -> None:
        self._above: Numbers | int = 0
        self._below: Numbers | int = 0
        self._squares: Numbers | int = 0  # of below², below x above and above²
        self._deals: Numbers | int = 0  # with something below

    def add(self, above: Numbers, below: Numbers) -> None:
        """Add deals: float64[D, ...], a row for each. Each deal is added once."""
        self._above = self._above + above.sum(0)
        self._below = self._below + below.sum(0)
        squares = np.array([(below * below).sum(0), (below * above).sum(0), (above * above).sum(0)])
        self._squares = self._squares + squares
        self._deals = self._deals + (below > 0).sum(0)

    def ratio(self) -> Interval:
        """Return the sums above divided by those below: [...].

        There is no interval for fewer than two deals, or deals without spread.
        """
        below, deals = np.asarray(self._below), np.asarray(self._deals)
        with np.errstate(invalid="ignore", divide="ignore"):
            value = self._above / below
            variance = _variance(value, np.asarray(self._squares), below, deals)
            half = quantile(np.maximum(deals - 1, 1)) * np.sqrt(np.where(variance > 1e-12 * value**2, variance, np.nan))
        half = np.where(deals >= 2, half, np.nan)
        return Interval(value, value - half, value + half)

    def shares(self, games: Numbers) -> Interval:
        """Do as `Shares` for wins above, in whole parts of which PARTS are a win, and takes below. `games` is how many
        games have a take: float64[...].
        """
        below, above, deals = (np.asarray(each) for each in (self._below, self._above, self._deals))
        return _shares(below, above, np.asarray(self._squares), deals, games)


def parts_of(wins: Numbers) -> Numbers:
    """Return wins in whole parts, of which PARTS are a win."""
    parts: Numbers = np.rint(PARTS * np.asarray(wins, float))
    return parts


def _variance(value: Numbers, squares: Numbers, below: Numbers, deals: Numbers) -> Numbers:
    """Return the variance of a ratio of sums over deals, from the sums of below², below x above and above²."""
    summed: Numbers = squares[2] - 2 * value * squares[1] + value**2 * squares[0]
    return summed * deals / (deals - 1) / below**2


def _shares(takes: Numbers, wins: Numbers, squares: Numbers, deals: Numbers, games: Numbers) -> Interval:
    """From sums over deals; wins are in parts, also in `squares`: of takes², takes x wins, and wins²."""
    squares = squares / np.array([1, PARTS, PARTS**2]).reshape(3, *[1] * (squares.ndim - 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        share = wins / PARTS / takes
        spread = _variance(share, squares, takes, deals)
        both = (share > 0) & (share < 1)
        count = np.where(both, share * (1 - share) / np.maximum(spread, 1 / takes**2), games)
        low, high = _wilson(share, count, np.where(both, quantile(deals - 1), Z))
    enough = deals >= 2
    return Interval(share, np.where(enough, low, np.nan), np.where(enough, high, np.nan))


def quantile(freedom: Numbers | float) -> Numbers:
    """Return the 97.5 % quantile of Student's distribution with `freedom` >= 1 (Cornish and Fisher's series)."""
    freedom = np.asarray(freedom, float)
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    many = np.maximum(freedom, 3)
    series = Z + first / many + second / many**2 + third / many**3
    return np.select([freedom < 2, freedom < 3], [12.7062, 4.3027], series)


def below(value: Numbers, freedom: int) -> Numbers:
    """Return the distribution function of Student's distribution at a value.

    The error is about 0.01 for 1 degree of freedom and 0.001 for 5 (Wallace 1959).
    """
    scale = (8 * freedom + 1) / (8 * freedom + 3)
    normal = np.sign(value) * scale * np.sqrt(freedom * np.log1p(np.square(value) / freedom))
    found: Numbers = np.vectorize(math.erfc, otypes=[float])(-normal / math.sqrt(2)) / 2
    return found


def wilson(share: float, count: float, z: float = Z) -> Estimate:
    """Return Wilson's interval (1927) of a share among independent trials.

    Parameters
    ----------
    share : float
        0 to 1.
    count : float
        Number of trials.
    z : float
        Quantile of the normal distribution; by default for 95 %.

    Returns
    -------
    Estimate
        The share and the ends of the interval.

    Examples
    --------
    >>> from bloodrage_training.tournament.estimates import wilson
    >>> found = wilson(0.6, 100)
    >>> f"{found.low:.3f} to {found.high:.3f}"
    '0.502 to 0.691'
    """
    low, high = _wilson(np.array(share), np.array(count), np.array(z))
    return Estimate(share, float(low), float(high))


def _wilson(share: Numbers, count: Numbers, z: Numbers) -> tuple[Numbers, Numbers]:
    scale = 1 + z**2 / count
    centre = (share + z**2 / (2 * count)) / scale
    half = z * np.sqrt(share * (1 - share) / count + z**2 / (4 * count**2)) / scale
    # At its own end it is exact: the formula is so but for rounding.
    return np.where(share == 0, 0.0, centre - half), np.where(share == 1, 1.0, centre + half)
