"""Blood Rage as a PettingZoo module: `env`, `raw_env` and `parallel_env`."""

from typing import Any

from pettingzoo.utils import ParallelEnv

from .core.api.env import ParallelGame
from .games.bloodrage.env import BloodRage, Observation

__all__ = ["env", "parallel_env", "raw_env"]

# One and the same: what PettingZoo adds in wrappers, checks of actions and of the order of calls, is in the class.
raw_env = BloodRage
env = BloodRage


def parallel_env(**options: Any) -> ParallelEnv[str, Observation, int | None]:
    """Return PettingZoo's parallel form of `env`, in which one seat acts at a time.

    Parameters
    ----------
    **options
        The arguments of `env`.

    Returns
    -------
    ParallelEnv
        `step` uses the action of the seat to move and ignores the others. The masks of the other seats are all zero.

    Examples
    --------
    >>> from bloodrage_env import bloodrage_v0
    >>> env = bloodrage_v0.parallel_env(num_players=2)
    >>> observations, infos = env.reset(seed=1)
    >>> [agent for agent, seen in observations.items() if seen["action_mask"].any()]
    ['player_1']
    """
    return ParallelGame(BloodRage(**options))
