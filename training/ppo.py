"""Self-play by proximal policy optimization in one file, to be read from top to bottom.

One network plays its seats of a batch of games and learns from every decision of them. In some games the network has
all seats, in others heuristics have some.

A row is one decision of a seat. Its successor is the seat's own next decision, not the next decision of the game, which
is another seat's most of the time; and a seat gets its reward when the game ends, whoever moved last. `advantages`
takes care of that. PPO: Schulman and others, 2017; generalized advantage estimation: 2016. Settings, logs and
checkpoints, which have nothing to do with learning, are in `runs.py`.
"""

import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from bloodrage_agents.compiled.heuristics import STYLES, choose_many
from bloodrage_env import VectorGames
from bloodrage_env.core.rewards import share_of
from bloodrage_env.engine import MAX_SEATS
from bloodrage_env.errors import UserError
from bloodrage_env.options import Options
from bloodrage_training.learn.evaluate import BASELINE_STYLES, BASELINES, against_baselines
from bloodrage_training.learn.opponents import TRAINING_STYLES, check_opponents
from bloodrage_training.learn.policy import Policy, SparseRows, load_policy, probabilities, sample
from bloodrage_training.learn.runs import (
    CHECKPOINT,
    SEED_STEP,
    Histories,
    alone,
    counted,
    cut_log,
    first_policy,
    load_optimizer,
    log,
    show_decisions,
    status,
    taken_up,
    train_by_file,
    whole,
    with_policy,
    write,
)

NETWORK = -1  # in place of the style of a seat: the network plays it
LOGS = ("log.csv", "evaluation.csv")

Bools = npt.NDArray[np.bool_]
Whole = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float32]


# ---- configuration


@dataclass(frozen=True)
class Config:
    """A run; a TOML file has the same names."""

    run: str = "runs/ppo"  # folder of checkpoint and log
    start: str = ""  # the first network: a checkpoint, of imitation for example, or an exported policy (.npz)
    seed: int = 1
    decisions: int = 10_000_000  # of the network in the whole run, however often it is taken up
    threads: int = 1
    bfloat16: bool = False  # in the residual layers; quicker where the processor multiplies it (AVX-512 BF16, AMX)

    width: int = 256
    layers: int = 2

    games: int = 512  # side by side
    steps: int = 128  # decisions of each game in an update
    players: tuple[int, ...] = (4, 4, 4, 3, 2)  # of the games, in turns
    sets: tuple[str, ...] = ()  # card sets beside the base game
    self_play: float = 0.5  # share of games in which the network has all seats
    # In the other games it has a seat, and each further one with this probability; the rest have one style, by weight.
    more_seats: float = 0.0
    opponents: dict[str, float] = field(default_factory=lambda: {"balanced": 1.0})

    learning_rate: float = 2.5e-4
    learning_rate_decay: float = 1.0  # the last part of the run, over which it decays to zero
    gae_lambda: float = 0.95
    epochs: int = 2
    minibatch: int = 4096
    clip: float = 0.2
    entropy: float = 0.005
    value_weight: float = 0.5
    gradient_norm: float = 0.5
    target_kl: float = 0.03  # an update ends early when the policy has moved that far

    save_minutes: float = 3.0
    evaluate_every: int = 25  # updates
    evaluation_games: int = 400


# ---- playing


@dataclass
class Batch:
    """Decisions of the network, one a row, in the order in which they were made."""

    rows: SparseRows
    masks: Tensor  # bool[R, NUM_ACTIONS]
    actions: Tensor  # int64[R]
    log_probabilities: Tensor  # float32[R], of these actions when they were chosen
    values: Tensor  # float32[R], as estimated then
    advantages: Tensor  # float32[R]
    returns: Tensor  # float32[R], what the value should have been
    known: Bools  # rows to learn from: the others have no next decision yet


@dataclass
class Step:
    """What the network did in one step of all games, and what came of the step."""

    games: Whole  # of each row
    seats: Whole  # of each row
    values: Reals  # of each row
    dones: Bools  # of each game
    rewards: Reals  # float32[games, MAX_SEATS]


@dataclass
class Counts:
    """What a rollout came to."""

    games: int = 0
    decisions: int = 0  # the network's
    environment: float = 0.0  # seconds in the engine, heuristics included
    share: dict[str, list[float]] = field(default_factory=dict)  # of wins, of one seat against a style


def advantages(steps: list[Step], gae_lambda: float) -> tuple[Reals, Bools]:
    """float32[R] the advantage of every row of these steps, bool[R] whether it is known.

    For each seat of each game its rows are a sequence of their own, walked from the last to the first. The last one of
    a seat whose game goes on is not known: its value is only what comes next for the row before. Nothing is
    discounted: a game is short, and only its end has a reward.
    """
    shape = steps[0].rewards.shape
    next_reward, next_value, next_advantage = np.zeros((3, *shape), np.float32)
    has_next = np.zeros(shape, bool)
    result, known = [], []
    for step in reversed(steps):
        next_reward[step.dones] = step.rewards[step.dones]
        next_value[step.dones] = 0.0
        next_advantage[step.dones] = 0.0
        has_next[step.dones] = True
        at = step.games, step.seats
        error = next_reward[at] + next_value[at] - step.values
        advantage = np.where(has_next[at], error + gae_lambda * next_advantage[at], np.float32(0.0))
        result.append(advantage)
        known.append(has_next[at])
        next_reward[at] = 0.0
        next_value[at] = step.values
        next_advantage[at] = advantage
        has_next[at] = True
    return np.concatenate(result[::-1]), np.concatenate(known[::-1])


class Tables:
    """Games side by side, and who sits where: `styles` int64[games, MAX_SEATS], NETWORK or a style."""

    def __init__(self, config: Config, seed: int) -> None:
        self.config = config
        players = [config.players[i % len(config.players)] for i in range(config.games)]
        self.games = VectorGames(config.games, players, seed=seed, sets=config.sets)
        self.games.reset()
        self.histories = Histories(config.games)
        self.rng = np.random.default_rng(seed)
        self.styles = np.full((config.games, MAX_SEATS), NETWORK)
        names = list(config.opponents)
        check_opponents(names, TRAINING_STYLES)
        weights = np.array([config.opponents[name] for name in names])
        if weights.dtype.kind not in "if" or not (weights > 0).all() or not len(names):
            raise UserError(f"opponents are {config.opponents}; give each a weight above 0")
        self._style_ids = np.array([STYLES.index(name) for name in names])
        self._chances = weights / weights.sum()
        self.seat(np.arange(config.games))

    def seat(self, games: Whole) -> None:
        """Draw anew who sits at these tables."""
        rng = self.rng
        style = rng.choice(self._style_ids, size=(len(games), 1), p=self._chances)
        own = rng.random((len(games), MAX_SEATS)) < self.config.more_seats
        own[np.arange(len(games)), rng.integers(self.games.players[games])] = True
        own |= rng.random((len(games), 1)) < self.config.self_play
        self.styles[games] = np.where(own, NETWORK, style)

    def play(self, policy: Policy, num_steps: int) -> tuple[Batch, Counts]:
        """Step all games so many times: what the network did, and what it came to."""
        games, counts = self.games, Counts()
        parts: list[SparseRows] = []
        tensors: list[tuple[Tensor, ...]] = []  # mask, action, its log-probability, value
        steps: list[Step] = []
        everything = np.arange(games.num_games)
        for _ in range(num_steps):
            owner = self.styles[everything, games.seats]
            mine = np.flatnonzero(owner == NETWORK)
            rows, masks = SparseRows.of(games.observations, mine), torch.from_numpy(games.masks[mine]).bool()
            with torch.inference_mode():
                logits, values = policy(rows)
                chances, log_chances = probabilities(logits, masks)
                chosen = sample(chances)
            parts.append(rows)
            tensors.append((masks, chosen, log_chances.gather(1, chosen[:, None])[:, 0], values))
            clock = time.perf_counter()
            actions = np.empty(len(owner), np.int64)
            actions[mine] = chosen.numpy()
            choose_many(games.states, owner, self.rng.integers(2**62, size=len(owner)), actions)
            seats = games.seats[mine]
            self.histories.note(everything, actions)
            games.step(actions)
            counts.environment += time.perf_counter() - clock
            steps.append(Step(mine, seats, values.numpy(), games.dones.copy(), games.rewards.copy()))
            counts.decisions += len(mine)
            self._end_games(np.flatnonzero(games.dones), counts)
        advantage, known = advantages(steps, self.config.gae_lambda)
        masks, taken, logs, values = (torch.cat(columns) for columns in zip(*tensors, strict=True))
        gains = torch.from_numpy(advantage)
        return Batch(SparseRows.join(parts), masks, taken, logs, values, gains, gains + values, known), counts

    def _end_games(self, ended: Whole, counts: Counts) -> None:
        counts.games += len(ended)
        self.histories.forget(ended)
        for game in ended:
            players = self.games.players[game]
            own = np.flatnonzero(self.styles[game, :players] == NETWORK)
            if len(own) == 1 and players == Options.num_players:
                style = STYLES[self.styles[game, (own[0] + 1) % players]]
                share = share_of(float(self.games.rewards[game, own[0]]), int(players))
                counts.share.setdefault(style, []).append(share)
        self.seat(ended)

    def state(self) -> dict[str, Any]:
        """The games as they are, for a checkpoint."""
        return {"games": self.histories.state(self.games.seeds), "styles": torch.tensor(self.styles)}

    def take_up(self, kept: dict[str, Any]) -> None:
        """Go on with the games of a checkpoint. ValueError if they are not as many games, or can't be played."""
        games = self.games
        games.seeds[:] = self.histories.play_again(kept["games"], games.options, games.states)
        show_decisions(games.states, games.masks, games.observations, games.seats)
        self.styles[:] = whole(kept["styles"], self.styles.shape, NETWORK, len(STYLES) - 1)


# ---- learning


def learn(policy: Policy, optimizer: torch.optim.Optimizer, batch: Batch, config: Config) -> dict[str, float]:
    """Improve the policy on a batch, a few times over; returns means over the minibatches, for the log."""
    usable = np.flatnonzero(batch.known)
    gains = batch.advantages[usable]
    mean, deviation = gains.mean(), gains.std() + 1e-8
    sums: dict[str, float] = {}
    minibatches = 0
    kl = 0.0
    for _ in range(config.epochs):
        order = usable[torch.randperm(len(usable)).numpy()]
        for start in range(0, len(order), config.minibatch):
            picked = order[start : start + config.minibatch]
            at = torch.from_numpy(picked)
            logs, entropies, values = policy.evaluate_actions(
                batch.rows.take(picked), batch.masks[at], batch.actions[at]
            )
            entropy = entropies.mean()
            moved = logs - batch.log_probabilities[at]
            ratio = moved.exp()
            gain = (batch.advantages[at] - mean) / deviation
            clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
            policy_loss = -torch.minimum(ratio * gain, clipped * gain).mean()
            value_loss = (values - batch.returns[at]).square().mean()
            loss = policy_loss + config.value_weight * value_loss - config.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), config.gradient_norm)
            optimizer.step()
            with torch.inference_mode():
                kl = float((ratio - 1 - moved).mean())
                now = {
                    "policy_loss": float(policy_loss),
                    "value_loss": float(value_loss),
                    "entropy": float(entropy),
                    "kl": kl,
                    "clipped": float(((ratio - 1).abs() > config.clip).float().mean()),
                }
            for name, value in now.items():
                sums[name] = sums.get(name, 0.0) + value
            minibatches += 1
        if kl > config.target_kl:
            break
    result = {name: value / minibatches for name, value in sums.items()}
    returns, values = batch.returns[usable], batch.values[usable]
    result["explained"] = 1 - float((returns - values).var() / (returns.var() + 1e-8))
    return result


# ---- the run


class Run:
    """A run in its folder: the network, its tables, and how far it has come."""

    def __init__(self, config: Config) -> None:
        self.config, self.folder = config, Path(config.run)
        self.path = self.folder / CHECKPOINT
        self.progress: dict[str, Any] = {"updates": 0, "decisions": 0, "games": 0, "seconds": 0.0}
        self.win_rates: dict[str, float] = {}
        torch.manual_seed(config.seed)
        kept: dict[str, Any] = {}
        if self.path.exists():
            self.policy, kept = load_policy(self.path)
        else:
            self.policy = first_policy(config.start, config.width, config.layers)
        self.policy.bfloat16 = config.bfloat16
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=config.learning_rate, eps=1e-5, fused=True)
        self.tables = Tables(config, seed=config.seed * SEED_STEP)
        if kept:
            with taken_up(self.path, kept):
                self._take_up(kept)
        self.kept = self._state()

    def update(self) -> Counts:
        """Play and learn once. All its chance comes from the seed of the run and the number of the update."""
        config, progress = self.config, self.progress
        self.tables.rng = np.random.default_rng([config.seed, progress["updates"]])
        torch.manual_seed(int(self.tables.rng.integers(2**62)))
        left = 1 - progress["decisions"] / config.decisions
        for group in self.optimizer.param_groups:
            group["lr"] = config.learning_rate * min(1.0, left / max(config.learning_rate_decay, 1e-9))
        clock = time.monotonic()
        batch, counts = self.tables.play(self.policy, config.steps)
        played = time.monotonic() - clock
        learned = learn(self.policy, self.optimizer, batch, config)
        seconds = time.monotonic() - clock
        progress["updates"] += 1
        progress["decisions"] += counts.decisions
        progress["games"] += counts.games
        progress["seconds"] += seconds
        row = progress | {"per_second": counts.decisions / seconds, "playing": played / seconds}
        row["environment"] = counts.environment / seconds
        styles = dict.fromkeys([*BASELINE_STYLES, *self.tables.config.opponents])
        shares = {f"share_{name}": float(np.mean(counts.share.get(name, [np.nan]))) for name in styles}
        log(self.folder / LOGS[0], row | learned | shares)
        if progress["updates"] % config.evaluate_every == 0:
            self._evaluate()
        self.kept = self._state()
        return counts

    def save(self) -> None:
        """Write the checkpoint, as the run was after its last update."""
        write(self.path, self.kept)

    def _evaluate(self) -> None:
        """Play against each baseline agent, and add the win rates to `evaluation.csv`."""
        self.win_rates = against_baselines(self.policy, self.config.evaluation_games)
        log(self.folder / LOGS[1], self.progress | {name: f"{share:.4f}" for name, share in self.win_rates.items()})

    def _state(self) -> dict[str, Any]:
        """All that decides what comes next."""
        moments = self.optimizer.state_dict()["state"]
        return with_policy(
            self.policy,
            optimizer=moments,
            config=asdict(self.config),
            progress=self.progress,
            win_rates=self.win_rates,
            tables=self.tables.state(),
        )

    def _take_up(self, kept: dict[str, Any]) -> None:
        """Go on from such a state."""
        load_optimizer(self.optimizer, kept["optimizer"])
        self.tables.take_up(kept["tables"])
        self.progress = counted(kept["progress"], self.progress)
        self.win_rates = {name: float(kept["win_rates"][name]) for name in BASELINES if name in kept["win_rates"]}
        for name in LOGS:
            cut_log(self.folder / name, self.progress["updates"])


def train(config: Config) -> bool:
    """Train until `config.decisions` are made; goes on from the checkpoint of the run if there is one.

    Ctrl-C ends it with a checkpoint of the last whole update; returns whether the run was finished.
    """
    torch.set_num_threads(config.threads)
    with alone(Path(config.run)):
        run = Run(config)
        began = saved = time.monotonic()
        first = run.progress["decisions"]
        try:
            while run.progress["decisions"] < config.decisions:
                run.update()
                now, done = time.monotonic(), run.progress["decisions"]
                speed = (done - first) / (now - began)
                left = (config.decisions - done) / speed
                line = status(run.progress["updates"], done, "decisions", speed, left, run.win_rates)
                print(line, file=sys.stderr, flush=True)
                if now > saved + config.save_minutes * 60:
                    run.save()
                    saved = now
        except KeyboardInterrupt:
            print("\nstopping; the checkpoint is being written", file=sys.stderr)
            return False
        finally:
            run.save()
        return True


def main() -> int:
    """`python training/ppo.py CONFIG.toml`, which may be stopped and resumed at any time."""
    return train_by_file(main.__doc__, Config, train)


if __name__ == "__main__":
    sys.exit(main())
