"""Behaviour cloning from a dataset: `python behaviour_cloning.py FOLDER`.

Make the dataset first: `bloodrage dataset --agents balanced --games 1000 --out FOLDER`. One shard is held out. The
clone then plays games with the options of the dataset: one seat against an agent at all other seats.
"""

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from bloodrage_agents import parts
from bloodrage_env import games
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_training.dataset import Dataset, Rows
from bloodrage_training.learn.evaluate import Choice, against, by_observation
from bloodrage_training.tournament.estimates import wilson

BATCH, EPOCHS = 2048, 3


class Clone(nn.Module):
    """Logits of actions. Of an observation few numbers are not zero, so the first layer adds rows of its weights."""

    scales: Tensor

    def __init__(self, game: str, width: int) -> None:
        super().__init__()
        played = games.game(game)
        self.register_buffer("scales", torch.from_numpy(played.scales))
        self.first = nn.EmbeddingBag(played.observation_size, width, mode="sum")
        nn.init.normal_(self.first.weight, std=0.05)
        self.rest = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, played.num_actions))

    def forward(self, observations: Tensor, masks: Tensor) -> Tensor:
        """Logits of observations in bytes or float32; illegal actions have none."""
        row, column = observations.nonzero(as_tuple=True)
        values = observations[row, column].float()
        if observations.dtype == torch.uint8:
            values *= self.scales[column]
        lengths = torch.bincount(row, minlength=len(observations))
        hidden = self.first(column, lengths.cumsum(0) - lengths, per_sample_weights=values)
        scores: Tensor = self.rest(hidden)
        return scores.masked_fill(~masks, -torch.inf)


def tensors(rows: Rows) -> tuple[Tensor, Tensor, Tensor]:
    """Observations in bytes, masks and actions of a shard."""
    return torch.from_numpy(rows.observations), torch.from_numpy(rows.masks), torch.from_numpy(rows.actions).long()


def train(folder: str | Path, epochs: int = EPOCHS, width: int = 256) -> tuple[Clone, float]:
    """Return the network and its accuracy on the last shard, which it is not trained on."""
    data = Dataset(folder)
    net = Clone(data.manifest.game, width)
    last = len(data.manifest.shards) - 1
    if last < 1:
        raise SystemExit(f"{folder} has one shard, and one is held out; make it with more games or a smaller --shard")
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, epochs * last)
    for epoch in range(epochs):
        for number in range(last):
            seen, masks, actions = tensors(data.shard(number))
            for batch in torch.randperm(len(actions)).split(BATCH):
                loss = cross_entropy(net(seen[batch], masks[batch]), actions[batch])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            schedule.step()
        seen, masks, actions = tensors(data.shard(last))
        with torch.no_grad():
            right = (net(seen, masks).argmax(1) == actions).float().mean().item()
        print(f"epoch {epoch + 1}: loss {loss.item():.3f}, {right:.1%} of the held-out decisions", flush=True)
    return net, right


def player(net: Clone, game: str) -> Choice:
    """The network as a player that takes the most likely actions."""

    def choose(observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        with torch.no_grad():
            best: npt.NDArray[np.int64] = (
                net(torch.from_numpy(observations), torch.from_numpy(masks) > 0).argmax(1).numpy()
            )
        return best

    return by_observation(choose, game)


def play(net: Clone, options: GameOptions, other: str, count: int) -> float:
    """Return the win rate of one seat against a style at all other seats."""
    return against(player(net, options.game), other, count, game=options.game, options=options).share


def main() -> None:
    """Train on a dataset, then play."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--games", type=int, default=400, help="against the agent at all other seats (400)")
    parser.add_argument("--against", metavar="STYLE", help="random or a style (the last baseline of the game)")
    given = parser.parse_args()
    options = Dataset(given.folder).options
    baselines = parts.table(options.game).baselines
    other = given.against or baselines[-1]
    if other not in baselines:
        parser.error(f"--against is one of {', '.join(baselines)}")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    net, _ = train(given.folder, given.epochs)
    share = play(net, options, other, given.games)
    found = wilson(share, given.games)
    ends = f"{found.low:.1%} to {found.high:.1%}"
    print(f"won {share:.1%} of {given.games} games with {options} against {other} ({ends})")


if __name__ == "__main__":
    main()
