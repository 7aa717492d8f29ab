"""Styles and the inputs of networks for games on a GPU (`bloodrage_env/gpu.py`). Nothing is copied to the host."""

import functools
import importlib
from typing import Any

import numpy as np

from bloodrage_env.gpu import GpuGames


class GpuSeats:
    """Answers and inputs for the seats to act in games on a GPU, from the functions that the CPU runs.

    Arguments are arrays on the device with `__cuda_array_interface__`, C-contiguous. Raises UserError for a game
    without compiled seats or network, and TypeError or ValueError for arrays of another dtype or shape.
    """

    def __init__(self, games: GpuGames) -> None:
        self._games = games
        self._kernels = _kernels(games.game.name)

    def answer(self, styles: Any, seeds: Any, actions: Any) -> None:
        """Fill `actions`, int64[N], with the action of a style, for each game with `styles` >= 0.

        `styles` is int64[N], indices of the styles of the game. `seeds` is int64[N], of the random numbers of a choice.
        """
        each = {"styles": styles, "seeds": seeds, "actions": actions}
        given = [self._games.checked(name, array, (self._games.num_games,), np.int64) for name, array in each.items()]
        self._games.launch(self._kernels.choose_by_style, self._games.records, *given)

    def write(self, which: Any, moved: Any, order: Any, counts: Any, more: Any) -> None:
        """Write the inputs of a network for the open decisions of games `which`, int64[R], as `Forward.write_rows`.

        Fills `counts`, uint8[R, OBSERVATION_SIZE], and `more`, float32[R, num_inputs - OBSERVATION_SIZE]. In rows of
        `moved`, int8[R], input i is at position `order[i]`.
        """
        rows, size = len(which), self._games.game.observation_size
        given = (
            self._games.checked("which", which, (rows,), np.int64),
            self._games.checked("moved", moved, (rows,), np.int8),
            self._games.checked("order", order, (len(order),), np.int64),
            self._games.checked("counts", counts, (rows, size), np.uint8),
            self._games.checked("more", more, (rows, len(order) - size), np.float32),
        )
        self._games.launch(self._kernels.write_inputs, self._games.records, *given, threads=rows)


@functools.cache
def _kernels(name: str) -> Any:
    gpu_batch = importlib.import_module("bloodrage_env.core.gpu_batch")
    sources, record = importlib.import_module(".gpu_kernels", __package__).sources(name)
    return gpu_batch.compiled_for_gpu(sources, record)
