"""The rewards of Blood Rage by name: what is paid when the game ends."""

from collections.abc import Callable, Sequence
from typing import Final

from ...core.engine.rewards import rank_rewards, win_rewards

MARGIN_UNIT: Final = 100.0  # points of glory that are worth a reward of 1


def margin_rewards(scores: Sequence[int]) -> list[float]:
    """Own glory less the best of the others', in hundreds; zero-sum for two players only."""
    best = [max(other for j, other in enumerate(scores) if j != i) for i in range(len(scores))]
    return [(own - other) / MARGIN_UNIT for own, other in zip(scores, best, strict=True)]


REWARDS: Final[dict[str, Callable[[Sequence[int]], list[float]]]] = {
    "win": win_rewards,
    "rank": rank_rewards,
    "margin": margin_rewards,
}
