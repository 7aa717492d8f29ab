"""A PyTorch network that plays games on the GPU it is on: `python torch_gpu.py`. Nothing is copied to the host.

The arrays of `GpuGames` and the tensors share memory. An action is drawn by Gumbel's method, which waits for nothing.
"""

import argparse
import time

import torch
from torch import nn

from bloodrage_env import games
from bloodrage_env.gpu import GpuGames

WIDTH = 256


def play(num_games: int, steps: int, name: str = "bloodrage") -> float:
    """Return decisions per second of a network with random weights."""
    game, batch = games.game(name), GpuGames(num_games, game=name)
    net = nn.Sequential(nn.Linear(game.observation_size, WIDTH), nn.ReLU(), nn.Linear(WIDTH, game.num_actions))
    net = net.to("cuda", torch.bfloat16)
    scales = torch.from_numpy(game.scales).to("cuda", torch.bfloat16)
    batch.reset()
    counts, masks = (torch.as_tensor(each, device="cuda") for each in (batch.observations, batch.masks))
    start = time.perf_counter()
    with torch.inference_mode():
        for _ in range(steps):
            logits = net(counts * scales).float()
            noise = -torch.empty_like(logits).exponential_().log()
            batch.step((logits + noise).masked_fill(masks == 0, -torch.inf).argmax(1))
    torch.cuda.synchronize()
    return num_games * steps / (time.perf_counter() - start)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=65_536)
    parser.add_argument("--steps", type=int, default=400)
    options = parser.parse_args()
    print(f"{play(options.games, options.steps):,.0f} decisions/s")
