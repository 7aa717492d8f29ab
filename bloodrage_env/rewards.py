"""The reward of each seat at the end of a game, from the scores of all."""

from collections.abc import Callable, Sequence
from typing import Final

MARGIN_UNIT: Final = 100.0  # points of glory that are worth a reward of 1
ILLEGAL_REWARD: Final = -1.0  # of a seat that ends the game by an illegal action


def win_rewards(scores: Sequence[int]) -> list[float]:
    """Victory, shared by the k best of n: (n / k - 1) / (n - 1) for each of them, -1 / (n - 1) for the others.

    A sole winner has +1, the sum is 0.
    """
    best = max(scores)
    others = len(scores) - 1
    share = len(scores) / scores.count(best)
    return [((share if score == best else 0.0) - 1.0) / others for score in scores]


def rank_rewards(scores: Sequence[int]) -> list[float]:
    """+1 for the first place, -1 for the last, evenly spaced; equal scores have the mean of their places; sum 0."""
    others = len(scores) - 1
    return [(sum(own > other for other in scores) - sum(own < other for other in scores)) / others for own in scores]


def margin_rewards(scores: Sequence[int]) -> list[float]:
    """Own glory less the best of the others', in hundreds; zero-sum for two players only."""
    best = [max(other for j, other in enumerate(scores) if j != i) for i in range(len(scores))]
    return [(own - other) / MARGIN_UNIT for own, other in zip(scores, best, strict=True)]


REWARDS: Final[dict[str, Callable[[Sequence[int]], list[float]]]] = {
    "win": win_rewards,
    "rank": rank_rewards,
    "margin": margin_rewards,
}
