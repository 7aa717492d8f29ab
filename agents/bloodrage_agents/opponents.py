"""Who plays the seats that no person plays."""

from collections.abc import Callable

import numpy as np

from bloodrage_env import games
from bloodrage_env.core.compiled import Records
from bloodrage_env.core.options import GameOptions
from bloodrage_env.errors import UserError

from . import match, registry
from .base import AgentLike, agent_rng

Opponent = Callable[[Records], int]  # from the game, where its seat is to act, to an action
OneOfMany = Callable[[Records, int], int]  # the same, from an array of games and the index of one


def line_up(asked: str | None, seat: int, options: GameOptions) -> dict[int, str]:
    """The agent of each other seat, from one spec or one for each; None: the game's default.

    Raises UserError for a number that does not fit.
    """
    listed = registry.split(asked or registry.default(options.game))
    specs = [registry.canonical(spec, options.game) for spec in listed]
    others = [other for other in range(options.num_players) if other != seat]
    if len(specs) not in (1, len(others)):
        raise UserError(f"there are {len(others)} opponents: name one agent for all, or {len(others)}")
    return dict(zip(others, specs * len(others), strict=False))


def everybody(asked: str | None, options: GameOptions) -> list[str]:
    """The agent of each seat, from one spec or one for each; None: those of a demo.

    Raises UserError for a number that does not fit.
    """
    seats = options.num_players
    listed = registry.split(asked) if asked else registry.demo(options.game)[:seats]
    specs = [registry.canonical(spec, options.game) for spec in listed]
    if len(specs) not in (1, seats):
        raise UserError(f"there are {seats} seats: name one agent for all, or {seats}")
    return (specs * seats)[:seats]


def opponent(spec: str, seat: int, seed: int, options: GameOptions) -> Opponent:
    """An agent at a seat of a game. It raises UserError, now or later, if it can't go on."""
    name = f"{games.presentation(options.game).seats[seat]} ({spec})"
    act = seated(registry.make(spec, options.game), name, seat, options, agent_rng(seed, seat))
    return lambda states: act(states, 0)


def seated(agent: AgentLike, name: str, seat: int, options: GameOptions, rng: np.random.Generator) -> OneOfMany:
    """An agent that begins a game at a seat; whatever goes wrong, now or later, is a UserError with this name."""
    try:
        match.reset(agent, seat, options)
    except match.Forfeit as fault:
        raise UserError(f"{name} can't play: {fault}") from None

    def act(states: Records, index: int) -> int:
        try:
            return match.ask(agent, states, index, seat, rng, options.game)
        except match.Forfeit as fault:
            raise UserError(f"{name} can't go on: {fault}") from None

    return act
