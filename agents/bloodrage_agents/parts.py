"""The parts of a game that are its agents', by the name of the game; each is imported when it is first asked for.

Each raises UserError for a game that has no such part.
"""

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from bloodrage_env import games
from bloodrage_env.core.compiled import Ints, Records

from .shipped import AgentTable, Shipped
from .styles import RANDOM

if TYPE_CHECKING:
    from .forward import Forward
    from .mcts.tree import Grow
    from .open_seats import OpenSeats

# Adds to `sums` what each of some actions of a seat comes to, in the redeals `first` to `first + count - 1`:
# (states, index, seat, seed, first, count, actions, sums).
RollOut = Callable[[Records, int, int, int, int, int, Ints, npt.NDArray[np.float64]], None]

ANY_GAME: Final = {
    "random": Shipped("bloodrage_agents.random:RandomAgent", "every legal action is equally likely"),
    "human": Shipped("bloodrage_agents.human:Human", "a person in the terminal"),
}


def table(game: str) -> AgentTable:
    """Its agents by name; of a game without a table those that play any game."""
    spec = games.spec(game)
    found: AgentTable = spec.load("agents") if spec.has("agents") else AgentTable(ANY_GAME, "random")
    return found


def styles(game: str) -> dict[str, int]:
    """The agents that play in compiled code, with the numbers of their styles."""
    return {"random": RANDOM} | {name: style for style, name in enumerate(table(game).styles)}


def open_seats(game: str) -> "OpenSeats":
    """Games with open seats, compiled."""
    found: OpenSeats = games.spec(game).load("open_seats")
    return found


def forward(game: str) -> "Forward":
    """Its network, compiled."""
    found: Forward = games.spec(game).load("forward")
    return found


def roll_out(game: str) -> RollOut:
    """Rollouts, compiled."""
    found: RollOut = games.spec(game).load("rollout")
    return found


def grow(game: str) -> "Grow":
    """Its tree search, compiled."""
    found: Grow = games.spec(game).load("tree")
    return found


def policy(game: str) -> Path:
    """The file of the policy that is used where no path is given."""
    package, _, path = games.spec(game).place("policy")
    return Path(str(resources.files(package))) / path


def folder(game: str) -> Path:
    """Where the sources of its agents are; where it has none of its own, that of the agents of any game."""
    spec = games.spec(game)
    package = spec.place("agents")[0].rpartition(".")[0] if spec.has("agents") else __package__
    return Path(str(resources.files(package)))
