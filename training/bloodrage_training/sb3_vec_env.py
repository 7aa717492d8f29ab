"""`SelfPlayVecEnv`: a batch of games as a `VecEnv` of Stable-Baselines3, stepped in one call.

The learner has one seat of each game, agents have the others. Self-play is training against snapshots of the learner:
files of policies (`sb3_policy.py`), which `set_opponents` swaps while the games go on. Needs the extra `train`.

The learner has one seat because SB3 treats the rows of an environment as one trajectory, and every row as a decision.
Seats that share an environment would bootstrap from each other's values. With an environment for each seat, most rows
would contain no decision, because one seat of a game acts at a time.
"""

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from bloodrage_agents.network import NetworkAgent
from bloodrage_agents.opponents import Opponent, line_up
from bloodrage_env import games
from bloodrage_env.core.api.true_copies import TrueCopies
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.gym import Masks, OneSeatVector, Vectors, Whole, _Games

LineUp = tuple[list[str], list[list[Opponent | None]]]  # specs of the other seats; by game who plays, None if compiled


class _Pool(_Games):
    """Games that draw their opponents from a list, which can be replaced. Networks answer all games in one call."""

    def __init__(
        self, num_games: int, options: GameOptions, opponents: Sequence[str | None], seat: int | None, reward: str
    ) -> None:
        super().__init__(num_games, options, None, seat, reward)
        self.replace(opponents)

    def replace(self, opponents: Sequence[str | None]) -> None:
        """Use this list for the opponents of games that begin from now on."""
        if not opponents:
            raise ValueError("opponents is empty; give one or more")
        networks: dict[str, Opponent] = {}
        line_ups: list[LineUp] = []
        for each in opponents:
            specs = list(line_up(each, 0, self.options).values())
            line_ups.append((specs, [[self._made(spec, networks) for spec in specs] for _ in self.agents]))
        self._line_ups = line_ups

    def _made(self, spec: str, networks: dict[str, Opponent]) -> Opponent | None:
        """Return an opponent, None for a compiled one. A network has no memory of a game, so one object serves all."""
        if spec in self.styles:
            return None
        if spec in networks:
            network = networks[spec]
            return copy.deepcopy(network, {id(network.agent): network.agent})
        made = Opponent(spec, self.game.name)
        if isinstance(made.agent, NetworkAgent):
            networks[spec] = made
        return made

    def _begin(self, game: int, chance: np.random.Generator) -> None:
        self.specs, agents = self._line_ups[int(chance.integers(len(self._line_ups)))]
        self.agents[game] = agents[game]
        super()._begin(game, chance)

    def _play_on(self, which: Whole) -> None:
        self.open.play_on(self.states, which, self._styles, self._words)
        while len(which := which[self._ask_agents(which)]):
            batches: dict[NetworkAgent, dict[int, np.random.Generator]] = {}
            for game, seat in zip(which.tolist(), self.states["seat"][which].tolist(), strict=True):
                asked = self._at[game][seat]
                if isinstance(asked.agent, NetworkAgent):
                    batches.setdefault(asked.agent, {})[game] = asked.rng
                else:
                    self._actions[game] = asked(self.states, game)
            for network, batch in batches.items():
                rows = np.array(list(batch))
                self._actions[rows] = network.act_many(self.states, rows, list(batch.values()))
            self.open.answer_some(self.states, which, self._actions)
            self.open.play_on(self.states, which, self._styles, self._words)


class _One:
    """One game of the batch, for `get_attr` and `env_method`."""

    def __init__(self, batch: OneSeatVector, pool: _Pool, number: int) -> None:
        self._batch, self._pool, self._number = batch, pool, number
        self.render_mode = batch.render_mode

    def action_masks(self) -> Masks:
        """Return int8[NUM_ACTIONS], 1 for a legal action."""
        mask: Masks = self._pool.states["mask"][self._number].copy()
        return mask

    def render(self) -> Any:
        """Return the public information in the form of `render_mode`."""
        pictures = self._batch.render()
        return None if pictures is None else pictures[self._number]


class SelfPlayVecEnv(TrueCopies, VecEnv):
    """`num_envs` games with one learner each, equivalent to `DummyVecEnv` over `num_envs` `OneSeat`.

    Observations are float32[num_envs, OBSERVATION_SIZE], rewards float32[num_envs], dones bool[num_envs]. The masks
    are `env_method("action_masks")`, int8[NUM_ACTIONS] each, as sb3-contrib expects them. The infos of a step that
    ends a game have its `terminal_observation`; `TimeLimit.truncated` says whether it was cut off. Wrap it in
    `VecMonitor` for `episode`. Seeds are those of `seed` or of the learner, one a game; `reset()` without a new seed
    goes on with the same generators. Copies and pickles share nothing, as those of `OneSeat`.

    Parameters
    ----------
    num_envs : int
        Number of games.
    opponents : str or sequence of str, optional
        Agents for the other seats, as in `OneSeat`: one spec, or one for each seat with commas between them. With a
        list, each game draws one of them when it begins.
    num_players, game, seat, reward, render_mode, **options
        As for `OneSeat`.

    Raises
    ------
    ValueError
        A value that is out of range.
    TypeError
        An unknown option, or one of another type.
    errors.UserError
        An unknown opponent, or one that fails.

    Examples
    --------
    >>> from bloodrage_training.sb3_vec_env import SelfPlayVecEnv
    >>> env = SelfPlayVecEnv(3, num_players=2, opponents=["random", "balanced"])
    >>> env.reset().shape
    (3, 3292)
    >>> observations, rewards, dones, infos = env.step([mask.argmax() for mask in env.env_method("action_masks")])
    """

    def __init__(
        self,
        num_envs: int,
        num_players: int | None = None,
        *,
        game: str = games.FIRST,
        opponents: str | Sequence[str] | None = None,
        seat: int | None = None,
        reward: str = "win",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._batch = OneSeatVector(
            num_envs,
            num_players,
            game=game,
            seat=seat,
            reward=reward,
            render_mode=render_mode,
            autoreset_mode=AutoresetMode.SAME_STEP,
            **options,
        )
        played = self._batch._games.options
        self._batch._games = self._pool = _Pool(num_envs, played, _listed(opponents), seat, reward)
        self._each = [_One(self._batch, self._pool, number) for number in range(num_envs)]
        self._answers: npt.ArrayLike = ()
        super().__init__(num_envs, self._batch.single_observation_space, self._batch.single_action_space)

    def set_opponents(self, opponents: str | Sequence[str]) -> None:
        """Replace the opponents. Running games keep theirs to their end.

        Parameters
        ----------
        opponents : str or sequence of str
            As for the class.
        """
        self._pool.replace(_listed(opponents))

    def reset(self) -> Vectors:
        """Start all games; return the observations of the learner's first decisions."""
        observations, _ = self._batch.reset(seed=self._seeds)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: npt.ArrayLike) -> None:
        """Store the learner's actions for `step_wait`."""
        self._answers = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Step to the learner's next decisions and return the step's results; a game that ends is reset."""
        observations, rewards, terminated, truncated, found = self._batch.step(self._answers)
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": bool(cut)} for cut in truncated]
        dones = terminated | truncated
        for game in np.flatnonzero(dones):
            infos[game]["terminal_observation"] = found["final_obs"][game]
        return observations, rewards.astype(np.float32), dones, infos

    def close(self) -> None:
        """Close the batch."""
        self._batch.close()

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """Return an image of each game, with `render_mode` "rgb_array"."""
        return self.env_method("render")

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return `action_masks`, `render` or `render_mode` of each game. Raise AttributeError for other names."""
        return [getattr(self._each[number], attr_name) for number in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of each game."""
        for number in self._get_indices(indices):
            setattr(self._each[number], attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> list[Any]:
        """Return the results of a method of each game."""
        return [method(*args, **kwargs) for method in self.get_attr(method_name, indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """Return False for each game: there are no wrapped environments."""
        return [False for _ in self._get_indices(indices)]


def _listed(opponents: str | Sequence[str] | None) -> Sequence[str | None]:
    return [opponents] if opponents is None or isinstance(opponents, str) else opponents
