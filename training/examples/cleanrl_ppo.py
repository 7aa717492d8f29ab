"""PPO in one file, in the style of CleanRL: one network plays all seats of many games against itself.

    python training/examples/cleanrl_ppo.py --decisions 300000 --out runs/cleanrl
    python training/examples/cleanrl_ppo.py --game berserk --players 2 --out runs/cleanrl-berserk
    bloodrage tournament run --agents network:path=runs/cleanrl/policy.npz,balanced,random --deals 20 --store c.sqlite

Plain PyTorch: observations are bytes, which the network multiplies by their scales, and masks exclude illegal actions.
Every decision is learned from, whichever seat makes it. The next state of a decision is the next decision of the same
seat, and each seat receives its reward at the end of the game (`advantages`). The exported policy is an agent.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from bloodrage_env import VectorGames, games
from bloodrage_training.learn.export import export
from bloodrage_training.learn.policy import Policy

Reals = npt.NDArray[np.float32]


@dataclass
class Args:
    """The settings; each is an option of the command line."""

    game: str = games.FIRST
    players: int = 4
    decisions: int = 300_000  # in all, of all seats
    num_games: int = 64  # stepped together
    steps: int = 128  # of all games, between two updates
    width: int = 128
    learning_rate: float = 5e-4  # decays to zero
    gae_lambda: float = 0.95  # nothing is discounted: only the end of a game has a reward
    epochs: int = 4
    minibatches: int = 8
    clip: float = 0.2
    entropy: float = 0.01
    value_weight: float = 0.5
    gradient_norm: float = 0.5
    target_kl: float = 0.03  # an update ends when the policy has moved that far
    seed: int = 1
    every: int = 50_000  # decisions between two snapshots
    out: str = "runs/cleanrl"


class Net(nn.Module):
    """An input layer, a residual layer, and two heads: logits, and the value of the seat that acts."""

    def __init__(self, args: Args) -> None:
        super().__init__()
        game = games.game(args.game)
        self.scales = nn.Buffer(torch.from_numpy(game.scales.copy()))
        self.first = nn.Linear(game.observation_size, args.width)
        self.layer = nn.Linear(args.width, args.width)
        self.actor = nn.Linear(args.width, game.num_actions)
        self.critic = nn.Linear(args.width, 1)
        nn.init.normal_(self.first.weight, std=0.1)  # about 150 inputs are not zero
        for layer, gain in ((self.layer, 2**0.5), (self.actor, 0.01), (self.critic, 1.0)):
            nn.init.orthogonal_(layer.weight, gain)
        for layer in (self.first, self.layer, self.actor, self.critic):
            nn.init.zeros_(layer.bias)

    def forward(self, counts: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        """Return the policy and float32[N], the values, from uint8[N, OBSERVATION_SIZE] and int8[N, NUM_ACTIONS]."""
        hidden = self.first(counts.float() * self.scales).relu()
        hidden = hidden + self.layer(hidden).relu()
        logits = self.actor(hidden).masked_fill(masks == 0, -1e9)
        return Categorical(logits=logits, validate_args=False), self.critic(hidden)[:, 0]


@dataclass
class Rollout:
    """What `steps` steps of N games have shown: arrays of the shape [steps, N, ...]."""

    counts: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.int8]
    actions: npt.NDArray[np.int64]
    logs: Reals  # log-probabilities of the actions
    values: Reals
    seats: npt.NDArray[np.int64]  # that made the decision
    rewards: Reals  # [steps, N, MAX_SEATS]: of all seats, not zero at the end of a game
    dones: npt.NDArray[np.bool_]

    @classmethod
    def empty(cls, args: Args) -> "Rollout":
        """Return memory for a rollout, which is used again."""
        game, shape = games.game(args.game), (args.steps, args.num_games)
        kinds: dict[str, tuple[Any, tuple[int, ...]]] = {
            "counts": (np.uint8, (game.observation_size,)), "masks": (np.int8, (game.num_actions,)),
            "actions": (np.int64, ()), "logs": (np.float32, ()), "values": (np.float32, ()), "seats": (np.int64, ()),
            "rewards": (np.float32, (game.max_seats,)), "dones": (np.bool_, ()),
        }  # fmt: skip
        return cls(**{name: np.zeros((*shape, *more), kind) for name, (kind, more) in kinds.items()})


def play(net: Net, batch: VectorGames, rollout: Rollout) -> None:
    """Fill the rollout: every decision is made by the network."""
    for step in range(len(rollout.actions)):
        rollout.counts[step], rollout.masks[step] = batch.observations, batch.masks
        rollout.seats[step] = batch.seats
        with torch.inference_mode():
            policy, values = net(torch.from_numpy(rollout.counts[step]), torch.from_numpy(rollout.masks[step]))
            actions = policy.sample()
            rollout.logs[step], rollout.values[step] = policy.log_prob(actions).numpy(), values.numpy()
        rollout.actions[step] = actions.numpy()
        batch.step(rollout.actions[step])
        rollout.rewards[step], rollout.dones[step] = batch.rewards, batch.dones


def advantages(rollout: Rollout, gae_lambda: float) -> tuple[Reals, npt.NDArray[np.bool_]]:
    """Return float32[steps, N], the advantages, and bool[steps, N], whether they are known.

    From the last step to the first, `after[game, seat]` is what follows the decision of a seat: the value of its next
    decision, or the reward of the game that has ended. The last decision of a seat in a game that goes on is followed
    by neither: its advantage is not known.
    """
    steps, number, seats = rollout.rewards.shape
    every = np.arange(number)
    after, later = np.zeros((2, number, seats), np.float32)
    has_next = np.zeros((number, seats), bool)
    result, known = np.zeros((steps, number), np.float32), np.zeros((steps, number), bool)
    for step in reversed(range(steps)):
        done = rollout.dones[step]
        after[done], later[done], has_next[done] = rollout.rewards[step][done], 0.0, True
        at = every, rollout.seats[step]
        known[step] = has_next[at]
        result[step] = np.where(known[step], after[at] - rollout.values[step] + gae_lambda * later[at], 0.0)
        after[at], later[at], has_next[at] = rollout.values[step], result[step], True
    return result, known


def learn(net: Net, optimizer: torch.optim.Optimizer, rollout: Rollout, args: Args) -> dict[str, float]:
    """Update the network with a rollout. Return figures of the update."""
    gains, known = advantages(rollout, args.gae_lambda)
    rows = torch.from_numpy(np.flatnonzero(known.ravel()))

    def flat(array: npt.NDArray[Any]) -> Tensor:
        """Return the rows of all steps and games."""
        return torch.from_numpy(array.reshape(known.size, *array.shape[2:]))

    counts, masks = flat(rollout.counts), flat(rollout.masks)
    actions, logs = flat(rollout.actions), flat(rollout.logs)
    advantage, returns = flat(gains), flat(gains + rollout.values)
    figures: dict[str, float] = {}
    for _ in range(args.epochs):
        moved = []
        for at in rows[torch.randperm(len(rows))].chunk(args.minibatches):
            policy, values = net(counts[at], masks[at])
            change = policy.log_prob(actions[at]) - logs[at]
            ratio = change.exp()
            gain = (advantage[at] - advantage[at].mean()) / (advantage[at].std() + 1e-8)
            policy_loss = -torch.minimum(ratio * gain, ratio.clamp(1 - args.clip, 1 + args.clip) * gain).mean()
            value_loss = (values - returns[at]).square().mean()
            entropy = policy.entropy().mean()
            loss = policy_loss + args.value_weight * value_loss - args.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), args.gradient_norm)
            optimizer.step()
            moved.append(float((ratio - 1 - change).mean().detach()))
            figures = {"entropy": entropy.item(), "value loss": value_loss.item()}
        if np.mean(moved) > args.target_kl:
            break
    return figures


def policy_of(net: Net, args: Args) -> Policy:
    """Return the network as a policy of the project, whose inputs from heuristics have zero weights."""
    policy, size = Policy(args.width, 1, args.game), net.first.in_features
    with torch.no_grad():
        for weights in policy.parameters():
            weights.zero_()
        policy.first_weight[:size] = net.first.weight.T
        policy.value.weight[0], policy.value.bias[0] = net.critic.weight[0], net.critic.bias[0]
        policy.first_bias.copy_(net.first.bias)
        for to, layer in ((policy.linears[0], net.layer), (policy.actions, net.actor)):
            to.weight.copy_(layer.weight)
            to.bias.copy_(layer.bias)
    return policy


def train(args: Args) -> Net:
    """Train, print a line for each update, and export snapshots and the last policy."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    out = Path(args.out)
    (out / "snapshots").mkdir(parents=True, exist_ok=True)
    net, rollout = Net(args), Rollout.empty(args)
    optimizer = torch.optim.Adam(net.parameters(), lr=args.learning_rate, eps=1e-5)
    batch = VectorGames(args.num_games, args.players, game=args.game, observations="bytes", seed=args.seed * 2**40)
    batch.reset()
    done, size, clock = 0, args.num_games * args.steps, time.perf_counter()
    while done < args.decisions:
        for group in optimizer.param_groups:
            group["lr"] = args.learning_rate * (1 - done / args.decisions)
        play(net, batch, rollout)
        figures = learn(net, optimizer, rollout, args)
        before, done = done, done + size
        speed = done / (time.perf_counter() - clock)
        left = max(0.0, args.decisions - done) / speed
        said = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
        print(f"{done:,} decisions, {speed:,.0f}/s, {left:.0f} s left, {rollout.dones.sum()} games, {said}", flush=True)
        if done // args.every > before // args.every:
            export(policy_of(net, args), out / "snapshots" / f"{done:012}.npz")
    export(policy_of(net, args), out / "policy.npz")
    print(f"wrote {out / 'policy.npz'}: an agent, network:path={out / 'policy.npz'}")
    return net


def main() -> None:
    """Train with the settings of the command line."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    for name, default in vars(Args()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default, metavar=str(default))
    train(Args(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
