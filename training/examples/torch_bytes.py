"""A PyTorch network that plays games from bytes, without a copy on the host: `python torch_bytes.py [cuda]`.

Two halves of the games are stepped in turn: while one is stepped by other threads, the network chooses for the other.
The arrays are in pinned memory where there is a GPU, so that transfers overlap with work on both sides.
"""

import argparse
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from bloodrage_env import VectorGames, games

WIDTH = 256
game = games.game("bloodrage")


class Net(nn.Module):
    """Bytes to logits: the scales of the observation are part of the first layer."""

    def __init__(self) -> None:
        super().__init__()
        self.scales = nn.Buffer(torch.from_numpy(game.scales))
        self.layers = nn.Sequential(
            nn.Linear(game.observation_size, WIDTH), nn.ReLU(), nn.Linear(WIDTH, game.num_actions)
        )

    def forward(self, counts: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """float32[N, NUM_ACTIONS] from uint8[N, OBSERVATION_SIZE] and int8[N, NUM_ACTIONS]."""
        logits: torch.Tensor = self.layers(counts.float() * self.scales)
        return logits.masked_fill(masks == 0, -torch.inf)


def play(device: torch.device, num_games: int, steps: int) -> float:
    """Return decisions per second in a number of steps of one half or the other."""

    def zeros(shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
        """In pinned memory, from which a GPU copies on its own."""
        made = torch.from_numpy(np.zeros(shape, dtype))
        array: npt.NDArray[Any] = (made.pin_memory() if device.type == "cuda" else made).numpy()
        return array

    def act(half: VectorGames) -> npt.NDArray[np.int64]:
        """int64[N]: an action of each open decision, drawn by the network."""
        given = (torch.from_numpy(each).to(device, non_blocking=True) for each in (half.observations, half.masks))
        with torch.inference_mode():
            actions: npt.NDArray[np.int64] = torch.distributions.Categorical(logits=net(*given)).sample().cpu().numpy()
        return actions

    net, size = Net().to(device), num_games // 2
    halves = [VectorGames(size, 4, seed=seed, observations="bytes", allocate=zeros) for seed in (0, size)]
    for half in halves:
        half.reset()
    start = time.perf_counter()
    halves[0].step_async(act(halves[0]))
    for step in range(1, steps):
        halves[step % 2].step_async(act(halves[step % 2]))
        halves[(step + 1) % 2].step_wait()
    halves[(steps - 1) % 2].step_wait()
    return steps * size / (time.perf_counter() - start)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("device", nargs="?", default="cpu")
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=400)
    options = parser.parse_args()
    print(f"{play(torch.device(options.device), options.games, options.steps):,.0f} decisions/s")
