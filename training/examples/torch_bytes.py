"""A PyTorch network that plays 1,024 games from bytes, without a copy on the host: `python torch_bytes.py [cuda]`.

Two halves of the games are stepped in turn: while one is stepped by other threads, the network chooses for the other.
The arrays lie in pinned memory where there is a GPU, so that they are sent to it while both go on.
"""

import sys
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from bloodrage_env import VectorGames, games

GAMES, STEPS, WIDTH = 512, 200, 256
device = torch.device(sys.argv[1] if len(sys.argv) > 1 else "cpu")
game = games.game("bloodrage")


def pinned(shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
    """Zeros in pinned memory, from which a GPU copies on its own."""
    zeros = torch.from_numpy(np.zeros(shape, dtype))
    array: npt.NDArray[Any] = (zeros.pin_memory() if device.type == "cuda" else zeros).numpy()
    return array


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


net = Net().to(device)
halves = [VectorGames(GAMES, 4, seed=seed, observations="bytes", allocate=pinned) for seed in (0, GAMES)]


def act(half: VectorGames) -> npt.NDArray[np.int64]:
    """int64[N]: an action of each open decision, drawn by the network."""
    counts, masks = (torch.from_numpy(each).to(device, non_blocking=True) for each in (half.observations, half.masks))
    with torch.inference_mode():
        actions = torch.distributions.Categorical(logits=net(counts, masks)).sample()
    chosen: npt.NDArray[np.int64] = actions.cpu().numpy()
    return chosen


for half in halves:
    half.reset()
halves[0].step_async(act(halves[0]))
start = time.perf_counter()
for step in range(1, STEPS):
    halves[step % 2].step_async(act(halves[step % 2]))
    halves[(step + 1) % 2].step_wait()
halves[(STEPS - 1) % 2].step_wait()
seconds = time.perf_counter() - start
print(f"{device}: {(STEPS - 1) * GAMES / seconds:,.0f} decisions/s")
