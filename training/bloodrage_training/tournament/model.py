"""The model of the ratings: strengths and ties by Bradley and Terry with Davidson, fitted to comparisons."""

import math
from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ELO: Final = 400 / math.log(10)  # Elo of a step of 1 in theta: 400 Elo are odds of 10 to 1
# A weak prior, so that who won or lost everything has a finite rating: each theta is normal about the mean of all, the
# tie parameter log-normal about a small one.
PRIOR_ELO: Final = 800.0
PRIOR_LOG_TIE: Final = (math.log(0.05), 2.0)  # mean and standard deviation of log nu
_MAX_STEPS: Final = 100
_PRECISE: Final = 1e-9  # in theta


def fit(wins: Floats, ties: Floats) -> Floats:
    """Return the most likely theta, with sum 0, and log nu, float64[A + 1], under the prior.

    `wins[a, b]` is how often a came before b; `ties` is symmetric. The posterior is strictly concave. Newton's method
    halves steps that decrease it.
    """
    x = np.zeros(len(wins) + 1)
    x[-1] = PRIOR_LOG_TIE[0]
    value = posterior(x[None], wins, ties)[0]
    for _ in range(_MAX_STEPS):
        gradient, curvature = _derivatives(x, wins, ties)
        step, size = np.linalg.solve(curvature, gradient), 1.0
        reached = posterior(x[None] + step, wins, ties)[0]
        while reached < value - 1e-9 * (1 + abs(value)) and size > 1e-6:
            size /= 2
            reached = posterior(x[None] + size * step, wins, ties)[0]
        x, value = x + size * step, reached
        if np.abs(step).max() <= _PRECISE:
            break
    x[:-1] -= x[:-1].mean()
    return x


def _chances(x: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the log of the sum over outcomes, P(row before column) and P(tie) of every pair, [..., A, A]."""
    half = (x[..., :-1, None] - x[..., None, :-1]) / 2
    log_tie = np.broadcast_to(x[..., -1, None, None], half.shape)
    total = np.logaddexp(np.logaddexp(half, -half), log_tie)
    return total, np.exp(half - total), np.exp(log_tie - total)


def posterior(x: Floats, wins: Floats, ties: Floats) -> Floats:
    """Return the log posterior of each row of `x`, up to a constant."""
    half = (x[:, :-1, None] - x[:, None, :-1]) / 2
    total, _, _ = _chances(x)
    log_tie = x[:, -1, None, None]
    likely = (wins * (half - total)).sum((1, 2)) + (ties * (log_tie - total)).sum((1, 2)) / 2
    deviation, spread = PRIOR_ELO / ELO, PRIOR_LOG_TIE[1]
    prior = (x[:, :-1] ** 2).sum(1) / deviation**2 + ((x[:, -1] - PRIOR_LOG_TIE[0]) / spread) ** 2
    result: Floats = likely - prior / 2
    return result


def _scores(x: Floats, wins: Floats, ties: Floats) -> Floats:
    """Return the gradient of the log likelihood, [..., A + 1], of sets of comparisons, [..., A, A]."""
    _, first, tie = _chances(x)
    played = wins + wins.swapaxes(-1, -2) + ties
    theta = (wins + ties / 2 - played * (first + tie / 2)).sum(-1)
    return np.concatenate([theta, (ties - played * tie).sum((-1, -2))[..., None] / 2], -1)


def _derivatives(x: Floats, wins: Floats, ties: Floats) -> tuple[Floats, Floats]:
    """Return the gradient of `_posterior` at `x`, [A + 1], and the negative Hessian, [A + 1, A + 1]."""
    count = len(x) - 1
    played = wins + wins.T + ties
    _, first, tie = _chances(x)
    weight = np.append(np.full(count, (ELO / PRIOR_ELO) ** 2), 1 / PRIOR_LOG_TIE[1] ** 2)
    gradient = _scores(x, wins, ties) - weight * (x - np.append(np.zeros(count), PRIOR_LOG_TIE[0]))
    # Of a pair: the outcome moves the score of the row by 1, 1/2 or 0; its variance, and its covariance with a tie.
    variance = played * (first + tie / 4 - (first + tie / 2) ** 2)
    with_tie = (played * tie * (1 / 2 - first - tie / 2)).sum(1)
    curvature = np.diag(np.append(variance.sum(1), (played * tie * (1 - tie)).sum() / 2) + weight)
    curvature[:-1, :-1] -= variance
    curvature[:-1, -1] = curvature[-1, :-1] = with_tie
    return gradient, curvature


def spread_of(x: Floats, parts: Iterable[tuple[Floats, Floats]]) -> tuple[Floats, int]:
    """Return the covariance of theta from the spread between deals, [A, A], and the number of deals.

    `parts` yields wins and ties of some deals at a time, [D, A, A]. The change of the estimate by a deal is its score
    times the inverse of the curvature. Changes by different deals are independent.
    """
    count = len(x) - 1
    wins, ties = np.zeros((2, count, count))
    found = [np.zeros((0, count + 1))]
    for won, level in parts:
        wins, ties = wins + won.sum(0), ties + level.sum(0)
        found.append(_scores(x, won, level))
    scores = np.concatenate(found)
    deals = len(scores)
    if deals < 2:
        return np.zeros((count, count)), deals
    moves = np.linalg.solve(_derivatives(x, wins, ties)[1], (scores - scores.mean(0)).T)[:-1]
    spread: Floats = moves @ moves.T * deals / (deals - 1)
    return (spread + spread.T) / 2, deals
