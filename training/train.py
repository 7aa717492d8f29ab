"""`bloodrage train`: MaskablePPO of sb3-contrib among a league, in a run folder that can be resumed at any time.

The folder holds `config.toml` and `versions.json` of the run, `checkpoint.pt`, the league, `evaluation.csv`,
`league.csv`, and the learner's own log (`progress_*.csv`, and events for TensorBoard).
"""

import argparse
import importlib.metadata
import json
import platform
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import CSVOutputFormat, Logger, TensorBoardOutputFormat
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor

from agents.compiled.heuristics import STYLES
from bloodrage_env.engine.signature import RULES_VERSION
from bloodrage_env.errors import UserError

from .evaluate import LADDER, against, greedy
from .league import RANDOM, SELF, League
from .policy import Policy, SparseRows, Trunk, load_policy
from .ppo import cut_log, log, read_settings
from .selfplay import SelfPlayVecEnv

ENDLESS: Final = 10**15  # steps; time is what ends a run
INTERRUPTED: Final = 130
LOGS: Final = ("evaluation.csv", "league.csv")
PACKAGES: Final = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib")
# Names of the heads in MaskableActorCriticPolicy, and in Policy.
_HEADS: Final = {"action_net": "actions", "value_net": "value"}


@dataclass(frozen=True)
class TrainConfig:
    """A run; the TOML file has the same names. docs/training.md says what they do."""

    seed: int = 1
    minutes: float = 60.0
    threads: int = 1
    start: str = ""  # a checkpoint to begin from

    width: int = 256
    layers: int = 2

    games: int = 256
    steps: int = 64  # of the learner in each game, for an update
    players: tuple[int, ...] = (4, 4, 4, 3, 2)
    opponents: tuple[str, ...] = (RANDOM, *STYLES)
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
    evaluate_every: int = 25  # updates
    evaluation_games: int = 200


def read_config(path: Path) -> TrainConfig:
    """The configuration of a TOML file. UserError for whatever is wrong with it."""
    config = read_settings(path, TrainConfig)
    if config.minibatch > config.games * config.steps:
        raise UserError(f"{path}: minibatch is {config.minibatch}, more than games x steps")
    return config


# ---- the learner


class Extractor(BaseFeaturesExtractor):
    """The trunk of `Policy`, as what MaskablePPO calls a features extractor."""

    def __init__(self, observation_space: spaces.Box, width: int, layers: int) -> None:
        super().__init__(observation_space, width)
        self.trunk = Trunk(width, layers)

    def forward(self, observations: Tensor) -> Tensor:
        """float32[N, OBSERVATION_SIZE] to float32[N, width]."""
        return self.trunk.features(SparseRows.of(observations.numpy()))


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
    """Copy the learner's weights into a policy."""
    weights = dict(_trunk(learner).state_dict())
    for theirs, ours in _HEADS.items():
        head = getattr(learner.policy, theirs)
        weights |= {f"{ours}.{name}": value for name, value in head.state_dict().items()}
    policy.load_state_dict(weights)


def from_policy(policy: Policy, learner: MaskablePPO) -> None:
    """Copy a policy's weights into the learner."""
    weights = policy.state_dict()
    heads = tuple(f"{ours}." for ours in _HEADS.values())
    trunk = {name: value for name, value in weights.items() if not name.startswith(heads)}
    _trunk(learner).load_state_dict(trunk)
    for theirs, ours in _HEADS.items():
        head = {name.removeprefix(f"{ours}."): value for name, value in weights.items() if name.startswith(f"{ours}.")}
        getattr(learner.policy, theirs).load_state_dict(head)


# ---- the run


class Run(BaseCallback):
    """What happens between updates: snapshots, evaluation, checkpoints, progress, and the end."""

    def __init__(self, config: TrainConfig, folder: Path, learner: MaskablePPO, env: SelfPlayVecEnv) -> None:
        super().__init__()
        self.config, self.folder, self.learner, self.env = config, folder, learner, env
        self.mirror = env.league.policies[SELF]  # what the league plays with, and what is kept
        self.path = folder / "checkpoint.pt"
        self.updates = 0
        self.interrupted = False
        self.began = self.saved = time.monotonic()
        self.first_step = self.steps = 0  # whole rollouts only
        self.scores: dict[str, str] = {}

    def _on_training_start(self) -> None:
        self.first_step = self.num_timesteps

    def _on_step(self) -> bool:
        return not self.interrupted

    def _on_rollout_start(self) -> None:
        """An update is done (or the run begins): the league plays with the new weights."""
        config, league = self.config, self.env.league
        to_policy(self.learner, self.mirror)
        self.env.glory_weight = config.glory_weight * max(0.0, 1 - self.num_timesteps / config.glory_steps)
        self.steps = self.num_timesteps
        if self.steps == self.first_step:
            return
        self.updates += 1
        if self.updates % config.snapshot_every == 0:
            league.add_snapshot(f"snapshot-{self.updates:06}", self.mirror)
        if self.updates % config.evaluate_every == 0:
            self._evaluate()
        if time.monotonic() > self.saved + 60 * config.save_minutes:
            self.save()
        self._report()
        if time.monotonic() > self.began + 60 * config.minutes:
            self.interrupted = True

    def _evaluate(self) -> None:
        """Measure against the ladder; log that and the league."""
        count = self.config.evaluation_games
        scores = {name: against(greedy(self.mirror), name, count).share for name in LADDER}
        self.scores = {name: f"{share:.3f}" for name, share in scores.items()}
        log(self.folder / LOGS[0], {"updates": self.updates, "steps": self.num_timesteps} | self.scores)
        for name, share in scores.items():
            self.logger.record(f"ladder/{name}", share)
        for row in self.env.league.table():
            log(self.folder / LOGS[1], {"updates": self.updates} | row)

    def _report(self) -> None:
        """A line of progress."""
        spent = time.monotonic() - self.began
        speed = (self.num_timesteps - self.first_step) / spent
        left = max(0.0, self.config.minutes - spent / 60)
        ladder = " ".join(f"{name} {share}" for name, share in self.scores.items())
        text = f"update {self.updates}, {self.num_timesteps:,} steps, {speed:,.0f} steps/s, {left:.0f} min left"
        print(f"{text}{'; victories against ' + ladder if ladder else ''}", file=sys.stderr, flush=True)

    def save(self) -> None:
        """Write the checkpoint and the league; whoever is killed meanwhile leaves the old ones whole."""
        self.env.league.save()
        half_written = self.path.with_suffix(".tmp")
        kept = {
            "policy": self.mirror.state_dict(),
            "shape": {"width": self.mirror.width, "layers": len(self.mirror.layers)},
            "optimizer": self.learner.policy.optimizer.state_dict(),
            "config": asdict(self.config),
            "progress": {"updates": self.updates, "steps": self.steps},
        }
        torch.save(kept, half_written)
        half_written.replace(self.path)
        self.saved = time.monotonic()

    def resume(self) -> None:
        """Take up the run of the folder, if there is one."""
        if not self.path.exists():
            return
        policy, kept = load_policy(self.path)
        from_policy(policy, self.learner)
        self.learner.policy.optimizer.load_state_dict(kept["optimizer"])
        self.updates, self.steps = kept["progress"]["updates"], kept["progress"]["steps"]
        self.learner.num_timesteps = self.steps
        self.env.league.load()
        for name in LOGS:
            cut_log(self.folder / name, self.updates)


def train(config: TrainConfig, folder: Path) -> bool:
    """Train until the time is over; goes on from the folder's checkpoint. Returns False if it was interrupted."""
    torch.set_num_threads(config.threads)
    policy = load_policy(Path(config.start))[0] if config.start else Policy(config.width, config.layers)
    if (policy.width, len(policy.layers)) != (config.width, config.layers):
        raise UserError(f"{config.start} is {policy.width} wide with {len(policy.layers)} layers; configure that")
    league = League(folder / "league", policy, config.opponents, config.self_play, config.max_snapshots)
    done = _updates_done(folder)
    env = SelfPlayVecEnv(config.games, config.players, league, (config.seed * 1000 + done) * 2**24)
    learner = make_learner(config, env)
    if config.start:
        from_policy(policy, learner)
    run = Run(config, folder, learner, env)
    run.resume()
    learner.set_logger(_logger(folder, learner.num_timesteps))
    with _stopped_by_ctrl_c(run):
        learner.learn(ENDLESS, callback=run, reset_num_timesteps=False)
    to_policy(learner, run.mirror)
    run.save()
    return time.monotonic() > run.began + 60 * config.minutes


def _updates_done(folder: Path) -> int:
    path = folder / "checkpoint.pt"
    return int(load_policy(path)[1]["progress"]["updates"]) if path.exists() else 0


def _logger(folder: Path, steps: int) -> Logger:
    """SB3's figures, in a file of its own for each time that the run is taken up."""
    csv = CSVOutputFormat(str(folder / f"progress_{steps:012}.csv"))
    return Logger(str(folder), [csv, TensorBoardOutputFormat(str(folder / "tensorboard"))])


@contextmanager
def _stopped_by_ctrl_c(run: Run) -> Iterator[None]:
    """Let Ctrl-C end the run at the next decision, once; the second time it is as ever."""

    def stop(*_: object) -> None:
        run.interrupted = True
        signal.signal(signal.SIGINT, before)
        print("\nstopping; the checkpoint is being written", file=sys.stderr)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# ---- the command


def run(args: argparse.Namespace) -> int:
    """`bloodrage train`: begin a run, or go on with the one in the folder `out`; returns the exit status.

    `args` has `config` (a TOML file, or None to go on), `out` and `minutes` (None: what the configuration says).
    """
    folder = Path(args.out)
    kept = folder / "config.toml"
    if args.config is not None:
        config = read_config(Path(args.config))
        if kept.exists() and kept.read_text() != Path(args.config).read_text():
            raise UserError(f"{folder} holds a run with another configuration; give another --out, or no CONFIG")
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(args.config, kept)
    elif kept.exists():
        config = read_config(kept)
    else:
        raise UserError(f"{folder} holds no run; give a configuration, for example training/configs/league.toml")
    if args.minutes is not None:
        config = TrainConfig(**(asdict(config) | {"minutes": args.minutes}))
    versions: dict[str, Any] = {name: importlib.metadata.version(name) for name in PACKAGES}
    versions |= {"python": platform.python_version(), "rules": RULES_VERSION}
    (folder / "versions.json").write_text(json.dumps(versions, indent=1))
    finished = train(config, folder)
    print(f"{'done' if finished else 'stopped'}; to go on: bloodrage train --out {folder}", file=sys.stderr)
    return 0 if finished else INTERRUPTED
