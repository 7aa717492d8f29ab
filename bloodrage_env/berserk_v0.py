"""Berserk as a PettingZoo module: `env`, `raw_env` and `parallel_env`."""

from typing import Any, Final

from pettingzoo.utils import ParallelEnv

from . import games
from .core.api.env import GameEnv, Observation, ParallelGame

__all__ = ["env", "parallel_env", "raw_env"]

GAME: Final = "berserk"


def env(*, mode: str = games.PLAIN, **options: Any) -> GameEnv:
    """Return an environment of Berserk.

    Parameters
    ----------
    mode : {"duel", "team", "laar"}
        "duel": two players. "team": four players in two teams. "laar": the Battle for Laar, for two players or, with
        `num_players=1`, for one.
    **options
        Arguments of `GameEnv` and fields of `bloodrage_env.games.berserk.options.Options`.

    Returns
    -------
    GameEnv
        The environment of the mode.

    Raises
    ------
    ValueError
        Another mode, or a value that is out of range.
    TypeError
        An unknown option, or an option of another type.

    Examples
    --------
    >>> from bloodrage_env import berserk_v0
    >>> env = berserk_v0.env(reward="win")
    >>> env.reset(seed=1)
    >>> env.agents
    ['player_0', 'player_1']
    """
    return games.environment(games.in_mode(GAME, mode))(**options)


raw_env = env  # what PettingZoo adds in wrappers, checks of actions and of the order of calls, is in the environment


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
    >>> from bloodrage_env import berserk_v0
    >>> env = berserk_v0.parallel_env()
    >>> observations, infos = env.reset(seed=1)
    >>> sorted(observations)
    ['player_0', 'player_1']
    """
    return ParallelGame(env(**options))
