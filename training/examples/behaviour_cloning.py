"""Behaviour cloning from a dataset: `python behaviour_cloning.py FOLDER`.

Make the dataset first: `bloodrage dataset --agents balanced --games 1000 --out FOLDER`. One shard is held out.
"""

import sys
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from bloodrage_env import games
from bloodrage_training.dataset import Dataset, Rows

BATCH, EPOCHS = 2048, 3


def tensors(rows: Rows) -> tuple[Tensor, Tensor, Tensor]:
    """Observations in bytes, masks and actions of a shard."""
    return torch.from_numpy(rows.observations), torch.from_numpy(rows.masks), torch.from_numpy(rows.actions).long()


def logits(net: nn.Module, scales: Tensor, observations: Tensor, masks: Tensor) -> Tensor:
    """Scores of actions; illegal actions have none."""
    scores: Tensor = net(observations * scales)
    return scores.masked_fill(~masks, -torch.inf)


def train(folder: str | Path, epochs: int = EPOCHS, width: int = 256) -> tuple[nn.Module, float]:
    """Return the network and its accuracy on the last shard, which it is not trained on."""
    data = Dataset(folder)
    game = games.game(data.manifest.game)
    scales = torch.from_numpy(game.scales)
    net = nn.Sequential(nn.Linear(len(scales), width), nn.ReLU(), nn.Linear(width, game.num_actions))
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    last = len(data.manifest.shards) - 1
    for epoch in range(epochs):
        for number in range(last):
            seen, masks, actions = tensors(data.shard(number))
            for batch in torch.randperm(len(actions)).split(BATCH):
                loss = cross_entropy(logits(net, scales, seen[batch], masks[batch]), actions[batch])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        seen, masks, actions = tensors(data.shard(last))
        with torch.no_grad():
            right = (logits(net, scales, seen, masks).argmax(1) == actions).float().mean().item()
        print(f"epoch {epoch + 1}: loss {loss.item():.3f}, {right:.1%} of the held-out decisions")
    return net, right


if __name__ == "__main__":
    torch.manual_seed(0)
    train(sys.argv[1])
