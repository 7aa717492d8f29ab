"""The protocol of agents: what an agent receives and returns.

An agent is asked for one action at a time. It sees only what its seat can know, never the state of the game. Most
agents receive the observation vector. An agent with `sees = "view"` receives a `View` instead: the same knowledge as a
record of the engine, with redeals of the game for search.
"""

import hashlib
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from bloodrage_env import games
from bloodrage_env.core.compile.decorators import Records
from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.encoding import as_json

Vector = npt.NDArray[np.float32]
ActionMask = npt.NDArray[np.int8]


class View:
    """The information set of one seat.

    Parameters
    ----------
    record : ndarray
        An array of one record of the game's state, in which `Game.hide` has blanked what the seat cannot know. Two
        games that the seat cannot distinguish have equal views.
    seat : int
        0 to num_players - 1.
    game : str
        The name of the game.

    Examples
    --------
    >>> from bloodrage_agents.base import View
    >>> from bloodrage_env import games
    >>> states = games.game("bloodrage").new_game(1, games.options_from("bloodrage", num_players=2))
    >>> view = View.of(states, 0, int(states[0].seat))
    >>> view.observation().shape, view.redeal(seed=3).shape
    ((3292,), (1,))
    """

    def __init__(self, record: Records, seat: int, game: str = games.FIRST) -> None:
        self.record = record
        self.seat = seat
        self.game = game

    @classmethod
    def of(cls, states: Records, index: int, seat: int, game: str = games.FIRST) -> "View":
        """Return the view of a seat.

        Parameters
        ----------
        states : ndarray
            An array of games.
        index : int
            One of them.
        seat : int
            0 to num_players - 1.
        game : str
            The name of the game.

        Returns
        -------
        View
            The view.
        """
        return cls(games.game(game).hide(states, index, seat), seat, game)

    def redeal(self, seed: int) -> Records:
        """Return a game in which the hidden cards are sampled.

        Parameters
        ----------
        seed : int
            0 to 2**63 - 1.

        Returns
        -------
        ndarray
            An array of one record.
        """
        return games.game(self.game).redeal(self.record, 0, self.seat, seed)

    def observation(self) -> Vector:
        """Return the observation vector, float32[OBSERVATION_SIZE]."""
        game = games.game(self.game)
        vector = np.zeros(game.observation_size, np.float32)
        game.observe.observe(self.record, 0, self.seat, vector)
        return vector


class Agent:
    """Base class of the shipped agents. A plug-in can inherit from it, or define the same methods (`AgentLike`).

    An object plays one seat of one game at a time; `reset` is called before each game. All random numbers must come
    from the `rng` that `act` receives, so that games are reproducible. With `sees = "view"`, `act` receives a `View`.

    Examples
    --------
    >>> from bloodrage_agents.base import Agent
    >>> class First(Agent):
    ...     def act(self, observation, action_mask, rng):
    ...         return int(action_mask.argmax())
    """

    sees: ClassVar[Literal["observation", "view"]] = "observation"
    waits: ClassVar[bool] = False  # True for an agent that waits for a service most of the time

    def reset(self, seat: int, options: GameOptions) -> None:
        """Prepare for a new game.

        Parameters
        ----------
        seat : int
            0 to num_players - 1.
        options : GameOptions
            The options of the game; `options.game` is its name.
        """

    def act(self, observation: Any, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """Return a legal action.

        Parameters
        ----------
        observation : ndarray or View
            float32[OBSERVATION_SIZE], or a `View` for an agent with `sees = "view"`. A copy, which the agent can
            change.
        action_mask : ndarray
            int8[NUM_ACTIONS], 1 for a legal action. A copy.
        rng : numpy.random.Generator
            The generator of the seat.

        Returns
        -------
        int
            An action id, also as a NumPy integer.
        """
        raise NotImplementedError


@runtime_checkable
class AgentLike(Protocol):
    """The methods that an agent must have. A plug-in can omit `sees` and `reset` (`registry.py`).

    Examples
    --------
    >>> from bloodrage_agents import registry
    >>> from bloodrage_agents.base import AgentLike
    >>> isinstance(registry.make("random"), AgentLike)
    True
    """

    def act(self, observation: Any, action_mask: ActionMask, rng: np.random.Generator) -> int:
        """See `Agent.act`."""
        ...


def agent_rng(*facts: int | str) -> np.random.Generator:
    """Return a generator that follows from facts, but does not reveal them.

    An agent can read the seed of its generator (`rng.bit_generator.seed_seq`), so the seed is a hash of `facts`.

    Parameters
    ----------
    *facts : int or str
        Such as the seed of the game and the seat.

    Returns
    -------
    numpy.random.Generator
        The generator.

    Examples
    --------
    >>> from bloodrage_agents.base import agent_rng
    >>> bool(agent_rng(1, 0).random() == agent_rng(1, 0).random())
    True
    """
    digest = hashlib.sha256(as_json(["agent", *facts]).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest))


def draw_seed(rng: np.random.Generator) -> int:
    """Return a seed for `View.redeal` or a compiled function.

    Parameters
    ----------
    rng : numpy.random.Generator
        The generator.

    Returns
    -------
    int
        0 to 2**63 - 1.

    Examples
    --------
    >>> from bloodrage_agents.base import agent_rng, draw_seed
    >>> 0 <= draw_seed(agent_rng(1)) < 2**63
    True
    """
    return int(rng.integers(MAX_SEED))
