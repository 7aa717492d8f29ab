"""The game as a single-agent environment, for libraries with one learner.

The learner has one seat of each game, drawn again for each game; opponents of one kind have the others. A step goes
from the learner's decision to its next one or to the end of the game, and its reward is the learner's own, whoever
moved last. See docs/training.md, "Transitions of one seat".
"""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from bloodrage_agents.compiled.heuristics import RANDOM, STYLES, choose_many
from bloodrage_env.core.batch import dense_views
from bloodrage_env.core.options import rows
from bloodrage_env.engine import MAX_SEATS, NUM_ACTIONS, STATE, Option
from bloodrage_env.game import GAME
from bloodrage_env.observation import OBSERVATION_SIZE
from bloodrage_env.options import Options

Whole = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float32]


class OneSeatGames:
    """`num_games` games side by side, each waiting for its learner, or over until it is begun anew.

    `observations` float32[N, OBSERVATION_SIZE] and `masks` int8[N, NUM_ACTIONS] are the learner's, the mask empty when
    the game is over; `dones` bool[N]; `rewards` float32[N] the learner's `win` reward, 0 before the end. The arrays are
    kept and overwritten. A game that is cut off (rules 7.9) pays by its scores and counts as ended. `opponent` is a
    style or `random`. Game i plays the seeds `seed + i`, `seed + i + N`, ...
    """

    def __init__(self, num_games: int, num_players: int = 4, opponent: str = "random", seed: int = 0) -> None:
        self.num_games = num_games
        self.options = rows([Options(num_players)] * num_games)
        self.style = RANDOM if opponent == "random" else STYLES.index(opponent)
        self.states = np.zeros(num_games, STATE)
        self.masks = np.zeros((num_games, NUM_ACTIONS), np.int8)
        self.observations = np.zeros((num_games, OBSERVATION_SIZE), np.float32)
        self._views = dense_views(self.observations)
        self.learners = np.zeros(num_games, np.int64)  # seat of the learner
        self._seats = np.zeros(num_games, np.int64)  # to move, -1 at the end
        self._payments = np.zeros((num_games, MAX_SEATS), np.float32)
        self._actions = np.zeros(num_games, np.int64)
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Draw all chance anew from here; the games that are going on are not touched."""
        self.rng = np.random.default_rng(seed)
        self._game_seeds = seed + np.arange(self.num_games) - self.num_games  # each game takes the next one

    @property
    def dones(self) -> npt.NDArray[np.bool_]:
        """bool[N]: the games that are over."""
        return self._seats < 0

    @property
    def rewards(self) -> Reals:
        """float32[N]: what the last step paid the learner."""
        own = self._payments[np.arange(self.num_games), self.learners]
        return np.where(self.dones, own, np.float32(0.0))

    def begin(self, which: Whole) -> None:
        """Begin these games anew, up to the learner's first decisions."""
        if not len(which):
            return
        self._game_seeds[which] += self.num_games
        self.learners[which] = self.rng.integers(self.options[which, Option.NUM_PLAYERS])
        GAME.batch.begin_some(self.states, which, self._game_seeds, self.options, self.masks, *self._views, self._seats)
        self._answer_others(which)

    def step(self, actions: npt.ArrayLike) -> None:
        """Answer for the learner in every game, and play on to its next decisions.

        ValueError for an action that is not legal, or if a game is over.
        """
        self._actions[:] = actions
        everything = np.arange(self.num_games)
        for game in np.flatnonzero(self.masks[everything, self._actions] == 0):
            raise ValueError(f"action {self._actions[game]} is not legal in game {game}")
        self._step(everything)
        self._answer_others(everything)

    def _step(self, which: Whole) -> None:
        GAME.batch.step_some(
            self.states,
            which,
            self._actions,
            self.learners,
            self.masks,
            *self._views,
            self._seats,
            self._payments,
        )

    def _answer_others(self, which: Whole) -> None:
        while len(which := which[(self._seats[which] != self.learners[which]) & (self._seats[which] >= 0)]):
            if self.style == RANDOM:
                self._actions[which] = random_actions(self.masks[which], self.rng)
            else:
                styles = np.full(self.num_games, RANDOM)
                styles[which] = self.style
                choose_many(self.states, styles, self.rng.integers(2**62, size=self.num_games), self._actions)
            self._step(which)


class OneSeat(gymnasium.Env[Any, Any]):
    """One such game as a Gymnasium environment.

    An observation is a dict of `observation`, float32[OBSERVATION_SIZE], and `action_mask`, int8[NUM_ACTIONS]; infos
    are empty. `reset(seed=...)` decides all chance from then on. ValueError for an illegal action.
    """

    def __init__(self, num_players: int = 4, opponent: str = "random", seed: int = 0) -> None:
        self.games = OneSeatGames(1, num_players, opponent, seed)
        box = spaces.Box(-np.inf, np.inf, (OBSERVATION_SIZE,), np.float32)
        mask = spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)
        self.observation_space = spaces.Dict({"observation": box, "action_mask": mask})
        self.action_space = spaces.Discrete(NUM_ACTIONS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """A new game; the learner's first decision."""
        if seed is not None:
            self.games.seed(seed)
        self.games.begin(np.zeros(1, np.int64))
        return self._seen(), {}

    def step(self, action: int) -> tuple[dict[str, npt.NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """The learner's next decision, or the end."""
        self.games.step([action])
        return self._seen(), float(self.games.rewards[0]), bool(self.games.dones[0]), False, {}

    def _seen(self) -> dict[str, npt.NDArray[Any]]:
        return {"observation": self.games.observations[0].copy(), "action_mask": self.games.masks[0].copy()}


def random_actions(masks: npt.NDArray[np.int8], rng: np.random.Generator) -> Whole:
    """int64[N]: a legal action of each row."""
    return np.asarray((masks + rng.random(masks.shape)).argmax(1), np.int64)
