"""Styles, the inputs of networks and the worlds of a search for games on a GPU (`bloodrage_env/gpu.py`)."""

import functools
import importlib
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bloodrage_env.core.compile.decorators import Ints
from bloodrage_env.core.engine.chance import NUM_WORDS
from bloodrage_env.gpu import GpuGames

ASKED: Final = 0  # where a world has stopped: another seat has a choice,
CHOICE: Final = 1  # the seat that searches has one,
OVER: Final = 2  # or the game has ended


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

    def write(
        self, which: Any, moved: Any, order: Any, counts: Any, more: Any, records: Any = None, ledger: int = 0
    ) -> None:
        """Write the inputs of a network for the open decisions of games `which`, int64[R], as `Forward.write_rows`.

        The games are those of the batch, or other `records` on the device.

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
        records = self._games.records if records is None else records
        self._games.launch(self._kernels.write_inputs, records, given[0], ledger, *given[1:], threads=rows)

    def write_changes(self, which: Any, changes: Any, records: Any = None) -> None:
        """Fill `changes`, int8[R, NUM_ACTIONS * num_changes], for games `which`, as `Forward.write_changes`."""
        rows = len(which)
        given = (
            self._games.checked("which", which, (rows,), np.int64),
            self._games.checked("changes", changes, (rows, changes.shape[1]), np.int8),
        )
        records = self._games.records if records is None else records
        self._games.launch(self._kernels.write_changes, records, *given, threads=rows)


class GpuWorlds:
    """Copies of games on a GPU that a search plays on: `deals` redeals, and `worlds` copies of them.

    Arguments and results are on the host, except `logits`. `records` are the worlds.
    """

    def __init__(self, games: GpuGames, deals: int, worlds: int) -> None:
        from numba import cuda

        from bloodrage_env.core.engine.gpu_batch import LANES

        self._games, self._kernels, self._lanes = games, _kernels(games.game.name), LANES
        self._cuda: Any = cuda
        self._deals, self.records = (cuda.to_device(np.zeros(size, games.game.state)) for size in (deals, worlds))
        self._words = cuda.to_device(np.zeros((worlds, NUM_WORDS), np.int64))
        self._stops = cuda.to_device(np.zeros(worlds, np.int64))
        self._rewards = cuda.to_device(np.zeros((worlds, games.game.max_seats), np.float32))
        self._no_logits = cuda.to_device(np.zeros((0, games.game.num_actions), np.float32))

    def begin(self, which: Ints, seats: Ints, seeds: Ints, rows: Ints, actions: Ints) -> None:
        """Make a redeal of each game of `which` for a seat, from a seed, and a world of each of `rows` of the redeals.

        Each world answers its open question with its action. Worlds of a redeal draw the same random numbers.
        """
        deals, own = self._deals[: len(which)], self._sent(seeds[rows])
        self._copy(self._games.records, which, self._deals)
        drawn = self._sent(seats), self._sent(seeds)
        self._games.launch(self._games.kernels.redeal_games, deals, *drawn, threads=len(which))
        self._copy(self._deals, rows, self.records)
        self._observers = self._sent(seats[rows])
        self._games.launch(
            self._kernels.begin_worlds, self.records, self._sent(actions), own, self._words, threads=len(rows)
        )

    def _sent(self, numbers: Ints) -> Any:
        return self._cuda.to_device(np.ascontiguousarray(numbers))

    def _copy(self, source: Any, which: Ints, target: Any) -> None:
        words = source.view(np.int32), self._sent(which), self._lanes, target.view(np.int32)
        self._games.launch(self._kernels.copy_games, *words, threads=self._lanes * len(which))

    def play(self, which: Ints, logits: Any = None) -> Ints:
        """Play these worlds to the next question with several answers. Return where they have stopped (`CHOICE` ...).

        The first ones begin with an action that is drawn by `logits`, float32[L, NUM_ACTIONS].
        """
        given = self._no_logits if logits is None else logits
        self._games.launch(
            self._kernels.play_worlds, self.records, self._sent(which), given, self._words, self._observers,
            self._stops, self._rewards, threads=len(which),
        )  # fmt: skip
        stops: Ints = self._stops.copy_to_host()
        return stops[which]

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """The rewards of worlds that have ended, by seat, float32[worlds, MAX_SEATS]."""
        return np.asarray(self._rewards.copy_to_host())


@functools.cache
def _kernels(name: str) -> Any:
    gpu_batch = importlib.import_module("bloodrage_env.core.engine.gpu_batch")
    sources, record = importlib.import_module(".gpu_kernels", __package__).sources(name)
    return gpu_batch.compiled_for_gpu(sources, record)
