"""The PettingZoo AEC environment: seats become agents, scores become rewards. The rules are the engine's.

What PettingZoo does in wrappers around an environment (illegal actions end the game, calls out of order are refused)
is done here, since three wrappers would cost more than the game. A step is one compiled call, which writes the next
observation and mask straight into new arrays that then belong to the caller.
"""

import copy
import operator
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeAlias, TypedDict

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable
from pettingzoo.utils.env_logger import EnvLogger

from . import engine
from .engine import GAME_OVER, ILLEGAL, NUM_ACTIONS, STATE
from .engine.chance import MAX_SEED
from .engine.invariants import check_state
from .observation import OBSERVATION_SIZE, observation_dict, observe, step_and_observe
from .options import FACTS, Options, checked_seed
from .rewards import ILLEGAL_REWARD, REWARDS

if TYPE_CHECKING:
    from .render.show import Show

RENDER_MODES: Final = ("human", "ansi", "rgb_array")
PICTURE_MODES: Final = ("human", "rgb_array")
NOBODY: Final = -1  # no seat is to move
NO_ACTION: Final = -1  # illegal at any time
FLOAT32, INT8 = np.dtype(np.float32), np.dtype(np.int8)  # numpy takes these faster than the types

Mask: TypeAlias = npt.NDArray[np.int8]


class Observation(TypedDict):
    """`observation` is float32[OBSERVATION_SIZE] (`observation.py`), `action_mask` int8[NUM_ACTIONS], 1 for legal."""

    observation: npt.NDArray[np.float32]
    action_mask: Mask


class BloodRage(AECEnv[str, Observation, int | None]):
    """Blood Rage for `player_0`, `player_1` ... in clockwise order.

    - `num_players`: 2, 3 or 4; `options`: the others of `options.Options`, such as `first_game=True`.
    - `reward`: what is paid when the game ends; until then all rewards are 0. "win": victory, shared by equals,
      zero-sum (`win_rewards`); "rank": the place, zero-sum (`rank_rewards`); "margin": the lead in glory
      (`margin_rewards`). A game that is cut off pays by its scores as they stand.
    - `render_mode`: "ansi": `render()` returns the board as text; "rgb_array": as uint8[800, 1280, 3]; "human": a
      window shows it, which follows each `step` by itself; None: no rendering. The last two need pygame-ce (the extra
      `render`).

    Everybody's game ends together. An illegal action, also one that is no number at all, ends it: the mover has -1,
    the others 0. A game of `engine.MAX_DECISIONS` decisions is cut off (truncations). One seat often has several
    decisions in a row.

    `observe` works for every agent at any time, the mask of an agent that is not to move is all zero; each call
    returns arrays of its own, except that the mask is also the one in `infos[agent]["action_mask"]`.

    `copy.copy`, `copy.deepcopy` and pickle make true copies at any time. ValueError: a bad argument.
    TypeError: an option of another type, or one that does not exist.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "bloodrage_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 30,
        "is_parallelizable": False,
    }

    agent_selection: str

    def __init__(
        self,
        num_players: int = Options.num_players,
        *,
        reward: str = "win",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.options = Options(num_players, **options)
        if reward not in REWARDS:
            raise ValueError(f"reward must be one of {', '.join(REWARDS)}, not {reward!r}")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be None or one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        self.num_players = self.options.num_players
        self.reward = reward
        self.render_mode = render_mode
        self.seed_used: int | None = None  # the seed of the game, None after set_state
        self.possible_agents = [f"player_{seat}" for seat in range(self.num_players)]
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (OBSERVATION_SIZE,), np.float32),
                "action_mask": spaces.Box(0, 1, (NUM_ACTIONS,), np.int8),
            }
        )
        self._action_space = spaces.Discrete(NUM_ACTIONS)
        self._states = np.zeros(1, STATE)
        self._seat = NOBODY
        self._started = False  # reset has been called
        self._moved = False  # step has been called since agent_iter last asked
        self._vector: npt.NDArray[np.float32] | None = None  # the mover's observation, until it is handed out
        self._seeds = np.random.default_rng()  # of the games for which reset is given none
        self._show: Show | None = None  # once something is shown
        self._watch()

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object for every agent."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same object for every agent: `Discrete(NUM_ACTIONS)`."""
        return self._action_space

    # ---- the game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        `seed` (0 to 2**63 - 1) decides all that is left to chance; without one it is drawn (after a game with a given
        seed, the same one each time). `seed_used` tells which it was. `options` may have options of the game,
        for this one alone; `num_players` and other keys are ignored. TypeError for a seed or an option of another
        type, ValueError for one out of range.
        """
        names = FACTS.keys() - {"num_players"}
        opened = replace(self.options, **{name: value for name, value in (options or {}).items() if name in names})
        if seed is None:
            self.seed_used = int(self._seeds.integers(MAX_SEED, endpoint=True))
        else:
            self.seed_used = checked_seed(seed)
            self._seeds = np.random.default_rng(self.seed_used)
        engine.reset(self._states, 0, self.seed_used, *opened.numbers())
        self._take_up()

    def step(self, action: Any) -> None:
        """Answer the open question, or, of an agent whose game is over, take the leave with None.

        AssertionError before `reset`; ValueError for another action than None of an agent whose game is over. An
        illegal action ends the game; after the end of everybody's game a warning is logged.
        """
        if self._seat < 0 or action is None:
            self._step_aside(action)
            return
        if action.__class__ is not int:
            action = _as_id(action)
        vector = np.empty(OBSERVATION_SIZE, FLOAT32)
        mask = np.empty(NUM_ACTIONS, INT8)
        seat = step_and_observe(self._states, 0, action if 0 <= action < NUM_ACTIONS else NO_ACTION, vector, mask)
        self._moved = True
        if seat != self._seat:
            if seat == ILLEGAL:
                self._end_illegally()
                return
            if seat == GAME_OVER:
                self._end()
                return
            self.infos[self.agent_selection] = {"action_mask": np.zeros(NUM_ACTIONS, INT8)}
            self._seat = seat
            self.agent_selection = self.possible_agents[seat]
        self.infos[self.agent_selection] = {"action_mask": mask}
        self._vector = vector

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since the last own step, terminated, truncated and info of the agent to move."""
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
        """What the agent sees now. AssertionError before `reset`, ValueError if there is no such agent."""
        if not self._started:
            EnvLogger.error_observe_before_reset()
        seat = self._seat_of(agent)
        vector = self._vector if seat == self._seat else None
        if vector is None:
            vector = np.empty(OBSERVATION_SIZE, FLOAT32)
            observe(self._states, 0, seat, vector)
        else:
            self._vector = None
        info = self.infos.get(agent)
        mask = np.zeros(NUM_ACTIONS, INT8) if info is None else info["action_mask"]
        return {"observation": vector, "action_mask": mask}

    def observation_dict(self, agent: str) -> dict[str, npt.NDArray[np.float32]]:
        """What `observe` gives, by the names of its sections (`observation.SECTIONS`)."""
        if not self._started:
            EnvLogger.error_observe_before_reset()
        return observation_dict(self._states, 0, self._seat_of(agent))

    def agent_iter(self, max_iter: int = 2**63) -> "_Turns":
        """The agent to move, again and again until all have left; each time `step` must be called in between."""
        if not self._started:
            EnvLogger.error_agent_iter_before_reset()
        return _Turns(self, max_iter)

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """What lies open to all: text for "ansi", uint8[800, 1280, 3] for "rgb_array", None for "human" (a window).

        `errors.UserError` if the mode needs pygame-ce and it is not installed.
        """
        if not self._started:
            EnvLogger.error_render_before_reset()
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called on an environment that was made without a render_mode.")
            return None
        return self._shown().render(self.render_mode, self._states)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._show is not None:
            self._show.close()

    def _repr_html_(self) -> str:
        """The board as a picture, in a notebook; what lies open to all."""
        if not self._started:
            return "<p>Blood Rage, before <code>reset()</code></p>"
        from .render.show import Board

        return Board(self._states, moves=self._shown().moves)._repr_html_()

    # ---- states

    def get_state(self) -> npt.NDArray[np.record]:
        """The whole game, hidden cards too: a copy, one record of `engine.STATE`."""
        self._refuse_before_reset("get_state")
        return np.ndarray(1, STATE, self._states.view(np.uint8).copy())  # ten times as fast as to copy records

    def set_state(self, state: npt.NDArray[np.record]) -> None:
        """Go on from what `get_state` gave, here or in another environment with as many players.

        The options of the game come with it, rewards start anew; a game that has ended
        pays again. ValueError, with nothing changed: another array, or a record that is no game (a view of
        `engine.hide` is none either).
        """
        if not isinstance(state, np.ndarray) or state.shape != (1,):
            raise ValueError("a state is an array of one record, as get_state() returns it")
        if state.dtype != STATE:
            raise ValueError("this state has another layout: it comes from another version")
        num_players = int(state["num_players"][0])
        if num_players != self.num_players:
            raise ValueError(f"this state has {num_players} players, the environment {self.num_players}")
        states = np.ndarray(1, STATE, bytearray(state.tobytes()))
        check_state(states, 0)
        self._states = states
        self.seed_used = None
        self._take_up()

    def redeal(self, seat: int, seed: int) -> npt.NDArray[np.record]:
        """A state that `seat` cannot tell from the true one: all that it cannot know is drawn anew from `seed`.

        The environment itself stays as it is. ValueError: no such seat, or a seed out of range; TypeError: no seed.
        """
        self._refuse_before_reset("redeal")
        if seat not in range(self.num_players):
            raise ValueError(f"seat must be 0 to {self.num_players - 1}, not {seat!r}")
        return engine.redeal(self._states, 0, int(seat), checked_seed(seed))

    def __copy__(self) -> Self:
        """Return a copy that shares nothing: a shared game would move under the other's feet."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """What copies and pickles hold: the record as bytes, since numpy leaves its padding undefined in copies."""
        kept = self.__dict__ | {"_states": self._states.tobytes()}
        kept.pop("step", None)
        return kept

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore; ValueError for a pickle of another version, or with a record that is no game."""
        if len(saved["_states"]) != STATE.itemsize:
            raise ValueError("this environment has another layout: it was saved by another version")
        states = np.ndarray(1, STATE, bytearray(saved["_states"]))
        if saved["_started"]:
            check_state(states, 0)
        self.__dict__.update(saved)
        self._states = states
        self._watch()

    # ---- inside

    def _watch(self) -> None:
        """Have steps told where pictures are wanted; the step of all other environments stays what it is."""
        if self.render_mode in PICTURE_MODES:
            self.__dict__["step"] = self._step_and_tell

    def _step_and_tell(self, action: Any) -> None:
        """Do as `step`, remember what everybody saw happen, and show it in the window."""
        before = self._states.copy()
        number = NO_ACTION if self._seat < 0 else _as_id(action)
        BloodRage.step(self, action)
        if 0 <= number < NUM_ACTIONS and before["mask"][0, number]:
            self._shown().tell(before, number)
        if self.render_mode == "human":
            self.render()

    def _shown(self) -> "Show":
        """What renders; only who renders pays for the import."""
        if self._show is None:
            from .render.show import Show

            self._show = Show()
        return self._show

    def _take_up(self) -> None:
        """Set what PettingZoo reads to a game that is new or comes from elsewhere."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = _no_move(self.agents)
        self._started = self._moved = True
        self._vector = None
        if self._show is not None:
            self._show.moves.clear()
        if engine.is_over(self._states, 0):
            self.agent_selection = self.agents[0]
            self._end()
        else:
            self._seat = engine.seat_to_act(self._states, 0)
            self.agent_selection = self.agents[self._seat]
            self.infos[self.agent_selection] = {"action_mask": engine.legal_mask(self._states, 0)}

    def _end(self) -> None:
        """Pay everybody: the game is over or was cut off."""
        rewards = REWARDS[self.reward](engine.scores(self._states, 0).tolist())
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
        self.infos = _no_move(self.agents)
        self._deads_step_first()

    def _step_aside(self, action: Any) -> None:
        """Take a step that is no answer to a question."""
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
        """Take the leave of one agent; wrappers, which may end a game on their own, call this too."""
        self._seat = NOBODY
        super()._was_dead_step(action)

    def _seat_of(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise ValueError(f"there is no agent {agent!r}; the agents are {', '.join(self.possible_agents)}")
        return self.possible_agents.index(agent)

    def _refuse_before_reset(self, name: str) -> None:
        if not self._started:
            raise AssertionError(f"reset() needs to be called before {name}.")


class _Turns(AECIterable[str, Observation, int | None]):
    """What `agent_iter` returns."""

    def __iter__(self) -> Iterator[str]:
        env, left = self.env, self.max_iter
        env._moved = True
        while env.agents and left > 0:
            if not env._moved:
                raise AssertionError("need to call step() or reset() in a loop over `agent_iter`")
            env._moved = False
            left -= 1
            yield env.agent_selection


def _no_move(agents: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The infos of agents that are not to move."""
    return {agent: {"action_mask": np.zeros(NUM_ACTIONS, INT8)} for agent in agents}


def _as_id(action: Any) -> int:
    """The number of an action given as a numpy integer or the like, NO_ACTION if it is none."""
    try:
        return operator.index(action)
    except TypeError:
        return NO_ACTION
