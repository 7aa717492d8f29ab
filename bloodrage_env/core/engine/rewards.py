"""The reward of each seat at the end of a game, from the scores of all: the most wins."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..compile.decorators import Scores, rule

ILLEGAL_REWARD: Final = -1.0  # of a seat that ends the game by an illegal action


def victory_share(scores: Scores, seat: int) -> float:
    """A seat's part of the victory: equal parts for the seats with the highest score, nothing for the others.

    A player alone has all of it with a score above 0, half of it at 0, and none below.
    """
    if len(scores) == 1:
        return 0.5 + 0.5 * (int(scores[seat] > 0) - int(scores[seat] < 0))
    equals = 0
    for other in scores:
        if other > scores[seat]:
            return 0.0
        equals += int(other == scores[seat])
    return 1.0 / equals


def win_reward(share: float, num_players: int, team: int = 1) -> float:
    """The reward of a seat with this part of the victory: 1 for all that a side can have, the same loss for all without
    any; sum 0. `team` are the players of a side, who share what it wins. Alone it is +1 to -1.
    """
    if num_players == 1:
        return 2.0 * share - 1.0
    return (share * num_players - 1.0) / (num_players / team - 1.0)


def share_of(reward: float, num_players: int, team: int = 1) -> float:
    """The part of the victory that pays this `win_reward`, 0 to 1.

    A reward may be a little beyond those that are paid, as -1/3 in float32 is, or further, as what a network expects.
    """
    if num_players == 1:
        return min(1.0, max(0.0, (reward + 1.0) / 2.0))
    return min(1.0, max(0.0, (reward * (num_players / team - 1.0) + 1.0) / num_players))


def won_by_side(reward: float, num_players: int, team: int = 1) -> float:
    """The part of the victory that the side of a seat with this `win_reward` has, 0 to 1."""
    return team * share_of(reward, num_players, team)


# The same for compiled code; Python calls those above.
victory_share_rule, win_reward_rule, share_of_rule = rule(victory_share), rule(win_reward), rule(share_of)


def win_rewards(scores: Sequence[int], team: int = 1) -> list[float]:
    """Victory, shared by the k best of n: (n / k - 1) / (n - 1) for each of them, -1 / (n - 1) for the others.

    A sole winner has +1, the sum is 0.
    """  # with `team` players on a side, who have equal scores, each of the winning side has +1 (`win_reward`)
    count = len(scores)
    numbers = np.asarray(scores, np.int32)
    return [win_reward(victory_share(numbers, seat), count, team) for seat in range(count)]


def rank_rewards(scores: Sequence[int]) -> list[float]:
    """+1 for the first place, -1 for the last, evenly spaced; equal scores have the mean of their places; sum 0."""
    others = len(scores) - 1
    if others == 0:
        return win_rewards(scores)  # a player alone, by the sign of the score
    return [(sum(own > other for other in scores) - sum(own < other for other in scores)) / others for own in scores]
