"""Gymnasium environments of one seat among agents: `OneSeat`, a game, and `OneSeatVector`, a batch of games.

Both are `bloodrage/OneSeat-v0`: `gymnasium.make` gives the first, `gymnasium.make_vec` the second. The learner has one
seat of each game and agents have the others. A step goes from the learner's decision to its next one or to the end of
the game, and its reward is that of the learner, no matter who moved last.
"""

import hashlib
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from bloodrage_agents import parts
from bloodrage_agents.base import agent_rng
from bloodrage_agents.opponents import Opponent, line_up
from bloodrage_agents.styles import OPEN

from . import games
from .core.api.true_copies import TrueCopies
from .core.engine.chance import NUM_WORDS
from .core.engine.numbers import number_of_games, whole_number
from .core.engine.options import GameOptions
from .core.engine.rewards import ILLEGAL_REWARD
from .gym_arguments import (
    RENDER_MODES,
    checked_actions,
    checked_marks,
    checked_mode,
    checked_own_seed,
    checked_seeds,
    listed,
    options_of,
    render_modes,
)

NO_ACTION: Final = -1  # illegal at any time
_OF_USER: Final = -1  # what Gymnasium has as the seed of a generator that the user set

Vectors: TypeAlias = npt.NDArray[np.float32]
Masks: TypeAlias = npt.NDArray[np.int8]
Flags: TypeAlias = npt.NDArray[np.bool_]
Whole: TypeAlias = npt.NDArray[np.int64]
Reals: TypeAlias = npt.NDArray[np.float64]


class _Games:
    """N games, each waiting for its learner or over. `over` is bool[N], `seats` int64[N] the learner's seat.

    The other arguments are those of `OneSeat`.
    """

    def __init__(
        self,
        num_games: int,
        options: GameOptions,
        opponents: str | Sequence[str] | None,
        seat: int | None,
        reward: str,
    ) -> None:
        self.options = options
        self._look_up()
        num_players = options.num_players
        if seat is not None and whole_number("seat", seat) not in range(num_players):
            raise ValueError(f"seat must be None or 0 to {num_players - 1}, not {reprlib.repr(int(seat))}")
        if not isinstance(reward, str) or reward not in self.game.rewards:
            raise ValueError(f"reward must be one of {', '.join(self.game.rewards)}, not {reward!r}")
        self.seat = seat
        self.reward = reward
        self.specs = list(line_up(listed(opponents), 0, options).values())
        self.agents = [
            [None if spec in self.styles else Opponent(spec, options.game) for spec in self.specs]
            for _ in range(num_games)
        ]
        self.states = np.zeros(num_games, self.game.state)
        self.seats = np.zeros(num_games, np.int64)
        self.over = np.ones(num_games, np.bool_)
        self._at: list[dict[int, Opponent]] = [{} for _ in range(num_games)]  # by seat
        self._styles = np.full((num_games, self.game.max_seats), OPEN)
        self._words = np.zeros((num_games, NUM_WORDS), np.int64)
        self._actions = np.zeros(num_games, np.int64)

    def begin(self, which: Whole, chance: Mapping[int, np.random.Generator]) -> None:
        """Start these games up to the learner's first decisions; `chance[game]` provides all random numbers."""
        self.over[which] = True  # and stay so if an opponent fails: its question is not the learner's
        for game in which:
            self._begin(int(game), chance[game])
        self._play_on(which)
        self.over[which] = False

    def step(self, which: Whole, actions: Whole) -> tuple[Reals, Flags, Flags]:
        """Apply the learner's actions to these games, none of which is over, and step to its next decisions.

        Return rewards, float64[N], terminated, bool[N], and truncated, bool[N]. An illegal action ends its game.
        """
        rewards = np.zeros(len(self.states))
        terminated = np.zeros(len(self.states), np.bool_)
        truncated = np.zeros(len(self.states), np.bool_)
        asked = actions[which]
        legal = (asked >= 0) & (asked < self.game.num_actions)
        legal &= self.states["mask"][which, np.where(legal, asked, 0)] == 1
        played, refused = which[legal], which[~legal]
        if len(refused):
            gymnasium.logger.warn("an illegal action ends its game; action_masks() says which are legal")
            rewards[refused] = ILLEGAL_REWARD
            terminated[refused] = True
        self.over[which] = True  # as in `begin`
        self.open.answer_some(self.states, played, actions)
        self._play_on(played)
        pay = self.game.rewards[self.reward]
        for game in played[self.states["over"][played] == 1]:
            rewards[game] = pay(self.game.play.scores(self.states, game).tolist())[self.seats[game]]
            truncated[game] = self.states["truncated"][game]
            terminated[game] = not truncated[game]
        self.over[which] = (terminated | truncated)[which]
        return rewards, terminated, truncated

    def observations(self) -> Vectors:
        """Return the observations of the learners as a new array, float32[N, OBSERVATION_SIZE]."""
        vectors = np.empty((len(self.states), self.game.observation_size), np.float32)
        self.observe(np.arange(len(self.states)), vectors)
        return vectors

    def observe(self, which: Whole, vectors: Vectors) -> None:
        """Write what the learners of these games see into their rows."""
        self.open.observe_some(self.states, which, self.seats, vectors)

    def masks(self) -> Masks:
        """Return a new array, int8[N, NUM_ACTIONS]: 1 for a legal action, all zero for a game that is over."""
        masks: Masks = self.states["mask"].copy()
        masks[self.over] = 0
        return masks

    def pictures(self, mode: str | None) -> tuple[Any, ...] | None:
        """Return the public information of each game. Raise `ResetNeeded` before the first game."""
        if mode is None:
            gymnasium.logger.warn("render() was called on an environment that was made without a render_mode.")
            return None
        if not self.states["num_players"].all():
            raise ResetNeeded("there is nothing to render before reset()")
        picture = games.environment(self.game.name).picture  # only who renders pays for it
        return tuple(picture(mode, self.states[game : game + 1]) for game in range(len(self.states)))

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles contain: the records as bytes, because numpy does not copy padding. Compiled
        functions are omitted.
        """
        kept = self.__dict__ | {"states": self.states.tobytes()}
        del kept["game"], kept["open"], kept["styles"]
        return kept

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore; ValueError for a pickle of another version, or with records that are not games."""
        self.options = saved["options"]
        self._look_up()
        if len(saved["states"]) != self.game.state.itemsize * len(saved["seats"]):
            raise ValueError("these games have another layout: they were saved by another version")
        self.__dict__.update(saved)
        self.states = np.ndarray(len(self.seats), self.game.state, bytearray(saved["states"]))
        for game in np.flatnonzero(self.states["num_players"]):  # those that have begun
            self.game.check_state(self.states, int(game))

    def _look_up(self) -> None:
        """Find what is compiled for the game."""
        self.game = games.game(self.options.game)
        self.open, self.styles = parts.open_seats(self.options.game), parts.styles(self.options.game)

    def _begin(self, game: int, chance: np.random.Generator) -> None:
        """Deal, and seat the learner and its opponents.

        An agent can read the seed of its generator. Each generator therefore has a hash as its seed, from which neither
        the seed of the deal nor `chance`, which the next games use, can be recovered.
        """
        seat = int(chance.integers(self.options.num_players)) if self.seat is None else self.seat
        key = chance.bytes(32)
        deal = int.from_bytes(_drawn(key, "deal")[:8], "little") >> 1
        self.game.play.reset(self.states, game, deal, self.options.numbers())
        self.seats[game] = seat
        self._words[game] = np.frombuffer(_drawn(key, "compiled")[: 4 * NUM_WORDS], "<u4")
        self._styles[game] = OPEN
        self._at[game].clear()
        others = [other for other in range(self.options.num_players) if other != seat]
        for other, spec, agent in zip(others, self.specs, self.agents[game], strict=True):
            if agent is None:
                self._styles[game, other] = self.styles[spec]
            else:
                rng = agent_rng(key.hex(), other)
                agent.begin(f"the opponent {spec}", other, self.options, rng)
                self._at[game][other] = agent

    def _play_on(self, which: Whole) -> None:
        """Step these games by the actions of the opponents until the learner is to act or the game has ended."""
        self.open.play_on(self.states, which, self._styles, self._words)
        while len(which := which[self._ask_agents(which)]):
            for game in which:
                asked = self._at[game][int(self.states["seat"][game])]
                self._actions[game] = asked(self.states, int(game))
            self.open.answer_some(self.states, which, self._actions)
            self.open.play_on(self.states, which, self._styles, self._words)

    def _ask_agents(self, which: Whole) -> Flags:
        """bool[len(which)]: games in which an agent is asked that is not compiled."""
        waiting: Flags = (self.states["over"][which] == 0) & (self.states["seat"][which] != self.seats[which])
        return waiting


class OneSeat(TrueCopies, gymnasium.Env[Vectors, np.int64]):
    """A Gymnasium environment for one seat of a game; agents play the other seats. Its id is `bloodrage/OneSeat-v0`.

    Observations are float32[OBSERVATION_SIZE], actions `Discrete(NUM_ACTIONS)`. `action_masks()` and
    `info["action_mask"]` mark the legal actions. An illegal action terminates the game with a warning and the reward
    -1. A game with too many decisions is truncated; its reward follows from its scores at that moment.

    `copy.copy`, `copy.deepcopy` and pickle return independent copies at any time, including the memory and generators
    of the opponents. They raise `errors.UserError` for a plug-in that cannot be copied. Copy a wrapper of Gymnasium,
    as `gymnasium.make` returns it, with `copy.deepcopy`, because its `copy.copy` shares the environment.

    Parameters
    ----------
    num_players : int, optional
        By default that of the game.
    game : str
        A registered game, or a mode by its whole name, such as `berserk_team`.
    mode : str, optional
        A mode of the game: "duel", "team" or "laar" of Berserk.
    opponents : str or sequence of str, optional
        One agent for all other seats, or one for each in rising order of seats, as a string with commas or a sequence:
        "balanced", "random,loki,battle". By default that of the game. `random` and the styles are compiled.
    seat : int, optional
        The learner's seat, from 0. By default it is drawn for each game.
    reward : {"win", "rank", "margin"}
        As in the game's PettingZoo environment. It is 0 until the game ends.
    render_mode : {None, "ansi", "rgb_array"}
        "ansi": the board as text. "rgb_array": uint8[800, 1280, 3], with the extra `render`.
    **options
        Other fields of the game's `Options`, such as `first_game=True`.

    Raises
    ------
    ValueError
        A value that is out of range.
    TypeError
        An unknown option, an option of another type, or a `render_mode` of another game.
    errors.UserError
        An unknown opponent, or one that fails, which ends its game.

    Examples
    --------
    >>> import gymnasium
    >>> env = gymnasium.make("bloodrage_env:bloodrage/OneSeat-v0", num_players=2, opponents="random")
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())
    >>> observation.shape, reward
    ((3292,), 0.0)
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 30}  # noqa: RUF012  # as in the base

    def __init__(
        self,
        num_players: int | None = None,
        *,
        game: str = games.FIRST,
        mode: str | None = None,
        opponents: str | Sequence[str] | None = None,
        seat: int | None = None,
        reward: str = "win",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        game = games.in_mode(game, mode)
        self._games = _Games(1, options_of(type(self), game, num_players, options), opponents, seat, reward)
        self.render_mode = checked_mode(render_mode, game)
        self.metadata = self.metadata | {"render_modes": render_modes(game)}
        self.observation_space = _observation_space(game)
        self.action_space = spaces.Discrete(self._games.game.num_actions)
        self._seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vectors, dict[str, Any]]:
        """Start a game.

        Parameters
        ----------
        seed : int, optional
            Decides all chance of this game and of later games that are reset without a seed: deals, the learner's
            seats, and the random numbers of agents.
        options : dict, optional
            Not used.

        Returns
        -------
        tuple
            Observation and info of the learner's first decision.
        """
        super().reset(seed=checked_own_seed(seed))
        self._seeded |= seed is not None or self._np_random_seed == _OF_USER
        if not self._seeded:  # processes that fork would draw the same from a generator that is kept
            self._np_random, self._np_random_seed = seeding.np_random()
        self._games.begin(_FIRST, {0: self.np_random})
        return self._games.observations()[0], {"action_mask": self.action_masks()}

    def step(self, action: Any) -> tuple[Vectors, float, bool, bool, dict[str, Any]]:
        """Step to the learner's next decision or to the end of the game.

        Parameters
        ----------
        action : int
            An action id.

        Returns
        -------
        tuple
            Observation, reward, terminated, truncated, info.

        Raises
        ------
        gymnasium.error.ResetNeeded
            No game is running.
        """
        if self._games.over[0]:
            raise ResetNeeded("no game is going on: call reset()")
        try:
            legal = not isinstance(action, np.ma.MaskedArray) and self.action_space.contains(action)
        except OverflowError:  # of Gymnasium up to 1.2, for an int beyond 64 bits
            legal = False
        number = int(action) if legal else NO_ACTION
        rewards, terminated, truncated = self._games.step(_FIRST, np.array([number]))
        info = {"action_mask": self.action_masks()}
        return self._games.observations()[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def action_masks(self) -> Masks:
        """Return int8[NUM_ACTIONS], 1 for a legal action, all zero when the game is over. `MaskablePPO` calls this."""
        mask: Masks = self._games.masks()[0]
        return mask

    def render(self) -> Any:
        """Return the public information in the form of `render_mode`. Raise `ResetNeeded` before `reset`."""
        pictures = self._games.pictures(self.render_mode)
        return None if pictures is None else pictures[0]


class OneSeatVector(TrueCopies, VectorEnv[Vectors, Whole, npt.NDArray[Any]]):
    """`num_envs` games that are stepped together; the learner has one seat of each. `gymnasium.make_vec` makes it.

    With the same seeds and actions it returns the same as `gymnasium.vector.SyncVectorEnv` over `num_envs` `OneSeat`:
    observations float32[num_envs, OBSERVATION_SIZE], rewards float64[num_envs], flags bool[num_envs], and infos with
    `action_mask` int8[num_envs, NUM_ACTIONS]. Each call returns new arrays.

    Parameters
    ----------
    num_envs : int
        Number of games.
    num_players, game, mode, opponents, seat, reward, render_mode, **options
        As for `OneSeat`.
    autoreset_mode : AutoresetMode or str
        NEXT_STEP: the step after the end of a game resets it, whatever the action. SAME_STEP: the step that ends a game
        resets it, and `final_obs` and `final_info` of the infos describe the end. DISABLED:
        `reset(options={"reset_mask": bool[num_envs]})` resets.

    Examples
    --------
    >>> import gymnasium
    >>> env = gymnasium.make_vec("bloodrage_env:bloodrage/OneSeat-v0", num_envs=3, num_players=2, opponents="random")
    >>> observations, info = env.reset(seed=1)
    >>> observations, rewards, terminated, truncated, info = env.step(info["action_mask"].argmax(1))
    >>> observations.shape
    (3, 3292)
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 30}  # noqa: RUF012  # as in the base

    def __init__(
        self,
        num_envs: int = 1,
        num_players: int | None = None,
        *,
        game: str = games.FIRST,
        mode: str | None = None,
        opponents: str | Sequence[str] | None = None,
        seat: int | None = None,
        reward: str = "win",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: Any,
    ) -> None:
        num_envs = number_of_games("num_envs", num_envs)
        self.num_envs = num_envs
        game = games.in_mode(game, mode)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = self.metadata | {"autoreset_mode": self.autoreset_mode, "render_modes": render_modes(game)}
        self._games = _Games(num_envs, options_of(type(self), game, num_players, options), opponents, seat, reward)
        self.render_mode = checked_mode(render_mode, game)
        self.single_observation_space = _observation_space(game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = spaces.Discrete(self._games.game.num_actions)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._chance: dict[int, np.random.Generator] = {}  # one a game, once there was a reset
        self._seeded: set[int] = set()  # games whose generator follows from a seed

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vectors, dict[str, Any]]:
        """Start all games, or those that a mask marks.

        Parameters
        ----------
        seed : int or sequence, optional
            A number (game i has `seed + i`), or a number or None for each game, as in `OneSeat.reset`.
        options : dict, optional
            `reset_mask`, bool[num_envs]: the games to start.

        Returns
        -------
        tuple
            Observations and infos.

        Raises
        ------
        gymnasium.error.ResetNeeded
            The first reset marks only some games.
        """
        marked = checked_marks(options, self.num_envs)
        if not self._chance and not marked.all():
            raise ResetNeeded("the first reset begins all games: leave options['reset_mask'] out")
        seeds = checked_seeds(seed, self.num_envs)
        which = np.flatnonzero(marked)
        for game in which.tolist():
            if seeds[game] is not None:
                self._chance[game] = seeding.np_random(seeds[game])[0]
                self._seeded.add(game)
        self._begin(which)
        return self._games.observations(), _info(self._games.masks(), marked)

    def _begin(self, which: Whole) -> None:
        """Start these games; those without a seed with new chance, as in `OneSeat.reset`."""
        for game in which.tolist():
            if game not in self._seeded:
                self._chance[game] = seeding.np_random()[0]
        self._games.begin(which, self._chance)

    def step(self, actions: npt.ArrayLike) -> tuple[Vectors, Reals, Flags, Flags, dict[str, Any]]:
        """Apply the learner's actions. An illegal action ends its game.

        Parameters
        ----------
        actions : array_like
            int[num_envs].

        Returns
        -------
        tuple
            Observations, rewards, terminated, truncated, infos.

        Raises
        ------
        gymnasium.error.ResetNeeded
            `reset` has not been called, or with DISABLED a game is over.
        ValueError
            Actions of another shape or type.
        """
        answers = checked_actions(actions, self.num_envs)
        ended = self._games.over.copy()
        if not self._chance or (self.autoreset_mode is AutoresetMode.DISABLED and ended.any()):
            raise ResetNeeded("games are over or not begun: call reset(), with options['reset_mask'] for some of them")
        self._begin(np.flatnonzero(ended))
        rewards, terminated, truncated = self._games.step(np.flatnonzero(~ended), answers)
        observations = self._games.observations()
        infos: dict[str, Any] = {}
        over = self._games.over.copy()
        if self.autoreset_mode is AutoresetMode.SAME_STEP and over.any():
            finals = np.full(self.num_envs, None, dtype=object)
            which = np.flatnonzero(over)
            for game in which:
                finals[game] = observations[game].copy()
            infos = {"final_obs": finals, "_final_obs": over, "final_info": _info(self._games.masks(), over)}
            infos["_final_info"] = over.copy()
            self._begin(which)
            self._games.observe(which, observations)
        everything = np.ones(self.num_envs, np.bool_)
        return observations, rewards, terminated, truncated, infos | _info(self._games.masks(), everything)

    def action_masks(self) -> Masks:
        """Return int8[num_envs, NUM_ACTIONS], 1 for a legal action, all zero for a game that is over."""
        return self._games.masks()

    def render(self) -> tuple[Any, ...] | None:
        """Return the public information of each game, as `render_mode` selects. Raise `ResetNeeded` before `reset`."""
        return self._games.pictures(self.render_mode)


_FIRST: Final = np.zeros(1, np.int64)


def _observation_space(game: str) -> spaces.Space[Vectors]:
    return cast("spaces.Space[Vectors]", games.game(game).observation_space())


def _info(masks: Masks, marked: Flags) -> dict[str, Any]:
    """Masks of the games that are marked, as `VectorEnv` writes infos."""
    masks[~marked] = 0
    return {"action_mask": masks, "_action_mask": marked.copy()}


def _drawn(key: bytes, purpose: str) -> bytes:
    """Return 32 bytes for one purpose, from which neither the key nor the bytes for other purposes can be recovered."""
    return hashlib.sha256(key + purpose.encode()).digest()
