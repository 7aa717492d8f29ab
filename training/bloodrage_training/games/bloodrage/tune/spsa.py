"""SPSA (Spall 1992): numbers are moved towards what wins, as in Stockfish's fishtest.

In an iteration all numbers are moved by their steps, up or down at random, and what they make plays with these and with
the opposite. With P such changes, step c of a number, iteration k from 0 and K of them, s (1 or -1) the way that the
number was moved in a change, and y how far the change was ahead of its opposite (-1 to 1):

    moved by   s * c / (k + 1) ** 0.101
    number    += RATE * c * sum(s * y) / sqrt(P) * (K / 10 + 1) ** 0.602 / (K / 10 + k + 1) ** 0.602

So several changes, which find a common way among many numbers, move them as far as one does where all is noise.
"""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]

RATE: Final = 0.5  # steps that a number moves after a won iteration of one change, at first
NARROWING, SLOWING = 0.101, 0.602  # exponents that Spall recommends
DIGITS = 4  # numbers are kept to so many places


@dataclass(frozen=True)
class Numbers:
    """What is tuned, by name: float64 arrays of one length."""

    names: tuple[str, ...]
    values: Reals
    steps: Reals
    low: Reals
    high: Reals

    def limited(self, values: Reals) -> Reals:
        """Values that may be, each row of them."""
        return np.asarray(np.clip(values, self.low, self.high).round(DIGITS), np.float64)


class Subject(Protocol):
    """What has numbers that can be tuned."""

    numbers: Numbers
    pairs: int  # changes in an iteration
    deals: int  # for each of them

    def play(self, up: Reals, down: Reals, players: int, rng: np.random.Generator) -> Reals:
        """float64[P]: how far each row of `up` is ahead of that of `down`, -1 to 1, in games of so many players.

        Both are float64[P, numbers]; all chance is of `rng`. UserError for an agent that forfeits.
        """
        ...

    def told(self, values: Reals) -> str:
        """The numbers as they are written where they belong."""
        ...


def iterate(subject: Subject, values: Reals, k: int, total: int, players: int, seed: int) -> Reals:
    """The values after iteration `k` of `total`; a function of these arguments."""
    numbers = subject.numbers
    rng = np.random.default_rng((seed, k))
    signs = rng.choice((-1.0, 1.0), size=(subject.pairs, len(values)))
    change = signs * numbers.steps * (k + 1) ** -NARROWING
    ahead = subject.play(numbers.limited(values + change), numbers.limited(values - change), players, rng)
    rate = RATE * ((total / 10 + 1) / (total / 10 + k + 1)) ** SLOWING
    return numbers.limited(values + rate * numbers.steps * (ahead @ signs) / np.sqrt(subject.pairs))
