"""The reward of each seat at the end of a game, from the scores of all: the most wins."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..compile.decorators import Scores, rule

ILLEGAL_REWARD: Final = -1.0  # of a seat that ends the game by an illegal action


def victory_share(scores: Scores, seat: int) -> float:
    """Return a seat's share of the victory: equal parts for the seats with the highest score, 0 for the others.

    Parameters
    ----------
    scores : ndarray
        int32[seats].
    seat : int
        The seat.

    Returns
    -------
    float
        0 to 1. A player alone has 1 with a score above 0, 0.5 at 0, 0 below.

    Examples
    --------
    >>> import numpy as np
    >>> from bloodrage_env.core.engine.rewards import victory_share
    >>> victory_share(np.array([7, 7, 3], np.int32), 0)
    0.5
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
    """Return the reward `win` of a seat. The sum over the seats is 0.

    Parameters
    ----------
    share : float
        The seat's share of the victory, 0 to 1.
    num_players : int
        Number of players.
    team : int
        Players of a side, who share what it wins.

    Returns
    -------
    float
        1 for all that a side can have, the same loss for each seat without any; of a player alone +1 to -1.

    Examples
    --------
    >>> from bloodrage_env.core.engine.rewards import win_reward
    >>> win_reward(1.0, 4), win_reward(0.0, 4)
    (1.0, -0.3333333333333333)
    """
    if num_players == 1:
        return 2.0 * share - 1.0
    return (share * num_players - 1.0) / (num_players / team - 1.0)


def share_of(reward: float, num_players: int, team: int = 1) -> float:
    """Return the share of the victory that pays a `win_reward`.

    Parameters
    ----------
    reward : float
        It may be a little beyond those that are paid, as -1/3 in float32 is, or further, as what a network expects.
    num_players : int
        Number of players.
    team : int
        Players of a side.

    Returns
    -------
    float
        0 to 1.

    Examples
    --------
    >>> from bloodrage_env.core.engine.rewards import share_of
    >>> share_of(0.0, 4), share_of(1.0, 4)
    (0.25, 1.0)
    """
    if num_players == 1:
        return min(1.0, max(0.0, (reward + 1.0) / 2.0))
    return min(1.0, max(0.0, (reward * (num_players / team - 1.0) + 1.0) / num_players))


def won_by_side(reward: float, num_players: int, team: int = 1) -> float:
    """Return the share of the victory that the side of a seat with this `win_reward` has.

    Parameters
    ----------
    reward : float
        The reward of a seat.
    num_players : int
        Number of players.
    team : int
        Players of a side.

    Returns
    -------
    float
        0 to 1.

    Examples
    --------
    >>> from bloodrage_env.core.engine.rewards import won_by_side
    >>> won_by_side(1.0, 4, team=2)
    1.0
    """
    return team * share_of(reward, num_players, team)


# The same for compiled code; Python calls those above.
victory_share_rule, win_reward_rule, share_of_rule = rule(victory_share), rule(win_reward), rule(share_of)


def win_rewards(scores: Sequence[int], team: int = 1) -> list[float]:
    """Return rewards for the victory, which equals share; the sum is 0.

    Parameters
    ----------
    scores : sequence of int
        The score of each seat.
    team : int
        Players of a side, who have equal scores; each of a winning side has +1.

    Returns
    -------
    list of float
        (n / k - 1) / (n - 1) for the k best of n, -1 / (n - 1) for the others. A sole winner has +1.

    Examples
    --------
    >>> from bloodrage_env.core.engine.rewards import win_rewards
    >>> win_rewards([10, 30, 20])
    [-0.5, 1.0, -0.5]
    """
    count = len(scores)
    numbers = np.asarray(scores, np.int32)
    return [win_reward(victory_share(numbers, seat), count, team) for seat in range(count)]


def rank_rewards(scores: Sequence[int]) -> list[float]:
    """Return rewards for the place; the sum is 0.

    Parameters
    ----------
    scores : sequence of int
        The score of each seat.

    Returns
    -------
    list of float
        +1 for the first place, -1 for the last, evenly spaced; equal scores have the mean of their places.

    Examples
    --------
    >>> from bloodrage_env.core.engine.rewards import rank_rewards
    >>> rank_rewards([10, 30, 20])
    [-1.0, 1.0, 0.0]
    """
    others = len(scores) - 1
    if others == 0:
        return win_rewards(scores)  # a player alone, by the sign of the score
    return [(sum(own > other for other in scores) - sum(own < other for other in scores)) / others for own in scores]
