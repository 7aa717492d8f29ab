"""Trains a value network on games of the sampled policy.

The target of a decision is the mean of the result of its game and the lambda-return of a slow copy of the network
(Sutton 1988): the values that the copy has for later decisions of the game, which are less noisy than the result.
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from bloodrage_training.games.bloodrage.mirror import FEWEST, MIRROR

from .games import Targets
from .network import GLORY, ValueNet
from .playing import Whole, from_seat

Chances = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Settings:
    """The settings of a training run."""

    epochs: int = 3
    minibatch: int = 2048
    learning_rate: float = 4e-4
    weight_decay: float = 1e-2
    glory_weight: float = 0.1
    lambda_share: float = 0.5  # of the lambda-return in the target, from the second epoch on
    lambda_: float = 0.8  # from one kept decision of a game to the next
    seed: int = 1


def learn(net: ValueNet, targets: Targets, settings: Settings) -> Iterator[float]:
    """Train the network; yields the mean loss of each epoch. The learning rate decays linearly to zero."""
    rng = np.random.default_rng(settings.seed)
    weights = [*net.parameters()]
    optimizer = torch.optim.AdamW(weights, lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True)
    steps_of_epoch = max(1, round(len(targets) / settings.minibatch))
    total, done = settings.epochs * steps_of_epoch, 0
    wanted = targets.wins
    for epoch in range(settings.epochs):
        if epoch and settings.lambda_share:
            returns = lambda_returns(copy.deepcopy(net), targets, settings.lambda_)
            wanted = (1 - settings.lambda_share) * targets.wins + settings.lambda_share * returns
        loss_sum = 0.0
        for picked in np.array_split(rng.permutation(len(targets)), steps_of_epoch):
            for group in optimizer.param_groups:
                group["lr"] = settings.learning_rate * (1 - done / total)
            loss, shown = loss_of(net, targets, wanted, picked, rng, settings)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimizer.step()
            loss_sum += shown
            done += 1
        yield loss_sum / steps_of_epoch


def loss_of(
    net: ValueNet, targets: Targets, wanted: Chances, picked: Whole, rng: np.random.Generator, settings: Settings
) -> tuple[Tensor, float]:
    """Return the loss of these decisions, and its part that is the cross-entropy of the chances."""
    flags = (rng.random(len(picked)) < 0.5) & (targets.players[picked] >= FEWEST)
    rows = MIRROR.of(targets.rows_at(picked), flags)
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
            found.append(net(targets.rows_at(which), torch.from_numpy(targets.players[which]))[0].exp().numpy())
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
