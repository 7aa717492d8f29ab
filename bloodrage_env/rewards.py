"""The reward of each seat at the end of a game, from the scores of all."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from .engine.compiled import Glory, rule

MARGIN_UNIT: Final = 100.0  # points of glory that are worth a reward of 1
ILLEGAL_REWARD: Final = -1.0  # of a seat that ends the game by an illegal action


def victory_share(glory: Glory, seat: int) -> float:
    """A seat's part of the victory: equal parts for the seats with the most glory (rules 5), nothing for the others."""
    equals = 0
    for other in glory:
        if other > glory[seat]:
            return 0.0
        equals += int(other == glory[seat])
    return 1.0 / equals


def win_reward(share: float, num_players: int) -> float:
    """The reward of a seat with this part of the victory: 1 for all of it, the same loss for all without any; sum 0."""
    return (share * num_players - 1.0) / (num_players - 1.0)


def share_of(reward: float, num_players: int) -> float:
    """The part of the victory that pays this `win_reward`."""
    return (reward * (num_players - 1.0) + 1.0) / num_players


# The same for compiled code; Python calls those above.
victory_share_rule, win_reward_rule, share_of_rule = rule(victory_share), rule(win_reward), rule(share_of)


def win_rewards(scores: Sequence[int]) -> list[float]:
    """Victory, shared by the k best of n: (n / k - 1) / (n - 1) for each of them, -1 / (n - 1) for the others.

    A sole winner has +1, the sum is 0.
    """
    count = len(scores)
    glory = np.asarray(scores, np.int32)
    return [win_reward(victory_share(glory, seat), count) for seat in range(count)]


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
