"""The parts of a game that its agents provide, by the name of the game. A part is imported when it is first used.

Each function raises UserError for a game without such a part.
"""

import importlib
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from bloodrage_env import games

from .shipped import BUDGET, BUDGET_NAMES, HUMAN, LLM, AgentTable, Argument, Shipped
from .styles import RANDOM

if TYPE_CHECKING:
    from bloodrage_env.study import Studied

    from .forward import Forward
    from .mcts.tree import Grow
    from .open_seats import OpenSeats
    from .rollouts import RollOut

EXPLORATION: Final = Argument("exploration", "weight of actions with few visits", float, 0.7, 0, 100)


def any_game(game: str) -> dict[str, Shipped]:
    """Return the agents that can play any game, for its table. The searches need `Game.redeal`."""
    fixed = MappingProxyType({"game": game})
    said = "flat Monte Carlo: tries every action in sampled deals", "Monte Carlo tree search over information sets"
    flat = Shipped("bloodrage_agents.flat:Flat", said[0], BUDGET, (BUDGET_NAMES,), fixed)
    tree = Shipped("bloodrage_agents.by_rules:RulesIsmcts", said[1], (*BUDGET, EXPLORATION), (BUDGET_NAMES,), fixed)
    return {
        "random": Shipped("bloodrage_agents.random:RandomAgent", "every legal action is equally likely"),
        "flat": flat,
        "ismcts": tree,
        "human": HUMAN,
        "llm": LLM,
    }


def table(game: str) -> AgentTable:
    """Return the agents of a game by name. A game without a table has the agents that can play any game."""
    spec = games.spec(game)
    found: AgentTable = spec.load("agents") if spec.has("agents") else AgentTable(any_game(game), "random")
    return found


def styles(game: str) -> dict[str, int]:
    """Return the agents with compiled play, with the numbers of their styles."""
    return {"random": RANDOM} | {name: style for style, name in enumerate(table(game).styles)}


def open_seats(game: str) -> "OpenSeats":
    """Return the compiled functions for games with open seats."""
    found: OpenSeats = games.spec(game).load("open_seats")
    return found


def forward(game: str) -> "Forward":
    """Return the compiled network of a game."""
    found: Forward = games.spec(game).load("forward")
    return found


def roll_out(game: str) -> "RollOut":
    """Return the rollouts of a game: compiled ones, or without them those by its rules (`by_rules.py`)."""
    spec = games.spec(game)
    found: RollOut = spec.load("rollout") if spec.has("rollout") else _by_rules("roll_out_of", game)
    return found


def study(game: str) -> "Studied":
    """Return the study of a game: its own, or without one that by its rules (`by_rules.py`)."""
    found: Studied = games.study(game) if games.spec(game).has("study") else _by_rules("study_of", game)
    return found


def _by_rules(name: str, game: str) -> Any:
    """Return what a function of `by_rules.py` makes, which imports this module."""
    return getattr(importlib.import_module("bloodrage_agents.by_rules"), name)(game)


def grow(game: str) -> "Grow":
    """Return the compiled tree search of a game."""
    found: Grow = games.spec(game).load("tree")
    return found


def policy(game: str) -> Path:
    """Return the file of the policy that is used where no path is given."""
    package, _, path = games.spec(game).place("policy")
    return Path(str(resources.files(package))) / path


def folders(game: str) -> list[Path]:
    """Return the folders of the agents' sources: those of the package of the game, and that of agents for any game."""
    spec = games.spec(game)
    package = spec.place("agents")[0].rpartition(".")[0] if spec.has("agents") else __package__
    return [Path(__file__).parent, *map(Path, importlib.import_module(package).__path__)]
