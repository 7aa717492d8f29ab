"""Trains a value network on games of the sampled policy, file by file, in passes with other decisions of each game.

The target of a decision is the mean of the result of its game and the lambda-return of a slow copy of the network
(Sutton 1988): the values that the copy has for later decisions of the game, which are less noisy than the result.
"""

import copy
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from bloodrage_env.errors import UserError
from bloodrage_training.games.bloodrage.mirror import FEWEST, MIRROR
from bloodrage_training.learn.runs import load_optimizer

from .games import Played, Targets
from .network import GLORY, ValueNet
from .playing import Whole, from_seat

Chances = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Settings:
    """The settings of a training run."""

    epochs: int = 3  # passes
    minibatch: int = 2048
    learning_rate: float = 4e-4
    weight_decay: float = 1e-2
    glory_weight: float = 0.1
    lambda_share: float = 0.5  # of the lambda-return in the target, from a third of the run on
    lambda_: float = 0.8  # from one kept decision of a game to the next
    slow_rate: float = 0.01  # the share of the difference by which the slow copy follows after a step
    save_minutes: float = 3.0
    seed: int = 1


class Learner:
    """A value network that learns from files of games. `done` is the number of files learned, over all passes."""

    def __init__(self, net: ValueNet, paths: Sequence[Path], mark: str, settings: Settings) -> None:
        self.net, self.slow, self.paths, self.mark, self.settings = net, copy.deepcopy(net), paths, mark, settings
        self.weights = [*net.parameters()]
        rate, decay = settings.learning_rate, settings.weight_decay
        self.optimizer = torch.optim.AdamW(self.weights, lr=rate, weight_decay=decay, fused=True)
        self.done = 0

    @property
    def total(self) -> int:
        """The number of files to learn, over all passes."""
        return self.settings.epochs * len(self.paths)

    def resume(self, out: Path) -> None:
        """Continue from a checkpoint. Raise UserError for one of another run."""
        self.net, kept = ValueNet.load_kept(out)
        self.__init__(self.net, self.paths, self.mark, self.settings)  # type: ignore[misc]
        if kept.get("run") != self.run:
            raise UserError(f"{out} is of another run; name another file")
        self.slow.load_state_dict(kept["slow"])
        load_optimizer(self.optimizer, kept["optimizer"])
        self.done = kept["done"]

    @property
    def run(self) -> str:
        """A text that identifies the games and the settings."""
        return f"{len(self.paths)} {self.paths[0].name} {self.mark} {self.settings}"

    def save(self, out: Path) -> None:
        """Write a checkpoint."""
        optimizer = self.optimizer.state_dict()["state"]
        self.net.save(out, slow=self.slow.state_dict(), optimizer=optimizer, done=self.done, run=self.run)

    def learn(self, out: Path) -> Iterator[float]:
        """Learn the files that are left; yields the mean loss of each. The learning rate decays linearly to zero."""
        saved = time.monotonic()
        while self.done < self.total:
            settings, epoch = self.settings, self.done // len(self.paths)
            order = np.random.default_rng([settings.seed, epoch]).permutation(len(self.paths))
            rng = np.random.default_rng([settings.seed, self.done])
            played = Played.load(self.paths[order[self.done % len(self.paths)]], self.mark)
            loss = self.learn_file(played.targets(self.net.trunk.net, rng), rng)
            if not all(bool(weights.isfinite().all()) for weights in self.weights):
                raise UserError(f"the network diverged in file {self.done}: its weights are not finite")
            yield loss
            if self.done == self.total or time.monotonic() - saved > 60 * settings.save_minutes:
                self.save(out)
                saved = time.monotonic()

    def learn_file(self, targets: Targets, rng: np.random.Generator) -> float:
        """Learn the decisions of a file. Return the mean loss."""
        settings, wanted, losses = self.settings, targets.wins, []
        if settings.lambda_share and 3 * self.done >= self.total:
            returns = lambda_returns(self.slow, targets, settings.lambda_)
            wanted = (1 - settings.lambda_share) * targets.wins + settings.lambda_share * returns
        for group in self.optimizer.param_groups:
            group["lr"] = settings.learning_rate * (1 - self.done / self.total)
        for picked in np.array_split(rng.permutation(len(targets)), max(1, round(len(targets) / settings.minibatch))):
            loss, shown = loss_of(self.net, targets, wanted, picked, rng, settings)
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.weights, 1.0)
            self.optimizer.step()
            with torch.no_grad():
                for slow, weight in zip(self.slow.parameters(), self.weights, strict=True):
                    slow.lerp_(weight, settings.slow_rate)
            losses.append(shown)
        self.done += 1
        return float(np.mean(losses))


def loss_of(
    net: ValueNet, targets: Targets, wanted: Chances, picked: Whole, rng: np.random.Generator, settings: Settings
) -> tuple[Tensor, float]:
    """Return the loss of these decisions, and its part that is the cross-entropy of the chances."""
    flags = (rng.random(len(picked)) < 0.5) & (targets.players[picked] >= FEWEST)
    rows = MIRROR.of(targets.rows.take(picked), flags)
    logs, glory = net(rows, torch.from_numpy(targets.players[picked]))
    cross_entropy = -(torch.from_numpy(wanted[picked]) * logs).sum(1).mean()
    loss = cross_entropy
    if settings.glory_weight:
        loss = loss + settings.glory_weight * functional.mse_loss(
            glory, torch.from_numpy(GLORY * targets.glory[picked])
        )
    return loss, float(cross_entropy.detach())


def chances_of(net: ValueNet, targets: Targets, at_once: int = 8192) -> Chances:
    """Return the chances that a network predicts for all decisions, float32[R, MAX_SEATS]."""
    found = []
    with torch.inference_mode():
        for first in range(0, len(targets), at_once):
            which = np.arange(first, min(first + at_once, len(targets)))
            found.append(net(targets.rows.take(which), torch.from_numpy(targets.players[which]))[0].exp().numpy())
    return np.concatenate(found)


def lambda_returns(net: ValueNet, targets: Targets, lambda_: float) -> Chances:
    """Return the lambda-returns of all decisions, float32[R, MAX_SEATS], from the values of a network."""
    return returns_of(chances_of(net, targets), targets, lambda_)


def returns_of(chances: Chances, targets: Targets, lambda_: float) -> Chances:
    """Return the lambda-returns of all decisions. For the last decision of a game this is the result of the game.
    For each other one it is (1 - lambda) times the chances of the next decision plus lambda times its return.
    """
    players, seats = targets.players, targets.seat
    # By seat: those of seat 0 first.
    ahead = (players - seats) % players
    by_seat, results = (from_seat(each, players, ahead) for each in (chances, targets.wins))
    last = np.append(targets.game[1:] != targets.game[:-1], True)
    returns = results.copy()
    ends = np.flatnonzero(last)
    left = np.repeat(ends, np.diff(np.append(-1, ends))) - np.arange(len(targets))  # decisions to the last one
    for distance in range(1, int(left.max(initial=0)) + 1):
        at = np.flatnonzero(left == distance)
        returns[at] = (1 - lambda_) * by_seat[at + 1] + lambda_ * returns[at + 1]
    return from_seat(returns, players, seats)
