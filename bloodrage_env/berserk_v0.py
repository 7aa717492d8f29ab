"""Berserk as a PettingZoo module: `env`, `raw_env` and `parallel_env`."""

from typing import Any, Final

from pettingzoo.utils import ParallelEnv

from . import games
from .core.api.env import GameEnv, Observation, ParallelGame

__all__ = ["env", "parallel_env", "raw_env"]

GAME: Final = "berserk"


def env(*, mode: str = games.PLAIN, **options: Any) -> GameEnv:
    """Return an environment for two players; with `mode="team"` for four players in two teams, with `mode="laar"` for
    the Battle for Laar, for two players or, with `num_players=1`, for one.

    `options` are those of `bloodrage_env.games.berserk.env.Berserk`. Raise ValueError for another mode.
    """
    return games.environment(games.in_mode(GAME, mode))(**options)


raw_env = env  # what PettingZoo adds in wrappers, checks of actions and of the order of calls, is in the environment


def parallel_env(**options: Any) -> ParallelEnv[str, Observation, int | None]:
    """Return PettingZoo's parallel form, in which one seat acts at a time; `options` are those of `env`.

    `step` uses the action of the seat to move and ignores the others. The masks of the other seats are all zero.
    """
    return ParallelGame(env(**options))
