"""Shares with intervals, from games that come in deals: games of one deal are alike, so the deal is what is drawn anew.

A share is wins over takes, both summed over deals. Its spread is that of a ratio of sums over clusters (Cochran,
Sampling Techniques, 3rd edition, 11.7): takes within a deal may lean on each other as they like. The interval is
Wilson's, with as many takes as would have this spread if they were independent, so that it stays within 0 and 1.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Z: Final = 1.959964  # 97.5 % of a normal distribution lie below


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval; NaN where nothing was counted, or for the ends too little."""

    value: float
    low: float
    high: float

    @property
    def known(self) -> bool:
        """Whether there is a value at all."""
        return math.isfinite(self.value)

    @property
    def bounded(self) -> bool:
        """Whether it has an interval."""
        return math.isfinite(self.low) and math.isfinite(self.high)


UNKNOWN: Final = Estimate(math.nan, math.nan, math.nan)


class Shares:
    """Wins and takes of `size` things, deal by deal; a win may be a part of one (a victory that is shared)."""

    def __init__(self, size: int) -> None:
        self.deals = 0
        self.takes: Numbers = np.zeros(size)
        self.wins: Numbers = np.zeros(size)
        self._in_deals: Numbers = np.zeros(size)  # how many deals have a take of it
        self._deal = np.zeros((2, size))  # takes and wins of the deal that is under way
        self._squares = np.zeros((3, size))  # sums over deals of takes², takes x wins, wins²

    def add(self, things: npt.NDArray[np.int64], wins: Numbers) -> None:
        """Count a take of each thing in `things`, worth the win at the same place."""
        size = len(self.takes)
        self._deal[0] += np.bincount(things, minlength=size)
        self._deal[1] += np.bincount(things, wins, minlength=size)

    def end_deal(self) -> None:
        """What is added from now on belongs to another deal."""
        takes, wins = self._deal
        self.deals += 1
        self.takes += takes
        self.wins += wins
        self._in_deals += takes > 0
        self._squares += (takes * takes, takes * wins, wins * wins)
        self._deal[:] = 0

    def share(self, thing: int) -> Estimate:
        """Wins for a take of `thing`; UNKNOWN if it was never taken, without an interval if in one deal alone."""
        takes = float(self.takes[thing])
        if takes == 0:
            return UNKNOWN
        share = float(self.wins[thing]) / takes
        deals = int(self._in_deals[thing])
        if deals < 2:
            return Estimate(share, math.nan, math.nan)
        return wilson(share, self._independent(thing, share, deals), quantile(deals - 1))

    def _independent(self, thing: int, share: float, deals: int) -> float:
        """How many independent takes would have the spread that the deals show."""
        takes = float(self.takes[thing])
        if not 0 < share < 1:  # no spread to be seen: each deal counts once
            return float(deals)
        both, mixed, wins = (float(row[thing]) for row in self._squares)
        spread = (wins - 2 * share * mixed + share * share * both) * deals / (deals - 1) / takes**2
        return share * (1 - share) / spread if spread > 1e-15 else math.inf


def quantile(freedom: int) -> float:
    """97.5 % of Student's distribution with `freedom` >= 1 lie below it (Cornish and Fisher's series)."""
    if freedom < 3:
        return (12.7062, 4.3027)[freedom - 1]
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + first / freedom + second / freedom**2 + third / freedom**3


def wilson(share: float, count: float, z: float = Z) -> Estimate:
    """Wilson's interval (1927) of a share among `count` independent ones; a point if there are infinitely many."""
    if math.isinf(count):
        return Estimate(share, share, share)
    scale = 1 + z * z / count
    centre = (share + z * z / (2 * count)) / scale
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / scale
    return Estimate(share, max(0.0, centre - half), min(1.0, centre + half))
