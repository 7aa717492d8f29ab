"""`bloodrage train --learner sb3`: MaskablePPO of sb3-contrib in a league, in a folder that can be resumed.

The folder holds `checkpoint.pt`, the snapshots of the league, the logs `log.csv`, `evaluation.csv` and `league.csv`,
and the same for TensorBoard.
"""

import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter, Logger, TensorBoardOutputFormat
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor

from bloodrage_agents.table import BASELINES
from bloodrage_env.errors import UserError
from bloodrage_env.options import Options

from .evaluate import against_baselines
from .league import SELF, League, policies_of
from .policy import Policy, SparseRows, Trunk, load_policy
from .recipe import change
from .runs import (
    CHECKPOINT,
    SEED_STEP,
    alone,
    counted,
    cut_log,
    first_policy,
    load_optimizer,
    log,
    rates_text,
    read_toml,
    resumed,
    settings,
    settings_text,
    status,
    usual,
    with_policy,
    write,
)
from .selfplay import SelfPlayVecEnv

ENDLESS: Final = 10**15  # steps; time is what ends a run
LOG: Final = "log.csv"
EVALUATION: Final = "evaluation.csv"
LEAGUE: Final = "league.csv"
LOGS: Final = (LOG, EVALUATION, LEAGUE)
EPISODES: Final = 100  # whose means are logged; SB3's own number
# What SB3 records of an update, as far as `log.csv` has it.
FIGURES: Final = (
    "time/fps",
    "rollout/ep_rew_mean",
    "rollout/ep_len_mean",
    "train/policy_gradient_loss",
    "train/value_loss",
    "train/entropy_loss",
    "train/approx_kl",
    "train/clip_fraction",
    "train/explained_variance",
)


@dataclass(frozen=True)
class TrainConfig:
    """A run; the TOML file has the same names. docs/training.md says what they do."""

    seed: int = 1
    minutes: float = 60.0  # each time that it is begun or resumed
    threads: int = 1
    start: str = ""  # the first network: a checkpoint, or an exported policy (.npz)

    width: int = 256
    layers: int = 2

    games: int = 256
    steps: int = 64  # of the learner in each game, for an update
    players: tuple[int, ...] = (4, 4, 4, 3, 2)
    sets: tuple[str, ...] = ()  # card sets beside the base game
    opponents: tuple[str, ...] = BASELINES
    self_play: float = 0.3
    snapshot_every: int = 50  # updates
    max_snapshots: int = 8

    learning_rate: float = 3e-4
    gae_lambda: float = 0.95
    epochs: int = 3
    minibatch: int = 2048
    clip: float = 0.2
    entropy: float = 0.005
    value_weight: float = 0.5
    target_kl: float = 0.03
    glory_weight: float = 0.0  # of the shaping reward, at first
    glory_steps: int = 2_000_000  # after which it has faded out

    save_minutes: float = 2.0
    evaluate_every: int = 10  # updates
    evaluation_games: int = 200


def read(path: Path | None, changes: Sequence[str] = (), game: str = Options.game) -> TrainConfig:
    """The settings of a TOML file, or the defaults. `changes` are `KEY=VALUE`. UserError for whatever is wrong."""
    if game != Options.game:
        raise UserError(f"the learner sb3 does not learn {game}; leave --learner out")
    where = str(path) if path else "--set"
    config = settings((read_toml(path) if path else {}) | dict(map(change, changes)), TrainConfig, where)
    if config.minibatch > config.games * config.steps:
        raise UserError(f"{where}: minibatch is {config.minibatch}, more than games x steps")
    return config


def text(config: TrainConfig) -> str:
    """Settings as `read` reads them."""
    return settings_text(asdict(config))


def game_of(config: TrainConfig) -> str:
    """The game that is learned."""
    return Options.game


def lasting(config: TrainConfig, minutes: float) -> TrainConfig:
    """The same settings, for so many minutes."""
    return replace(config, minutes=minutes)


def has_workers(config: TrainConfig) -> bool:
    """False: all of it is done in one process."""
    return False


def check(config: TrainConfig, folder: Path) -> None:
    """UserError for a first policy or an opponent that can't be used."""
    if config.start:
        _started(config)
    policies_of(config.opponents)


def _started(config: TrainConfig) -> Policy:
    """The policy that a new run begins with.

    UserError for one of another size than the configuration says, or that a learner of observations alone can't be.
    """
    policy, _ = first_policy(config.start, config.width, config.layers)
    if (policy.width, len(policy.layers)) != (config.width, config.layers):
        raise UserError(f"{config.start} is {policy.width} wide with {len(policy.layers)} layers; configure that")
    if bool(policy.gains.weight.any()) or bool(policy.gains.bias.any()):
        raise UserError(f"{config.start} knows rules of thumb; start with a policy of the learner sb3")
    return policy


# ---- the learner


class Extractor(BaseFeaturesExtractor):
    """The trunk of `Policy`, as what MaskablePPO calls a features extractor."""

    def __init__(self, observation_space: spaces.Box, width: int, layers: int) -> None:
        super().__init__(observation_space, width)
        self.trunk = Trunk(width, layers)

    def forward(self, observations: Tensor) -> Tensor:
        """float32[N, OBSERVATION_SIZE] to float32[N, width]."""
        hidden: Tensor = self.trunk(SparseRows.of_vectors(observations.numpy()))
        return hidden


def make_learner(config: TrainConfig, env: SelfPlayVecEnv) -> MaskablePPO:
    """MaskablePPO whose network is a `Policy` in parts."""
    return MaskablePPO(
        MaskableActorCriticPolicy,
        env,
        learning_rate=config.learning_rate,
        n_steps=config.steps,
        batch_size=config.minibatch,
        n_epochs=config.epochs,
        gamma=1.0,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip,
        ent_coef=config.entropy,
        vf_coef=config.value_weight,
        target_kl=config.target_kl,
        policy_kwargs={
            "net_arch": {"pi": [], "vf": []},
            "features_extractor_class": Extractor,
            "features_extractor_kwargs": {"width": config.width, "layers": config.layers},
        },
        seed=config.seed,
        device="cpu",
    )


def _trunk(learner: MaskablePPO) -> Trunk:
    extractor = learner.policy.features_extractor
    assert isinstance(extractor, Extractor)
    return extractor.trunk


def to_policy(learner: MaskablePPO, policy: Policy) -> None:
    """Copy the learner's weights into a policy, which values its own seat alone and knows no rules of thumb."""
    trunk, actions, value = _trunk(learner), learner.policy.action_net, learner.policy.value_net
    with torch.no_grad():
        for weights in policy.parameters():
            weights.zero_()
        for ours, theirs in zip(_trunk_of(policy), trunk.parameters(), strict=True):
            ours.copy_(theirs)
        policy.actions.load_state_dict(actions.state_dict())
        policy.value.weight[:1] = value.weight
        policy.value.bias[:1] = value.bias


def from_policy(policy: Policy, learner: MaskablePPO) -> None:
    """Copy the weights of a policy that knows no rules of thumb into the learner."""
    with torch.no_grad():
        for theirs, ours in zip(_trunk(learner).parameters(), _trunk_of(policy), strict=True):
            theirs.copy_(ours)
        learner.policy.action_net.load_state_dict(policy.actions.state_dict())
        learner.policy.value_net.weight.copy_(policy.value.weight[:1])
        learner.policy.value_net.bias.copy_(policy.value.bias[:1])


def _trunk_of(policy: Policy) -> list[torch.nn.Parameter]:
    heads = {id(weights) for head in (policy.actions, policy.gains, policy.value) for weights in head.parameters()}
    return [weights for weights in policy.parameters() if id(weights) not in heads]


# ---- the run


class Over(Exception):  # noqa: N818 - it is no error
    """Ends `learn` between two updates, which has no way of its own to do so."""


class Run(BaseCallback):
    """What happens between updates: snapshots, evaluation, logs, checkpoints, and the end."""

    def __init__(self, config: TrainConfig, folder: Path, learner: MaskablePPO, env: SelfPlayVecEnv) -> None:
        super().__init__()
        self.config, self.folder, self.learner, self.env = config, folder, learner, env
        self.mirror = env.league.policies[SELF]  # what the league plays with, and what is kept
        self.path = folder / CHECKPOINT
        self.progress: dict[str, Any] = {"updates": 0, "steps": 0, "seconds": 0.0}
        self.win_rates: dict[str, float] = {}
        self.kept: dict[str, Any] = {}  # all that decides what comes next, as it was after the last update
        self.began = self.saved = self.clock = time.monotonic()
        self.first = 0  # steps when the run was resumed

    def _on_training_start(self) -> None:
        self.first = self.num_timesteps
        self.began = self.saved = self.clock = time.monotonic()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        """An update is done, or the run is resumed: the league plays with the new weights."""
        config, progress = self.config, self.progress
        to_policy(self.learner, self.mirror)
        if self.num_timesteps > self.first:
            self._end_update()
        self.kept = self._state()
        if self.num_timesteps > self.first:
            self._report()
            if time.monotonic() > self.saved + 60 * config.save_minutes:
                self.save()
            if self.over():
                raise Over
        self.env.glory_weight = config.glory_weight * max(0.0, 1 - self.num_timesteps / config.glory_steps)
        # All chance of an update comes from the seed of the run and the number of the update.
        self.env.rng = np.random.default_rng([config.seed, progress["updates"]])
        self.learner.set_random_seed(int(self.env.rng.integers(2**32)))

    def over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self.began + 60 * self.config.minutes

    def _end_update(self) -> None:
        config, progress, now = self.config, self.progress, time.monotonic()
        progress["updates"] += 1
        progress["steps"] = self.num_timesteps
        progress["seconds"] += now - self.clock
        self.clock = now
        if progress["updates"] % config.snapshot_every == 0:
            self.env.league.add_snapshot(f"snapshot-{progress['updates']:06}", self.mirror)
        if progress["updates"] % config.evaluate_every == 0:
            self._evaluate()
        self.learner.dump_logs(progress["updates"])

    def _report(self) -> None:
        """A line of progress."""
        spent = time.monotonic() - self.began
        speed = (self.num_timesteps - self.first) / spent
        left = 60 * self.config.minutes - spent
        line = status(self.progress["updates"], self.num_timesteps, "steps", speed, left, rates_text(self.win_rates))
        print(line, file=sys.stderr, flush=True)

    def _evaluate(self) -> None:
        """Measure against the baselines; log that and the league."""
        updates = self.progress["updates"]
        self.win_rates = against_baselines(self.mirror, self.config.evaluation_games, usual(self.config.players))
        log(self.folder / EVALUATION, self.progress | {name: f"{share:.4f}" for name, share in self.win_rates.items()})
        for name, share in self.win_rates.items():
            self.logger.record(f"win_rate/{name}", share)
        for row in self.env.league.table():
            log(self.folder / LEAGUE, {"updates": updates} | row)

    def _state(self) -> dict[str, Any]:
        optimizer = self.learner.policy.optimizer
        return with_policy(
            self.mirror,
            optimizer=optimizer.state_dict()["state"],
            config=asdict(self.config),
            progress=self.progress,
            win_rates=self.win_rates,
            league=self.env.league.state(),
            tables=self.env.state(),
            episodes=[[float(each["r"]), float(each["l"])] for each in self.learner.ep_info_buffer or ()],
        )

    def save(self) -> None:
        """Write the checkpoint; whoever is killed meanwhile leaves the old one whole."""
        if self.kept:
            write(self.path, self.kept)
            self.env.league.sweep(self.kept["league"])
        self.saved = time.monotonic()

    def resume(self) -> None:
        """Take up the run of the folder, if there is one."""
        if not self.path.exists():
            return
        policy, kept = load_policy(self.path)
        learner, env = self.learner, self.env
        with resumed(self.path, kept):
            from_policy(policy, learner)
            load_optimizer(learner.policy.optimizer, kept["optimizer"])
            self.progress = counted(kept["progress"], self.progress)
            self.win_rates = {name: float(kept["win_rates"][name]) for name in BASELINES if name in kept["win_rates"]}
            env.league.resume(kept["league"])
            env.resume(kept["tables"])
            learner.num_timesteps = self.progress["steps"]
            learner._last_obs = env.observations.copy()  # or else `learn` begins all games anew
            learner._last_episode_starts = np.zeros(env.num_envs, bool)  # of a first row, which nothing asks for
            infos = [{"r": float(reward), "l": float(length), "t": 0.0} for reward, length in kept["episodes"]]
            learner.ep_info_buffer, learner.ep_success_buffer = deque(infos, maxlen=EPISODES), deque()
        for name in LOGS:
            cut_log(self.folder / name, self.progress["updates"])


class Csv(KVWriter):
    """SB3's figures of each update, in one file that is cut when a run is resumed."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        """Add a row."""
        figures = {name.partition("/")[2]: float(key_values.get(name, np.nan)) for name in FIGURES}
        log(self.run.folder / LOG, self.run.progress | figures)

    def close(self) -> None:
        """Nothing is open."""


def train(config: TrainConfig, folder: Path) -> bool:
    """Train until the time is over; goes on from the folder's checkpoint.

    Ctrl-C ends it with a checkpoint of the last whole update; returns whether the time is over.
    """
    torch.set_num_threads(config.threads)
    with alone(folder):
        torch.manual_seed(config.seed)
        if config.start and not (folder / CHECKPOINT).exists():
            policy = _started(config)
        else:
            policy = Policy(config.width, config.layers)
            policy.know_observations_alone()
        league = League(folder / "league", policy, config.opponents, config.self_play, config.max_snapshots)
        options = [Options(players, sets=config.sets) for players in config.players]
        env = SelfPlayVecEnv(config.games, options, league, config.seed * SEED_STEP)
        learner = make_learner(config, env)
        from_policy(policy, learner)
        run = Run(config, folder, learner, env)
        run.resume()
        logger = Logger(str(folder), [Csv(run), TensorBoardOutputFormat(str(folder / "tensorboard"))])
        learner.set_logger(logger)
        try:
            learner.learn(ENDLESS, callback=run, log_interval=None, reset_num_timesteps=False)
        except Over:
            return True
        except KeyboardInterrupt:
            print("\nstopping; the checkpoint is being written", file=sys.stderr)
        finally:
            run.save()
            logger.close()
        return False
