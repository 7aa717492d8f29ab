"""The error of a value function on positions that were played out, without the noise of the play-outs.

A position has an unknown chance q of a win for a seat. The mean m of K play-outs differs from q by chance, with the
variance s² / K, where s² is their sample variance. So (v - m)² - s² / K is an unbiased estimate of (v - q)² for a value
v that does not depend on the play-outs. The error is the square root of its mean over positions, in points of win
probability. If v is itself a mean of other play-outs, their variance is subtracted too.

Positions are played out as they were dealt, and from redeals of the seat to act. What is dealt includes what the seat
does not know, so no function of its inputs has an error of 0 there. Redeals do not include it, but are biased: they do
not model what the other seats chose to keep.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch

from bloodrage_env.games.bloodrage.engine import MAX_SEATS, NUM_AGES, States
from bloodrage_training import markdown
from bloodrage_training.learn.policy import Policy, SparseRows
from bloodrage_training.report.columns import with_interval
from bloodrage_training.tournament.estimates import Estimate, Numbers

from .playing import Whole
from .positions import Positions, shares

RESAMPLES: Final = 2000
EQUAL, REDEALT = "equal shares", "play-outs of redeals"  # functions that every table has


@dataclass(frozen=True)
class Value:
    """The values of P positions: chances of a win, float64[P, MAX_SEATS], by seat clockwise from the seat to act.

    `noise` contains the variance of each chance if it is a mean of play-outs, otherwise 0.
    """

    chances: Numbers
    noise: Numbers

    @classmethod
    def exact(cls, chances: Numbers) -> "Value":
        """Return values without noise."""
        return cls(chances, np.zeros_like(chances))

    @classmethod
    def mean(cls, played: Numbers) -> "Value":
        """Return the means of K play-outs of each position, float64[P, K, MAX_SEATS]."""
        return cls(played.mean(1), noise_of(played))

    def take(self, which: Whole) -> "Value":
        """Return the values of some positions."""
        return Value(self.chances[which], self.noise[which])


@dataclass(frozen=True)
class Row:
    """The error of a function on some of the positions, in points of win probability."""

    function: str
    players: int
    age: int | None  # from 1; None for all
    positions: int
    own: Estimate  # of the value of the seat to act
    every: Estimate  # of the values of all seats
    redealt: Estimate | None  # of the value of the seat to act, on redeals; None for the play-outs of these
    explained: float  # share of the variance of the result of the seat to act, which chance alone keeps below 1


def noise_of(played: Numbers) -> Numbers:
    """Return the variance of the mean of play-outs, float64[P, ...] for float64[P, K, ...]."""
    return np.asarray(played.var(1, ddof=1) / played.shape[1])


def squared_errors(value: Value, played: Numbers) -> Numbers:
    """Return unbiased estimates of the squared errors, float64[P, MAX_SEATS]. An estimate can be negative."""
    return np.asarray((value.chances - played.mean(1)) ** 2 - noise_of(played) - value.noise)


def error(squares: Numbers, seed: int = 0) -> Estimate:
    """Return the root mean squared error in points, with a 95 % interval by bootstrap over positions; one has none."""
    rng = np.random.default_rng(seed)
    means = squares[rng.integers(len(squares), size=(RESAMPLES, len(squares)))].mean(1)
    low, high = np.quantile(means, (0.025, 0.975)) if len(squares) > 1 else (np.nan, np.nan)
    return Estimate(*(100 * float(np.sqrt(np.maximum(0.0, square))) for square in (squares.mean(), low, high)))


def explained(value: Value, played: Numbers, equal: Numbers) -> float:
    """Return the share of the variance of the results that the values explain, for the seat to act."""
    wins = played[..., 0]
    left = ((value.chances[:, :1] - wins) ** 2).mean() - value.noise[:, 0].mean()
    return float(1 - left / ((equal[:, :1] - wins) ** 2).mean())


def value_of(policy: Policy, states: States) -> Value:
    """Return the values of a policy as chances of a win."""
    players = states["num_players"].astype(np.float64)[:, None]
    with torch.inference_mode():
        rewards = policy(SparseRows.of(states, np.arange(len(states)), policy.net))[1].numpy().astype(np.float64)
    chances = ((rewards * (players - 1) + 1) / players).clip(0, 1)
    return Value.exact(np.where(np.arange(MAX_SEATS) < players, chances, 0.0))


def equal_of(players: Whole) -> Numbers:
    """Return the same chance for each seat of a game, float64[P, MAX_SEATS]."""
    return np.where(np.arange(MAX_SEATS) < players[:, None], 1 / players[:, None], 0.0)


def measure(positions: Positions, ages: Whole, functions: Mapping[str, Value]) -> list[Row]:
    """Return rows for EQUAL, these functions and REDEALT: by number of players, all Ages together and each Age."""
    played, redealt = shares(positions.played), shares(positions.redealt)
    equal, rows = equal_of(positions.players), []
    known = {EQUAL: Value.exact(equal), **functions, REDEALT: Value.mean(redealt)}
    for players in np.unique(positions.players).tolist():
        for age in (None, *range(NUM_AGES)):
            at = np.flatnonzero((positions.players == players) & ((ages == age) | (age is None)))
            for name, value in known.items() if len(at) else ():
                part = value.take(at)
                squares = squared_errors(part, played[at])[:, :players]
                on_redeals = None if name == REDEALT else error(squared_errors(part, redealt[at])[:, 0])
                share = explained(part, played[at], equal[at])
                errors = error(squares[:, 0]), error(squares.mean(1)), on_redeals
                rows.append(Row(name, players, None if age is None else age + 1, len(at), *errors, share))
    return rows


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    head = ("players", "Age", "positions", "values", "error", "all seats", "on redeals", "explained")
    lines = []
    for row in rows:
        age = "all" if row.age is None else str(row.age)
        errors = (with_interval(each, ".1f") if each else "" for each in (row.own, row.every, row.redealt))
        lines.append((str(row.players), age, str(row.positions), row.function, *errors, f"{100 * row.explained:.0f} %"))
    return "\n".join(markdown.table(head, lines))
