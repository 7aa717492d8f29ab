"""Self-play by proximal policy optimization in one file, to be read from top to bottom.

One network plays its seats of a batch of games and learns from every decision of them. In some games the network has
all seats, in others heuristics or policies from files have some.

A row is one decision of a seat. Its successor is the seat's own next decision, not the next decision of the game, which
is another seat's most of the time; and a seat gets its reward when the game ends, whoever moved last. `advantages`
takes care of that. PPO: Schulman and others, 2017; generalized advantage estimation: 2016. Settings, logs and
checkpoints, which have nothing to do with learning, are in `config.py`, `run.py` and `runs.py`; `bloodrage train` calls
`train`.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from bloodrage_agents.network import file_of
from bloodrage_env import VectorGames
from bloodrage_env.core.options import rows as rows_of
from bloodrage_env.core.rewards import share_of
from bloodrage_env.errors import UserError

from . import run
from .config import SEED_STEP, Imitation, Learning, Ppo, Rollouts
from .export import policy_of
from .learnable import learnable
from .opponents import Opponents
from .policy import Policy, SparseRows, sample
from .runs import alone, games_state, resume_games, whole

NETWORK = -1  # in place of the style of a seat: the network plays it
OTHERS_WEIGHT = 0.25  # of the values of seats that are not asked, in the loss

Bools = npt.NDArray[np.bool_]
Whole = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float32]


# ---- playing


@dataclass
class Batch:
    """Decisions of the network, one a row, in the order in which they were made."""

    rows: SparseRows
    actions: Tensor  # int64[R]
    taught: Tensor  # int64[R], what the teacher would have done; without one, `actions`
    log_probabilities: Tensor  # float32[R], of these actions when they were chosen
    values: Tensor  # float32[R, seats], as estimated then, of the seats clockwise from the one that is asked
    advantages: Tensor  # float32[R], of the seat that is asked
    returns: Tensor  # float32[R, seats], what the values should have been
    known: Bools  # rows to learn from: the others have no next decision yet


@dataclass
class Step:
    """What the network did in one step of all games, and what came of the step."""

    games: Whole  # of each row
    seats: Whole  # of each row
    values: Reals  # float32[rows, seats]
    dones: Bools  # of each game
    rewards: Reals  # float32[games, seats, seats]: of the seats clockwise from each seat


@dataclass
class Counts:
    """Statistics of a rollout."""

    games: int = 0
    decisions: int = 0
    environment: float = 0.0  # seconds in the engine, heuristics included
    share: dict[str, list[float]] = field(default_factory=dict)  # of wins, of one seat against an opponent, by its name


def advantages(steps: list[Step], gae_lambda: float) -> tuple[Reals, Bools]:
    """float32[R, seats] the advantages of every row of these steps, bool[R] whether they are known.

    For each seat of each game its rows are a sequence of their own, walked from the last to the first. The last one of
    a seat whose game goes on is not known: its values are only what comes next for the row before. Nothing is
    discounted: a game is short, and only its end has a reward. The first advantage of a row is that of the seat itself;
    the others say how much better the game went for the other seats, for the sake of their values.
    """
    shape = steps[0].rewards.shape
    next_reward, next_value, next_advantage = np.zeros((3, *shape), np.float32)
    has_next = np.zeros(shape[:2], bool)
    result, known = [], []
    for step in reversed(steps):
        next_reward[step.dones] = step.rewards[step.dones]
        next_value[step.dones] = 0.0
        next_advantage[step.dones] = 0.0
        has_next[step.dones] = True
        at = step.games, step.seats
        error = next_reward[at] + next_value[at] - step.values
        advantage = np.where(has_next[at][:, None], error + gae_lambda * next_advantage[at], np.float32(0.0))
        result.append(advantage)
        known.append(has_next[at])
        next_reward[at] = 0.0
        next_value[at] = step.values
        next_advantage[at] = advantage
        has_next[at] = True
    return np.concatenate(result[::-1]), np.concatenate(known[::-1])


def clockwise(rewards: Reals, players: Whole) -> Reals:
    """float32[games, seats, seats]: `rewards` (float32[games, seats]) of the seats clockwise from each."""
    seats = np.arange(rewards.shape[1])
    turned = (seats[:, None] + seats) % players[:, None, None]
    present = (seats[:, None] < players[:, None, None]) & (seats < players[:, None, None])
    return np.where(present, np.take_along_axis(rewards[:, None], turned, 2), np.float32(0.0))


class Tables:
    """Games side by side, and who sits where: `styles` int64[games, seats], NETWORK or a style."""

    def __init__(self, config: Learning, seed: int) -> None:
        self.config = config
        self.learnable = learnable(config.game)
        drawn = np.random.default_rng(seed)  # the same options when the run is resumed
        players = [config.players[i % len(config.players)] for i in range(config.games)]
        options = [self.learnable.draw_options(each, config.sets, config.set_chance, drawn) for each in players]
        self.games = VectorGames(config.games, game=config.game, seed=seed, observations="none")
        self.games.players, self.games.options = np.array(players), rows_of(options)
        self.games.reset()
        self.mirrored = self.learnable.mirrored(self.games.players)
        self.rng = np.random.default_rng(seed)
        self.styles = np.full((config.games, self.learnable.game.max_seats), NETWORK)  # or an opponent
        self.opponents = Opponents(config.opponents, self.learnable, config.bfloat16)
        self.teacher: Policy | None = None
        if isinstance(config, Imitation):
            self.teacher = policy_of(file_of(config.teacher, config.game), config.game)
        self.seat(np.arange(config.games))

    def seat(self, games: Whole) -> None:
        """Draw the players of the seats of these games."""
        rng = self.rng
        style = self.opponents.draw(len(games), rng)[:, None]
        own = rng.random((len(games), self.styles.shape[1])) < self.config.more_seats
        own[np.arange(len(games)), rng.integers(self.games.players[games])] = True
        own |= rng.random((len(games), 1)) < self.config.self_play
        self.styles[games] = np.where(own, NETWORK, style)

    def play(self, policy: Policy, num_steps: int, gae_lambda: float) -> tuple[Batch, Counts]:
        """Step all games `num_steps` times; return the decisions of the network and statistics."""
        games, counts = self.games, Counts()
        parts: list[SparseRows] = []
        tensors: list[tuple[Tensor, ...]] = []  # action, the teacher's, log-probability of the action, values
        steps: list[Step] = []
        everything = np.arange(games.num_games)
        for _ in range(num_steps):
            owner = self.styles[everything, games.seats]
            mine = np.flatnonzero(owner == NETWORK)
            rows = self.learnable.rows(games.states, mine, self.mirrored[mine])
            with torch.inference_mode():
                logs, values = policy(rows)
                chosen = sample(logs)
                taught = sample(self.teacher(rows)[0]) if self.teacher else chosen
            parts.append(rows)
            tensors.append((chosen, taught, logs.gather(1, chosen[:, None])[:, 0], values))
            clock = time.perf_counter()
            actions = np.empty(len(owner), np.int64)
            actions[mine] = self.learnable.meant(chosen.numpy(), self.mirrored[mine])
            self.opponents.answer(games.states, owner, actions, self.rng)
            seats = games.seats[mine]
            games.step(actions)
            counts.environment += time.perf_counter() - clock
            rewards = clockwise(games.rewards, games.players)
            steps.append(Step(mine, seats, values.numpy(), games.dones.copy(), rewards))
            counts.decisions += len(mine)
            self._end_games(np.flatnonzero(games.dones), counts)
        advantage, known = advantages(steps, gae_lambda)
        taken, taught, log_chosen, before = (torch.cat(columns) for columns in zip(*tensors, strict=True))
        gains = torch.from_numpy(advantage)
        batch = Batch(SparseRows.join(parts), taken, taught, log_chosen, before, gains[:, 0], gains + before, known)
        return batch, counts

    def _end_games(self, ended: Whole, counts: Counts) -> None:
        counts.games += len(ended)
        for game in ended:
            players = self.games.players[game]
            own = np.flatnonzero(self.styles[game, :players] == NETWORK)
            other = self.styles[game, (own[0] + 1) % players] if len(own) == 1 else NETWORK
            if other != NETWORK and players == self.learnable.players:
                share = share_of(float(self.games.rewards[game, own[0]]), int(players))
                counts.share.setdefault(self.opponents.name_of(int(other)), []).append(share)
        self.seat(ended)

    def state(self) -> dict[str, Any]:
        """The games as they are, for a checkpoint."""
        return {"games": games_state(self.games), "styles": torch.tensor(self.styles)}

    def resume(self, kept: Mapping[str, Any]) -> None:
        """Restore the games of a checkpoint. Raise ValueError for another number of games or damaged games."""
        resume_games(self.games, kept["games"])
        low = NETWORK - len(self.opponents.others)
        self.styles[:] = whole(kept["styles"], self.styles.shape, low, len(self.learnable.styles) - 1)


# ---- learning


def learn(policy: Policy, optimizer: torch.optim.Optimizer, batch: Batch, config: Rollouts) -> dict[str, float]:
    """Update the policy on a batch for some epochs; return means over the minibatches, for the log.

    Raise UserError for a batch with fewer than two rows to learn from, which have no standard deviation.
    """
    usable = np.flatnonzero(batch.known)
    if len(usable) < 2:
        raise UserError(f"an update has {len(usable)} decisions to learn from; set more games or steps")
    gains = batch.advantages[usable]
    mean, deviation = gains.mean(), gains.std() + 1e-8
    sums: dict[str, float] = {}
    parts = max(1, round(len(usable) / config.minibatch))  # of equal size, so that no row counts more than another
    weights = torch.tensor([1.0] + [OTHERS_WEIGHT] * (batch.returns.shape[1] - 1))
    epochs = 0
    while epochs < config.epochs:
        moved_by = 0.0
        for picked in np.array_split(usable[torch.randperm(len(usable)).numpy()], parts):
            at = torch.from_numpy(picked)
            logs, entropies, values = policy.evaluate_actions(batch.rows.take(picked), batch.taught[at])
            entropy = entropies.mean()
            moved = logs - batch.log_probabilities[at]
            ratio = moved.exp()
            improvement = logs  # of the likelihood of what the teacher does
            if isinstance(config, Ppo):
                gain = (batch.advantages[at] - mean) / deviation
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                improvement = torch.minimum(ratio * gain, clipped * gain)
            policy_loss = -improvement.mean()
            value_loss = (values - batch.returns[at]).square().mean(0) @ weights
            loss = policy_loss + config.value_weight * value_loss - config.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), config.gradient_norm)
            optimizer.step()
            now = {"policy_loss": policy_loss, "value_loss": value_loss, "entropy": entropy}
            if isinstance(config, Ppo):
                now |= {"kl": (ratio - 1 - moved).mean(), "clipped": ((ratio - 1).abs() > config.clip).float().mean()}
                moved_by += float(now["kl"].detach()) / parts
            for name, value in now.items():
                sums[name] = sums.get(name, 0.0) + float(value.detach())
        epochs += 1
        if isinstance(config, Ppo) and moved_by > config.target_kl:
            break
    result = {name: value / (epochs * parts) for name, value in sums.items()}
    returns, values = batch.returns[usable, 0], batch.values[usable, 0]
    result["explained"] = 1 - float((returns - values).var() / (returns.var() + 1e-8))
    return result


# ---- the run


class Run(run.Run):
    """A run in its folder: the network, its tables, and how far it has come."""

    config: Rollouts

    def prepare(self) -> None:
        """Begin its games."""
        self.tables = Tables(self.config, seed=self.config.seed * SEED_STEP)

    def update(self) -> None:
        """Play and learn once."""
        self.tables.rng = self.begin_update()
        clock = time.monotonic()
        batch, counts = self.tables.play(self.policy, self.config.steps, self.config.gae_lambda)
        played = time.monotonic() - clock
        learned = learn(self.policy, self.optimizer, batch, self.config)
        seconds = time.monotonic() - clock
        figures = {"playing": played / seconds, "environment": counts.environment / seconds} | learned
        styles = dict.fromkeys([*self.tables.learnable.baselines[1:], *self.tables.opponents.names])
        shares = {f"share_{name}": float(np.mean(counts.share.get(name, [np.nan]))) for name in styles}
        self.end_update(counts.decisions, counts.games, seconds, figures | shares)

    def own_state(self) -> dict[str, Any]:
        """The games as they are."""
        return {"tables": self.tables.state()}

    def resume(self, kept: Mapping[str, Any]) -> None:
        """Go on with these games."""
        self.tables.resume(kept["tables"])


def train(config: Rollouts, folder: Path, until: float = math.inf) -> bool:
    """Train until the end of the run or `until` decisions, from the checkpoint of `folder` if there is one.

    Return whether that point was reached. Ctrl-C stops the run with a checkpoint of the last complete update.
    """
    torch.set_num_threads(config.threads)
    with alone(folder):
        return Run(config, folder).finish(until)
