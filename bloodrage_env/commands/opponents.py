"""Who plays the seats that no person plays: agents, where they are installed, or else random moves."""

import importlib
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from ..engine.compiled import States
from ..errors import UserError
from ..notation import CLANS
from .common import random_action

DEFAULT: Final = "balanced"  # who plays the other seats
CHECKOUT: Final = Path(__file__).resolve().parents[2]

Opponent = Callable[[States], int]  # from the game, where its seat is to act, to an action


def has_agents() -> bool:
    """Whether there are agents to play against: this package may be installed alone."""
    if (CHECKOUT / "agents" / "registry.py").is_file() and str(CHECKOUT) not in sys.path:
        sys.path.append(str(CHECKOUT))  # an installed command looks for modules in the installed packages only
    try:
        importlib.import_module("agents.registry")
    except ModuleNotFoundError as error:
        if error.name not in ("agents", "agents.registry"):
            raise
        return False
    return True


def repository_module(name: str) -> Any:
    """A module of `agents` or `training`, which come with the repository. Raises UserError where it is not here."""
    if not has_agents():
        raise UserError("agents, tournaments and training come with the project's repository, which is not here")
    return importlib.import_module(name)


def line_up(asked: str | None, seat: int, num_players: int) -> dict[int, str]:
    """The agent of each other seat, from the option `--opponents`. Raises UserError for a number that does not fit."""
    if not has_agents():
        if asked not in (None, "random"):
            raise UserError(f"there is nobody to play {asked[:40]}: the agents come with the project's repository")
        specs = ["random"]
    else:
        from agents import registry

        specs = [registry.canonical(spec) for spec in registry.split(asked or DEFAULT)]
    others = [other for other in range(num_players) if other != seat]
    if len(specs) not in (1, len(others)):
        raise UserError(f"there are {len(others)} opponents: --opponents takes one agent for all, or {len(others)}")
    return dict(zip(others, specs * len(others), strict=False))


def opponent(spec: str, seat: int, seed: int, num_players: int, first_game: bool) -> Opponent:
    """An agent at a seat of a game. It raises UserError, now or later, if it can't go on."""
    if not has_agents():
        chance = random.Random(seed)
        return lambda states: random_action(states, chance)
    from agents import match, registry
    from agents.base import GameOptions, agent_rng

    agent, rng = registry.make(spec), agent_rng(seed, seat)
    try:
        match.reset(agent, seat, GameOptions(num_players, first_game, skip_forced=False))
    except match.Forfeit as fault:
        raise UserError(f"{CLANS[seat]} ({spec}) can't play: {fault}") from None

    def act(states: States) -> int:
        try:
            return match.ask(agent, states, 0, seat, rng)
        except match.Forfeit as fault:
            raise UserError(f"{CLANS[seat]} ({spec}) can't go on: {fault}") from None

    return act
