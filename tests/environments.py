"""The environments for PettingZoo of every game and mode, by its name, as a user makes them."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from bloodrage_env import berserk_v0, bloodrage_v0, games


class Makers(NamedTuple):
    """The functions of a module such as `berserk_v0`, with the mode."""

    env: Callable[..., Any]
    raw_env: Callable[..., Any]
    parallel_env: Callable[..., Any]


def _of(module: Any, **mode: str) -> Makers:
    return Makers(*(partial(getattr(module, name), **mode) for name in Makers._fields))


PETTINGZOO: Final = {"bloodrage": _of(bloodrage_v0)} | {
    games.in_mode("berserk", mode): _of(berserk_v0, mode=mode) for mode in games.modes("berserk")
}
