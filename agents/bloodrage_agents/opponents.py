"""Who plays the seats that no person plays."""

from collections.abc import Callable
from typing import Final

import numpy as np

from bloodrage_env.engine import States
from bloodrage_env.errors import UserError
from bloodrage_env.notation import CLANS
from bloodrage_env.options import Options

from . import match, registry
from .base import AgentLike, agent_rng

DEFAULT: Final = "balanced"  # who plays the other seats

Opponent = Callable[[States], int]  # from the game, where its seat is to act, to an action
OneOfMany = Callable[[States, int], int]  # the same, from an array of games and the index of one


def line_up(asked: str | None, seat: int, num_players: int) -> dict[int, str]:
    """The agent of each other seat, from one spec or one for each. Raises UserError for a number that does not fit."""
    specs = [registry.canonical(spec) for spec in registry.split(asked or DEFAULT)]
    others = [other for other in range(num_players) if other != seat]
    if len(specs) not in (1, len(others)):
        raise UserError(f"there are {len(others)} opponents: name one agent for all, or {len(others)}")
    return dict(zip(others, specs * len(others), strict=False))


def opponent(spec: str, seat: int, seed: int, options: Options) -> Opponent:
    """An agent at a seat of a game. It raises UserError, now or later, if it can't go on."""
    act = seated(registry.make(spec), f"{CLANS[seat]} ({spec})", seat, options, agent_rng(seed, seat))
    return lambda states: act(states, 0)


def seated(agent: AgentLike, name: str, seat: int, options: Options, rng: np.random.Generator) -> OneOfMany:
    """An agent that begins a game at a seat; whatever goes wrong, now or later, is a UserError with this name."""
    try:
        match.reset(agent, seat, options)
    except match.Forfeit as fault:
        raise UserError(f"{name} can't play: {fault}") from None

    def act(states: States, game: int) -> int:
        try:
            return match.ask(agent, states, game, seat, rng)
        except match.Forfeit as fault:
            raise UserError(f"{name} can't go on: {fault}") from None

    return act
