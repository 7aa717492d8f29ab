"""A game as a PettingZoo AEC environment: seats become agents, scores become rewards.

PettingZoo uses wrappers to end the game after illegal actions and to refuse calls out of order. Here the environment
does this, because three wrappers would take more time than the game. A step is one compiled call, which writes the next
observation and mask into new arrays that belong to the caller.
"""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper
from pettingzoo.utils.env import AECIterable
from pettingzoo.utils.env_logger import EnvLogger

from ..compile.decorators import direct
from ..engine.chance import MAX_SEED
from ..engine.flow import GAME_OVER, ILLEGAL
from ..engine.game import Game
from ..engine.numbers import INT8, UINT8, as_id, checked_seed, observation_type
from ..engine.options import GameOptions
from ..engine.rewards import ILLEGAL_REWARD
from ..engine.spec import GameSpec
from .keywords import refuse_unknown
from .true_copies import TrueCopies

if TYPE_CHECKING:
    from ..shown.structs import Structs

NOBODY: Final = -1  # no seat is to move

Mask: TypeAlias = npt.NDArray[np.int8]
Seen: TypeAlias = npt.NDArray[np.float32 | np.uint8]


class Observation(TypedDict):
    """What `observe` returns.

    Examples
    --------
    >>> from bloodrage_env import bloodrage_v0
    >>> env = bloodrage_v0.env(num_players=2)
    >>> env.reset(seed=1)
    >>> {name: (each.dtype.name, each.shape) for name, each in env.observe("player_0").items()}
    {'observation': ('float32', (3292,)), 'action_mask': ('int8', (301,))}
    """

    observation: Seen
    action_mask: Mask


class GameEnv(TrueCopies, AECEnv[str, Observation, int | None]):
    """A PettingZoo AEC environment with the agents `player_0`, `player_1`, ... in clockwise order.

    A subclass sets `game` and `spec`, the object that registers it.

    The game ends for all agents at the same time. An illegal action of any type ends the game: the reward is -1 for
    the agent and 0 for the others. One agent often has several decisions in a row. `copy.copy`, `copy.deepcopy` and
    pickle return independent copies at any time.

    Parameters
    ----------
    reward : str
        One of `game.rewards`. Rewards are 0 until the game ends. A game that is cut off (truncated) pays by its scores
        at that moment.
    render_mode : str, optional
        One of `metadata["render_modes"]`.
    observation_dtype : dtype
        float32 or uint8. With uint8, observations are counts; `counts * game.scales` are the float32 observations.
    **options
        The options of the game.

    Raises
    ------
    ValueError
        A value that is out of range.
    TypeError
        An unknown option, or an option of another type.

    Examples
    --------
    >>> from bloodrage_env import berserk_v0
    >>> env = berserk_v0.env()
    >>> env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.last()
    >>> env.step(int(info["action_mask"].argmax()))
    """

    game: ClassVar[Game]
    spec: ClassVar[GameSpec]
    agent_selection: str

    def __init__(
        self,
        *,
        reward: str = "win",
        render_mode: str | None = None,
        observation_dtype: npt.DTypeLike = np.float32,
        **options: Any,
    ) -> None:
        super().__init__()
        refuse_unknown(type(self), options, self.game.options)
        self.options = self.game.options(**options)
        if not isinstance(reward, str) or reward not in self.game.rewards:
            raise ValueError(f"reward must be one of {', '.join(self.game.rewards)}, not {reward!r}")
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"render_mode must be None or one of {', '.join(modes)}, not {render_mode!r}")
        self.num_players = self.options.num_players
        self.reward = reward
        self.render_mode = render_mode
        self._dtype = observation_type(observation_dtype)
        self._as_bytes = self._dtype == UINT8
        self._numbers = self.options.numbers()
        self.seed_used: int | None = None  # the seed of the game, None after set_state
        self.possible_agents = [f"player_{seat}" for seat in range(self.num_players)]
        self._size, self._num_actions = self.game.observation_size, self.game.num_actions
        self._observation_space = spaces.Dict(
            {
                "observation": self.game.observation_space(self._dtype),
                "action_mask": spaces.Box(0, 1, (self._num_actions,), np.int8),
            }
        )
        self._action_space = spaces.Discrete(self._num_actions)
        self.state_space = self.game.state_space(self.num_players, self._dtype)
        self._states = np.zeros(1, self.game.state)
        self._seat = NOBODY
        self._started = False  # reset has been called
        self._moved = False  # step has been called since agent_iter last asked
        self._vector: Seen | None = None  # the mover's observation, until it is handed out
        # For games for which reset is given no seed: what draws them, or the seed of what draws them, made when needed.
        self._seeds: np.random.Generator | int | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space, the same object for every agent.

        Parameters
        ----------
        agent : str
            Not used.

        Returns
        -------
        Dict
            `observation`: the space of the vector; `action_mask`: int8[num_actions].
        """
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space, the same object for every agent.

        Parameters
        ----------
        agent : str
            Not used.

        Returns
        -------
        Discrete
            `Discrete(game.num_actions)`.
        """
        return self._action_space

    # ---- the game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. `seed_used` is its seed.

        Parameters
        ----------
        seed : int, optional
            0 to 2**63 - 1; it decides all chance. Without one a seed is drawn. After a reset with a seed the drawn
            seeds follow from that seed.
        options : dict, optional
            Options for this game only. `num_players` and unknown keys are ignored.

        Raises
        ------
        TypeError, ValueError
            A seed or an option of another type, or out of range.
        """
        numbers = self._numbers_with(options) if options else self._numbers
        if seed is None:
            if isinstance(self._seeds, int):
                self._seeds = np.random.default_rng(self._seeds)
            # Without any seed no generator is kept: after a fork each process would draw the same from it.
            drawn = secrets.randbits(63) if self._seeds is None else self._seeds.integers(MAX_SEED, endpoint=True)
            self.seed_used = int(drawn)
        else:
            self.seed_used = self._seeds = checked_seed(seed)
        self.game.play.reset(self._states, 0, self.seed_used, numbers)
        self._take_up()

    def step(self, action: Any) -> None:
        """Apply an action of the agent to act. An illegal action ends the game.

        Parameters
        ----------
        action : int or None
            None for an agent whose game is over.

        Raises
        ------
        AssertionError
            `reset` has not been called.
        ValueError
            The agent's game is over, and the action is not None. After all agents have left, a warning is logged.
        """
        if self._seat < 0 or action is None:
            self._step_aside(action)
            return
        if action.__class__ is not int:
            action = as_id(action)
        vector = np.empty(self._size, self._dtype)
        mask = np.empty(self._num_actions, INT8)
        try:
            seat = self._answer(self._states, 0, action, vector, mask)
        except OverflowError:  # beyond 64 bits
            seat = ILLEGAL
        self._moved = True
        agent = self.agent_selection
        if seat != self._seat:
            if seat == ILLEGAL:
                self._end_illegally()
                return
            if seat == GAME_OVER:
                self._end()
                return
            self.infos[agent] = {"action_mask": self.game.no_actions}
            self._seat = seat
            agent = self.agent_selection = self.possible_agents[seat]
        self.infos[agent] = {"action_mask": mask}
        self._vector = vector

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return what the agent to act needs.

        Parameters
        ----------
        observe : bool
            False: the observation is None.

        Returns
        -------
        tuple
            Observation, reward since the agent's last step, terminated, truncated, info.
        """
        agent = self.agent_selection
        info = self.infos[agent]
        seen: Observation | None = None
        if observe:
            if self._vector is None:
                seen = self.observe(agent)
            else:
                seen = {"observation": self._vector, "action_mask": info["action_mask"]}
                self._vector = None
        return seen, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], info

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent, at any time.

        Parameters
        ----------
        agent : str
            One of `possible_agents`.

        Returns
        -------
        Observation
            New arrays, except that `action_mask` is the same array as `infos[agent]["action_mask"]`, and that all
            agents that are not to act have one read-only mask of zeros.

        Raises
        ------
        AssertionError
            `reset` has not been called.
        ValueError
            An unknown agent.
        """
        if not self._started:
            EnvLogger.error_observe_before_reset()
        seat = self._seat_of(agent)
        vector = self._vector if seat == self._seat else None
        if vector is None:
            vector = self._observed(seat)
        else:
            self._vector = None
        info = self.infos.get(agent)
        mask = self.game.no_actions if info is None else info["action_mask"]
        return {"observation": vector, "action_mask": mask}

    def observation_dict(self, agent: str) -> dict[str, Seen]:
        """Return the observation of an agent by sections.

        Parameters
        ----------
        agent : str
            One of `possible_agents`.

        Returns
        -------
        dict
            An array for each section of the observation, in its shape. Raises as `observe`.
        """
        if not self._started:
            EnvLogger.error_observe_before_reset()
        return self.game.by_section(self._observed(self._seat_of(agent)))

    def agent_iter(self, max_iter: int = 2**63) -> "_Turns":
        """Iterate over the agents to act until all have left. Call `step` once for each.

        Parameters
        ----------
        max_iter : int
            The iteration ends after this many agents.

        Returns
        -------
        iterator of str
            The agent to act.
        """
        if not self._started:
            EnvLogger.error_agent_iter_before_reset()
        return _Turns(self, max_iter)

    # ---- structs

    def observation_struct(self, agent: str) -> dict[str, Any]:
        """Return what an agent may know as plain JSON types: the content of its observation, with names.

        Parameters
        ----------
        agent : str
            One of `possible_agents`.

        Returns
        -------
        dict
            As `structs.observation_schema` of the game describes. A key that is left out has 0, false or nothing.
            Raises as `observe`.
        """
        return self._structs().observation(*self._known(agent))

    def action_structs(self, agent: str) -> list[dict[str, Any]]:
        """Return the legal actions of an agent.

        Parameters
        ----------
        agent : str
            One of `possible_agents`.

        Returns
        -------
        list of dict
            `id`, `kind`, `arguments` and `text` of each; [] if the agent is not to act. Raises as `observe`.
        """
        return self._structs().actions(*self._known(agent))

    def action_from_struct(self, struct: Any) -> int:
        """Return the id of a legal action of the agent to act.

        Parameters
        ----------
        struct : dict
            `id`, or `kind` and `arguments`.

        Returns
        -------
        int
            The action id.

        Raises
        ------
        ValueError
            The struct means no legal action; the message is the reason.
        AssertionError
            `reset` has not been called.
        """
        return self._structs().action(*self._known(self.agent_selection if self._started else ""), struct)

    @classmethod
    def _structs(cls) -> "Structs":
        """The converter to structs, which is imported when it is first used."""
        from ..shown.structs import structs_of

        return structs_of(cls.spec)

    def _known(self, agent: str) -> tuple[npt.NDArray[np.record], int]:
        """The record of what an agent may know, and its seat."""
        if not self._started:
            EnvLogger.error_observe_before_reset()
        seat = self._seat_of(agent)
        return self.game.hide(self._states, 0, seat), seat

    # ---- states

    def state(self) -> Seen:
        """Return the observations of all seats, from seat 0 on. Raise AssertionError before `reset`.

        Returns
        -------
        ndarray
            float32 or uint8[num_players * game.observation_size], in `state_space`: all that any seat knows. What
            nobody knows, such as the order of a deck, is only part of `get_state`.

        Examples
        --------
        >>> from bloodrage_env import berserk_v0
        >>> (env := berserk_v0.env()).reset(seed=1)
        >>> env.state().shape == (2 * env.observe("player_0")["observation"].size,)
        True

        """
        self._refuse_before_reset("state")
        seen = np.empty((self.num_players, self._size), self._dtype)
        self.game.write_state(self._states, 0, seen)
        return seen.ravel()

    @staticmethod
    def picture(mode: str, states: npt.NDArray[np.record]) -> Any:
        """Return the public board of a game.

        Parameters
        ----------
        mode : str
            One of the render modes of the class.
        states : ndarray
            An array of one record.

        Returns
        -------
        str or ndarray or None
            As `render` returns.
        """
        raise NotImplementedError

    def get_state(self) -> npt.NDArray[np.record]:
        """Return a copy of the game with all hidden information: an array of one record of `game.state`."""
        self._refuse_before_reset("get_state")
        return np.ndarray(
            1, self.game.state, self._states.view(np.uint8).copy()
        )  # ten times as fast as to copy records

    def set_state(self, state: npt.NDArray[np.record]) -> None:
        """Restore a game. Rewards are reset to 0; the agents of a game that is over receive its rewards again.

        Parameters
        ----------
        state : ndarray
            What `get_state` returned, of this or another environment with the same number of players. It contains the
            options of the game.

        Raises
        ------
        ValueError
            Another array, or a record that is not a valid game, such as a view of `engine.hide`. The environment is
            then unchanged.
        """
        if not isinstance(state, np.ndarray) or state.shape != (1,):
            raise ValueError("a state is an array of one record, as get_state() returns it")
        if state.dtype != self.game.state:
            raise ValueError("this state has another layout: it comes from another version")
        num_players = int(state["num_players"][0])
        if num_players != self.num_players:
            raise ValueError(f"this state has {num_players} players, the environment {self.num_players}")
        states = np.ndarray(1, self.game.state, bytearray(state.tobytes()))
        self.game.check_state(states, 0)
        self._states = states
        self.seed_used = None
        self._take_up()

    def redeal(self, seat: int, seed: int) -> npt.NDArray[np.record]:
        """Return a state that a seat cannot distinguish from the true one. The environment does not change.

        Parameters
        ----------
        seat : int
            0 to num_players - 1.
        seed : int
            0 to 2**63 - 1; what the seat cannot know is sampled from it.

        Returns
        -------
        ndarray
            An array of one record.

        Raises
        ------
        ValueError, TypeError
            A seat or a seed out of range, or of another type.
        """
        self._refuse_before_reset("redeal")
        if seat not in range(self.num_players):
            raise ValueError(f"seat must be 0 to {self.num_players - 1}, not {seat!r}")
        return self.game.redeal(self._states, 0, int(seat), checked_seed(seed))

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles contain: the record as bytes, because numpy does not copy padding."""
        saved = self.__dict__ | {"_states": self._states.tobytes()}
        saved.pop("_answer", None)
        return saved

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore. Raise ValueError for a pickle of another version, or with an invalid record."""
        if len(saved["_states"]) != self.game.state.itemsize:
            raise ValueError("this environment has another layout: it was saved by another version")
        states = np.ndarray(1, self.game.state, bytearray(saved["_states"]))
        if saved["_started"]:
            self.game.check_state(states, 0)
        self.__dict__.update(saved)
        self._states = states
        if self._started:
            for agent, info in self.infos.items():
                if self._seat == NOBODY or agent != self.agent_selection:
                    info["action_mask"] = self.game.no_actions  # a copy of it can be written
            self._bind()

    # ---- inside

    def _numbers_with(self, options: dict[str, Any]) -> npt.NDArray[np.int64]:
        """Return the options of the environment, with changes for one game, as numbers for compiled code."""
        names = asdict(self.options).keys() - {"num_players"}
        opened: GameOptions = replace(self.options, **{name: value for name, value in options.items() if name in names})
        return opened.numbers()

    def _take_up(self) -> None:
        """Set the attributes of PettingZoo for a new or restored game."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = _no_move(self.agents, self.game.no_actions)
        self._started = self._moved = True
        self._vector = None
        self._bind()
        if self.game.play.is_over(self._states, 0):
            self.agent_selection = self.agents[0]
            self._end()
        else:
            self._seat = self.game.play.seat_to_act(self._states, 0)
            self.agent_selection = self.agents[self._seat]
            self.infos[self.agent_selection] = {"action_mask": self.game.play.legal_mask(self._states, 0)}

    def _bind(self) -> None:
        """Find the function that answers a question. Its arguments have the right types here; copies do not
        contain it.
        """
        entries = self.game.observe
        self._answer = direct(entries.step_and_observe_bytes if self._as_bytes else entries.step_and_observe)

    def _end(self) -> None:
        """Pay all agents: the game is over or was cut off."""
        rewards = self.game.rewards[self.reward](self.game.play.scores(self._states, 0).tolist())
        truncated = bool(self._states["truncated"][0])
        self._leave(dict(zip(self.agents, rewards, strict=True)), not truncated, truncated)

    def _end_illegally(self) -> None:
        """End the game as PettingZoo's TerminateIllegalWrapper does."""
        EnvLogger.warn_on_illegal_move()
        rewards = dict.fromkeys(self.agents, 0.0) | {self.agent_selection: ILLEGAL_REWARD}
        self._leave(rewards, True, True)

    def _leave(self, rewards: dict[str, float], terminated: bool, truncated: bool) -> None:
        self._seat = NOBODY
        self._vector = None
        self.rewards = rewards
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos = _no_move(self.agents, self.game.no_actions)
        self._deads_step_first()

    def _step_aside(self, action: Any) -> None:
        """Handle a step that is not an answer to a question."""
        self._moved = True
        if not self._started:
            EnvLogger.error_step_before_reset()
        elif not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
        elif self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
        else:
            self._end_illegally()  # None from an agent that has to move

    def _was_dead_step(self, action: Any) -> None:
        """Remove a finished agent. Wrappers that end a game themselves call this too."""
        self._seat = NOBODY
        super()._was_dead_step(action)

    def _observed(self, seat: int) -> Seen:
        """Return the observation of a seat in a new array."""
        vector = np.empty(self._size, self._dtype)
        entries = self.game.observe
        (entries.observe_bytes if self._as_bytes else entries.observe)(self._states, 0, seat, vector)
        return vector

    def _seat_of(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise ValueError(f"there is no agent {agent!r}; the agents are {', '.join(self.possible_agents)}")
        return self.possible_agents.index(agent)

    def _refuse_before_reset(self, name: str) -> None:
        if not self._started:
            raise AssertionError(f"reset() needs to be called before {name}.")


class ParallelGame(TrueCopies, turn_based_aec_to_parallel_wrapper[str, Observation, int | None]):
    """PettingZoo's parallel form of a `GameEnv`, in which one seat acts at a time.

    `step` uses the action of the seat to move and ignores the others. The masks of the other seats are all zero.
    """


class _Turns(AECIterable[str, Observation, int | None]):
    """The iterator of `agent_iter`."""

    def __iter__(self) -> Iterator[str]:
        env, left = self.env, self.max_iter
        env._moved = True
        while env.agents and left > 0:
            if not env._moved:
                raise AssertionError("need to call step() or reset() in a loop over `agent_iter`")
            env._moved = False
            left -= 1
            yield env.agent_selection


def _no_move(agents: Sequence[str], mask: Mask) -> dict[str, dict[str, Any]]:
    """Return the infos of agents that are not to move."""
    return {agent: {"action_mask": mask} for agent in agents}
