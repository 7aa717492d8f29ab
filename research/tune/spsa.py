"""SPSA (Spall 1992): moves numbers towards values that win, as in Stockfish's fishtest.

In an iteration all numbers are moved by their steps, up or down at random, and an agent with these numbers plays one
with the opposite change. With P such changes, step c of a number, iteration k from 0 and K of them, s (1 or -1) the
direction of the number in a change, and y the lead of the change over its opposite (-1 to 1):

    moved by   s * c / (k + 1) ** 0.101
    number    += RATE * c * sum(s * y) / sqrt(P) * (K / 10 + 1) ** 0.602 / (K / 10 + k + 1) ** 0.602

With pure noise, P changes move a number as far as one change. With a common direction they move it further.
"""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]

RATE: Final = 0.5  # steps that a number moves after a won iteration of one change, at first
NARROWING, SLOWING = 0.101, 0.602  # exponents that Spall recommends
DIGITS = 4  # decimal places of numbers


@dataclass(frozen=True)
class Numbers:
    """The tuned numbers, by name: float64 arrays of one length."""

    names: tuple[str, ...]
    values: Reals
    steps: Reals
    low: Reals
    high: Reals

    def limited(self, values: Reals) -> Reals:
        """Return the values, each row limited to the allowed range."""
        return np.asarray(np.clip(values, self.low, self.high).round(DIGITS), np.float64)


class Subject(Protocol):
    """Interface of an object with numbers that can be tuned."""

    numbers: Numbers
    pairs: int  # changes in an iteration
    deals: int  # for each of them

    def play(self, up: Reals, down: Reals, players: int, rng: np.random.Generator) -> Reals:
        """Return float64[P]: the lead of each row of `up` over that of `down`, -1 to 1, in games of `players` seats.

        Both are float64[P, numbers]. All random numbers come from `rng`. Raise UserError for an agent that forfeits.
        """
        ...

    def as_text(self, values: Reals) -> str:
        """Return the numbers as text, in the form that the project stores."""
        ...


def iterate(subject: Subject, values: Reals, k: int, total: int, players: int, seed: int) -> Reals:
    """Return the values after iteration `k` of `total`; a function of these arguments."""
    numbers = subject.numbers
    rng = np.random.default_rng((seed, k))
    signs = rng.choice((-1.0, 1.0), size=(subject.pairs, len(values)))
    change = signs * numbers.steps * (k + 1) ** -NARROWING
    ahead = subject.play(numbers.limited(values + change), numbers.limited(values - change), players, rng)
    rate = RATE * ((total / 10 + 1) / (total / 10 + k + 1)) ** SLOWING
    return numbers.limited(values + rate * numbers.steps * (ahead @ signs) / np.sqrt(subject.pairs))
