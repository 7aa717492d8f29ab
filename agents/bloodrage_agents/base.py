"""The protocol: what an agent is given, and what it gives back.

An agent is asked for one action at a time and sees what its seat may know, never the state of the game. Most agents
are given the observation vector; one that says `sees = "view"` is given a `View` in its place: the same knowledge as
a record of the engine, and redeals of the game for its seat, which is what search needs.
"""

import hashlib
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from bloodrage_env import games
from bloodrage_env.core.chance import MAX_SEED
from bloodrage_env.core.compiled import Records
from bloodrage_env.core.options import GameOptions
from bloodrage_env.encoding import as_json

Vector = npt.NDArray[np.float32]
ActionMask = npt.NDArray[np.int8]


class View:
    """What one seat knows of a game: `record` is an array of one record of the game's state, hidden cards blanked.

    `hide` of the game says what is blanked. Nothing in it differs between two games that the seat can't tell apart.
    `game` is the name of the game it is of.
    """

    def __init__(self, record: Records, seat: int, game: str = games.FIRST) -> None:
        self.record = record
        self.seat = seat
        self.game = game

    @classmethod
    def of(cls, states: Records, index: int, seat: int, game: str = games.FIRST) -> "View":
        """What `seat` knows of game `index`."""
        return cls(games.game(game).hide(states, index, seat), seat, game)

    def redeal(self, seed: int) -> Records:
        """A game that could be the true one, all that is hidden drawn from `seed` (0 to 2**63 - 1); `Game.redeal`."""
        return games.game(self.game).redeal(self.record, 0, self.seat, seed)

    def observation(self) -> Vector:
        """float32[OBSERVATION_SIZE]: the vector that other agents are given."""
        game = games.game(self.game)
        vector = np.zeros(game.observation_size, np.float32)
        game.observe.observe(self.record, 0, self.seat, vector)
        return vector


class Agent:
    """Base of the agents here. A plug-in may inherit from it, or just have the same methods (`AgentLike`).

    One object plays one seat of one game at a time; `reset` comes before each game. All chance must come from the
    `rng` that it is given, so that a game can be played again.
    """

    sees: ClassVar[Literal["observation", "view"]] = "observation"

    def reset(self, seat: int, options: GameOptions) -> None:
        """A new game begins, which the agent plays from `seat`; `options.game` is the name of the game."""

    def act(self, observation: Any, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """The id of a legal action.

        `observation` is float32[OBSERVATION_SIZE], or a `View` for an agent with `sees = "view"`; `action_mask`
        int8[NUM_ACTIONS], 1 for legal. Both belong to the agent.
        """
        raise NotImplementedError


@runtime_checkable
class AgentLike(Protocol):
    """All that an agent must have. `sees` and `reset` may be left out by a plug-in: see `registry.py`."""

    def act(self, observation: Any, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """See `Agent.act`."""
        ...


def agent_rng(*facts: int | str) -> np.random.Generator:
    """A generator for an agent, which follows from the facts, such as the seed of the game, and does not tell them.

    What numpy seeds it with can be read by the agent, as `rng.bit_generator.seed_seq`: here a hash.
    """
    digest = hashlib.sha256(as_json(["agent", *facts]).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest))


def draw_seed(rng: np.random.Generator) -> int:
    """A seed for `View.redeal` or a compiled function, from an agent's `rng`."""
    return int(rng.integers(MAX_SEED))
