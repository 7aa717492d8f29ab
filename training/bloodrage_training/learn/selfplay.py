"""The environment of one learner in a league: a vectorized environment of Stable-Baselines3 over the batch engine.

The learner has one seat of each game, drawn again for each game; a member of the league has the others. A step goes
from the learner's decision to its next one, or to the end of the game, which it always sees: the reward of a step is
the learner's own, whoever moved last.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from bloodrage_env.core.batch import dense_views
from bloodrage_env.core.copies import TrueCopies
from bloodrage_env.core.options import rows
from bloodrage_env.core.rewards import share_of
from bloodrage_env.engine import MAX_SEATS, NUM_ACTIONS, STATE, Option
from bloodrage_env.game import GAME
from bloodrage_env.observation import OBSERVATION_SIZE
from bloodrage_env.options import Options
from bloodrage_env.rewards import MARGIN_UNIT

from .league import League
from .runs import Histories, show_decisions, whole

LEARNER = -1  # in place of a member of the league

Whole = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float32]


class SelfPlayVecEnv(TrueCopies, VecEnv):
    """`num_envs` games; their options are taken from `options` in turns.

    Observations are float32[num_envs, OBSERVATION_SIZE], rewards the learner's `win` reward (docs/environment.md), 0
    before the end. A game that is cut off at its 10,000th decision pays as one that ends: it isn't marked as truncated,
    since the learner would then be credited with its estimate on top.

    `glory_weight` adds to each step the growth of the learner's glory less the mean of the others', in hundreds,
    and takes the whole away again at the end, so that it changes no game's sum (Ng and others, 1999).

    All chance comes from `seed`; the environment `i` plays the seeds `seed + i`, `seed + i + num_envs`, ...
    """

    glory_weight = 0.0

    def __init__(self, num_envs: int, options: Sequence[Options], league: League, seed: int) -> None:
        box = spaces.Box(-np.inf, np.inf, (OBSERVATION_SIZE,), np.float32)
        self.render_mode = None
        super().__init__(num_envs, box, spaces.Discrete(NUM_ACTIONS))
        self.league = league
        self.rng = np.random.default_rng(seed)
        self.options = rows(options[i % len(options)] for i in range(num_envs))
        self.states = np.zeros(num_envs, STATE)
        self.histories = Histories(num_envs, GAME)
        self.game_seeds = seed + np.arange(num_envs) - num_envs  # each game takes the next one
        self.learners = np.zeros(num_envs, np.int64)  # seat
        self.members = np.zeros(num_envs, np.int64)  # number in the league, of who has the other seats
        self.opponents: list[str] = [""] * num_envs  # its name
        self.masks = np.zeros((num_envs, NUM_ACTIONS), np.int8)
        self.observations = np.zeros((num_envs, OBSERVATION_SIZE), np.float32)
        self.views = dense_views(self.observations)
        self.seats = np.zeros(num_envs, np.int64)
        self.rewards = np.zeros((num_envs, MAX_SEATS), np.float32)
        self.actions = np.zeros(num_envs, np.int64)
        self.lengths = np.zeros(num_envs, np.int64)  # the learner's decisions of the game
        self.leads = np.zeros(num_envs, np.float32)  # of glory, at its last decision

    @property
    def players(self) -> Whole:
        """int64[num_envs]: how many clans play each game."""
        return self.options[:, Option.NUM_PLAYERS]

    def reset(self) -> Reals:
        """Begin all games anew; the first decisions of the learner."""
        self._begin(np.arange(self.num_envs))
        return self.observations.copy()

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Keep the learner's answers for `step_wait`. ValueError for one that is not legal."""
        self.actions[:] = actions
        for game in np.flatnonzero(self.masks[np.arange(self.num_envs), self.actions] == 0):
            raise ValueError(f"action {self.actions[game]} is not legal in environment {game}")

    def step_wait(self) -> VecEnvStepReturn:
        """Play on to the learner's next decisions; a game that ends begins anew."""
        everything = np.arange(self.num_envs)
        self.lengths += 1
        self._step(everything)
        self._answer_others(everything)
        ended = np.flatnonzero(self.seats < 0)
        dones = self.seats < 0
        rewards = np.where(dones, self.rewards[everything, self.learners], np.float32(0.0))
        rewards += self.glory_weight * self._growth(dones)
        infos: list[dict[str, Any]] = [{} for _ in everything]
        for game in ended:
            infos[game] = self._end(int(game))
        self._begin(ended)
        return self.observations.copy(), rewards.astype(np.float32), dones, infos

    def action_masks(self) -> npt.NDArray[np.int8]:
        """int8[num_envs, NUM_ACTIONS]: what the learner may do; what `MaskablePPO` asks for, all at once."""
        return self.masks.copy()

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> Any:
        """Call a method of the whole; `action_masks` is the one that there is."""
        return getattr(self, method_name)(*args, **kwargs)

    def has_attr(self, attr_name: str) -> bool:
        """Whether the whole has it."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of the whole, once for each environment."""
        return [getattr(self, attr_name)] * len(self._indices(indices))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of the whole."""
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """False for each: there are no environments below to be wrapped."""
        return [False] * len(self._indices(indices))

    def close(self) -> None:
        """Nothing is open."""

    def state(self) -> dict[str, Any]:
        """The games as they wait for the learner, for a checkpoint."""
        return {
            "games": self.histories.state(self.game_seeds),
            "learners": torch.tensor(self.learners),
            "members": torch.tensor(self.members),
            "opponents": list(self.opponents),
            "lengths": torch.tensor(self.lengths),
        }

    def resume(self, kept: dict[str, Any]) -> None:
        """Go on with the games of a checkpoint, whose league has been resumed before.

        ValueError if they are not as many games, can't be played so, or don't wait for the learner.
        """
        shape = (self.num_envs,)
        self.game_seeds[:] = self.histories.play_again(kept["games"], self.options, self.states)
        self.learners[:] = whole(kept["learners"], shape, 0, MAX_SEATS - 1)
        self.members[:] = whole(kept["members"], shape, 0, len(self.league.members) - 1)
        self.lengths[:] = whole(kept["lengths"], shape)
        self.opponents = [str(name) for name in kept["opponents"]]
        show_decisions(GAME, self.states, self.masks, self.observations, self.seats)
        if len(self.opponents) != self.num_envs or (self.seats != self.learners).any():
            raise ValueError("its games wait for others than the learner")
        self.leads = self._lead()

    def _indices(self, indices: VecEnvIndices) -> Sequence[int]:
        return list(self._get_indices(indices))

    def _begin(self, which: Whole) -> None:
        """Begin games anew, seat the learner and its opponents, and play on to the learner's first decisions."""
        if not len(which):
            return
        self.histories.forget(which)
        self.game_seeds[which] += self.num_envs
        self.learners[which] = self.rng.integers(self.players[which])
        self.members[which] = self.league.draw(len(which), self.rng)
        for game in which:
            self.opponents[game] = self.league.members[self.members[game]].name
        self.lengths[which] = 0
        GAME.batch.begin_some(self.states, which, self.game_seeds, self.options, self.masks, *self.views, self.seats)
        self._answer_others(which)
        self.leads[which] = self._lead()[which]

    def _step(self, which: Whole) -> None:
        self.histories.note(which, self.actions[which])
        GAME.batch.step_some(
            self.states,
            which,
            self.actions,
            self.learners,
            self.masks,
            *self.views,
            self.seats,
            self.rewards,
        )

    def _answer_others(self, which: Whole) -> None:
        """Let the league answer in these games until each waits for the learner or has ended."""
        while len(which := which[(self.seats[which] != self.learners[which]) & (self.seats[which] >= 0)]):
            owners = np.full(self.num_envs, LEARNER)
            owners[which] = self.members[which]
            self.league.act(owners, self.states, self.masks, self.actions, self.rng)
            self._step(which)

    def _lead(self) -> Reals:
        """float32[num_envs]: the learner's glory less the mean of the others', in hundreds."""
        glory = self.states["glory"].astype(np.float32)
        own = glory[np.arange(self.num_envs), self.learners]
        return np.asarray((own - (glory.sum(1) - own) / (self.players - 1)) / MARGIN_UNIT, np.float32)

    def _growth(self, dones: npt.NDArray[np.bool_]) -> Reals:
        """The growth of the lead since the learner's last decision; at the end the lead counts as 0."""
        lead = np.where(dones, np.float32(0.0), self._lead())
        growth = lead - self.leads
        self.leads = lead
        return growth

    def _end(self, game: int) -> dict[str, Any]:
        """Tell the league of a game that has ended; what SB3 wants to know of it."""
        players, reward = int(self.players[game]), float(self.rewards[game, self.learners[game]])
        share = share_of(reward, players)
        member = self.league.members[self.members[game]]
        if member.name == self.opponents[game]:  # or else it has left the league meanwhile
            member.record(share, players)
        return {
            "terminal_observation": self.observations[game].copy(),
            "episode": {"r": reward, "l": int(self.lengths[game]), "t": 0.0},
        }
