"""The module that PettingZoo's ways of use expect, for Berserk: `env`, `raw_env` and `parallel_env`."""

from typing import Any

from pettingzoo.utils import ParallelEnv

from .core.env import ParallelGame
from .games.berserk.env import Berserk, Observation

__all__ = ["env", "parallel_env", "raw_env"]

# One and the same: what PettingZoo adds in wrappers, checks of actions and of the order of calls, is in the class.
raw_env = Berserk
env = Berserk


def parallel_env(**options: Any) -> ParallelEnv[str, Observation, int | None]:
    """PettingZoo's parallel form, in which one seat acts at a time; `options` are those of `env`.

    Of the actions given to its `step` only that of the seat to move counts; the other's mask is all zero.
    """
    return ParallelGame(Berserk(**options))
