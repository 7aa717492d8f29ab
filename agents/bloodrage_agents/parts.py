"""The parts of a game that its agents provide, by the name of the game. A part is imported when it is first used.

Each function raises UserError for a game without such a part.
"""

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bloodrage_env import games

from .shipped import HUMAN, LLM, AgentTable, Shipped
from .styles import RANDOM

if TYPE_CHECKING:
    from .forward import Forward
    from .mcts.tree import Grow
    from .open_seats import OpenSeats
    from .rollouts import RollOut

ANY_GAME: Final = {
    "random": Shipped("bloodrage_agents.random:RandomAgent", "every legal action is equally likely"),
    "human": HUMAN,
    "llm": LLM,
}


def table(game: str) -> AgentTable:
    """Returns the agents of a game by name. A game without a table has the agents that can play any game."""
    spec = games.spec(game)
    found: AgentTable = spec.load("agents") if spec.has("agents") else AgentTable(ANY_GAME, "random")
    return found


def styles(game: str) -> dict[str, int]:
    """Returns the agents with compiled play, with the numbers of their styles."""
    return {"random": RANDOM} | {name: style for style, name in enumerate(table(game).styles)}


def open_seats(game: str) -> "OpenSeats":
    """Returns the compiled functions for games with open seats."""
    found: OpenSeats = games.spec(game).load("open_seats")
    return found


def forward(game: str) -> "Forward":
    """Returns the compiled network of a game."""
    found: Forward = games.spec(game).load("forward")
    return found


def roll_out(game: str) -> "RollOut":
    """Returns the compiled rollouts of a game."""
    found: RollOut = games.spec(game).load("rollout")
    return found


def grow(game: str) -> "Grow":
    """Returns the compiled tree search of a game."""
    found: Grow = games.spec(game).load("tree")
    return found


def policy(game: str) -> Path:
    """Returns the file of the policy that is used where no path is given."""
    package, _, path = games.spec(game).place("policy")
    return Path(str(resources.files(package))) / path


def folder(game: str) -> Path:
    """Returns the folder of the agents' sources; without one, the folder of the agents for any game."""
    spec = games.spec(game)
    package = spec.place("agents")[0].rpartition(".")[0] if spec.has("agents") else __package__
    return Path(str(resources.files(package)))
