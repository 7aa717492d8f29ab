"""Offline reinforcement learning from a Minari dataset by advantage-weighted regression (Peng and others, 2019).

Make the dataset first: `bloodrage dataset --agents random,balanced --games 400 --players 2 --out FOLDER.minari`. Then
`python minari_awr.py FOLDER.minari` trains on the CPU and plays games with the options of the dataset against random
play. An episode contains the decisions of a seat, and its only reward is at the end, so the return of each decision is
that reward.
"""

import sys
from pathlib import Path

import minari
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from bloodrage_env import games
from bloodrage_env.gym import OneSeat
from bloodrage_training.dataset.formats import METADATA
from bloodrage_training.dataset.manifest import Manifest

BATCH, TEMPERATURE, MOST = 2048, 0.3, 20.0  # weights are exp(advantage / temperature), at most `MOST`


def manifest(path: str | Path) -> Manifest:
    """The manifest of the dataset that the Minari dataset was written from."""
    return Manifest.from_json(minari.MinariDataset(path).storage.metadata[METADATA])


def read(path: str | Path) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Observations in bytes, masks, actions and returns of all decisions."""
    parts = []
    for episode in minari.MinariDataset(path):
        seen, count = episode.observations, len(episode.actions)
        returns = np.full(count, episode.rewards.sum(), np.float32)
        parts.append((seen["observation"][:count], seen["action_mask"][:count] > 0, episode.actions, returns))
    seen, masks, actions, returns = (torch.from_numpy(np.concatenate(each)) for each in zip(*parts, strict=True))
    return seen, masks, actions.long(), returns


def train(path: str | Path, epochs: int = 4, width: int = 256) -> nn.Module:
    """Return a network with a logit for each action and, as its last output, the value."""
    seen, masks, actions, returns = read(path)
    scales = torch.from_numpy(games.game(manifest(path).game).scales)
    net = nn.Sequential(nn.Linear(len(scales), width), nn.ReLU(), nn.Linear(width, masks.shape[1] + 1))
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    for epoch in range(epochs):
        for batch in torch.randperm(len(actions)).split(BATCH):
            found = net(seen[batch] * scales)
            advantages = returns[batch] - found[:, -1]
            weights = (advantages.detach() / TEMPERATURE).exp().clamp(max=MOST)
            logits = found[:, :-1].masked_fill(~masks[batch], -torch.inf)
            losses = weights * cross_entropy(logits, actions[batch], reduction="none")
            loss = losses.mean() + advantages.square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch + 1}: loss {loss.item():.3f}")
    return net


def play(net: nn.Module, path: str | Path, count: int, seed: int = 1) -> float:
    """Return the share of games with the options of the dataset that the network wins against random play."""
    env = OneSeat(opponents="random", **manifest(path).options)
    wins = 0
    for game in range(count):
        seen, info = env.reset(seed=seed + game)
        over = False
        while not over:
            with torch.no_grad():
                logits = net(torch.from_numpy(seen))[:-1]
            legal = torch.from_numpy(info["action_mask"]) > 0
            seen, reward, over, cut, info = env.step(int(logits.masked_fill(~legal, -torch.inf).argmax()))
            over |= cut
        wins += float(reward) > 0
    return wins / count


if __name__ == "__main__":
    torch.manual_seed(0)
    print(f"won {play(train(sys.argv[1]), sys.argv[1], 200):.0%} of 200 games against random play")
