"""Many games on a GPU, for learners that keep everything there (`core/engine/gpu_batch.py`)."""

import functools
import importlib
import importlib.util
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import games
from .core.api.keywords import refuse_unknown
from .core.api.vector import option_rows
from .core.compile.decorators import Records
from .core.engine.chance import MAX_SEED, NUM_WORDS
from .core.engine.numbers import checked_seed, number_of_games, whole_numbers
from .errors import MissingPackageError, UserError


class GpuGames:
    """N games on the current CUDA device that are stepped together, each with its own open decision.

    The same arguments, seeds and actions give the same games as `VectorGames`. The arrays are on the device. They have
    the attribute `__cuda_array_interface__`, by which torch, CuPy and JAX read them without a copy, for example
    `torch.as_tensor(games.masks, device="cuda")`. Each step overwrites them.

    Parameters
    ----------
    num_games, num_players, game, seed, **options
        As for `VectorGames`.
    observations : {"bytes", "none"}
        "none": `observations` is empty.

    Attributes
    ----------
    masks : int8[N, NUM_ACTIONS]
        1 for the legal actions of the seat to act.
    observations : uint8[N, OBSERVATION_SIZE]
        Counts, of the seat to act.
    seats : int64[N]
        The seat to act.
    rewards : float32[N, MAX_SEATS]
        The reward `win` of games that ended in the last step, 0 of the others.
    dones : int8[N, 2]
        Games that ended in the last step, and those that were cut off. They have been reset.
    records, options, seeds
        The games; int64[N, NUM_OPTIONS]; int64[N], the seeds of the last resets.
    kernels
        Those of `core/engine/gpu_batch.py`.

    Raises
    ------
    MissingPackageError
        numba-cuda is not installed.
    UserError
        There is no CUDA device.
    ValueError, TypeError
        As for `VectorGames`.

    Examples
    --------
    >>> from bloodrage_env.gpu import GpuGames
    >>> batch = GpuGames(1024, 2, seed=1)
    >>> batch.reset()
    >>> batch.step(batch.random_actions())
    >>> batch.masks.shape
    (1024, 301)
    """

    def __init__(
        self,
        num_games: int,
        num_players: int | Sequence[int] | None = None,
        *,
        game: str = games.FIRST,
        seed: int = 0,
        observations: str = "bytes",
        **options: Any,
    ) -> None:
        if observations not in ("bytes", "none"):
            raise ValueError(f"observations is {observations!r}; give 'bytes' or 'none'")
        self.game = games.game(game)
        refuse_unknown(type(self), options, self.game.options)
        self._cuda = _device()
        self.num_games = number_of_games("num_games", num_games)
        players = self.game.options.num_players if num_players is None else num_players
        self.players, rows = option_rows(self.game, self.num_games, players, options)
        self.seed = checked_seed(seed)
        self._batch = importlib.import_module(".core.engine.gpu_batch", __package__)
        self.kernels = _kernels(self.game.name)
        self.options = self._cuda.to_device(rows)
        self.seeds = self._cuda.to_device(np.zeros(self.num_games, np.int64))
        self._first = self._cuda.to_device(np.zeros(1, np.int64))
        self.records = self._cuda.to_device(np.zeros(self.num_games, self.game.state))
        self._words = self._zeros((self.num_games, NUM_WORDS), np.int64)
        self._choices = self._zeros((self.num_games,), np.int64)
        observed = self.num_games * (observations == "bytes")
        self.masks = self._zeros((self.num_games, self.game.num_actions), np.int8)
        self.observations = self._zeros((observed, self.game.observation_size), np.uint8)
        self.seats = self._zeros((self.num_games,), np.int64)
        self.rewards = self._zeros((self.num_games, self.game.max_seats), np.float32)
        self.dones = self._zeros((self.num_games, 2), np.int8)

    def reset(self, seed: int | None = None) -> None:
        """Start all games.

        Parameters
        ----------
        seed : int, optional
            0 to 2**63 - 1; it replaces the seed of the constructor. ValueError if it is out of range.
        """
        self.seed = self.seed if seed is None else checked_seed(seed)
        seeds = (np.uint64(self.seed) + np.arange(self.num_games, dtype=np.uint64)) & np.uint64(MAX_SEED)
        self.seeds.copy_to_device(seeds.astype(np.int64))
        self.rewards.copy_to_device(np.zeros(self.rewards.shape, np.float32))
        self.dones.copy_to_device(np.zeros(self.dones.shape, np.int8))
        self.launch(self.kernels.begin_games, self.records, self.seeds, self.options)
        self.launch(self.kernels.seed_choices, self._words, self.seed)
        self._write_decisions()

    def step(self, actions: Any) -> None:
        """Apply one action per game.

        Parameters
        ----------
        actions : array_like
            int64[N] on the device, or integers of any type on the host.

        Raises
        ------
        ValueError
            An illegal action, or another shape. All games are unchanged.
        TypeError
            Another dtype.
        """
        answers = self._whole("actions", actions)
        first = self._first_in(self.kernels.find_illegal, answers)
        if first < self.num_games:
            action = int(answers.copy_to_host()[first])
            raise ValueError(f"action {action} is not legal in game {first}; choose one where masks[{first}] is 1")
        self.launch(
            self.kernels.step_games, self.records, answers, self.seeds, self.num_games, self.options, self.rewards,
            self.dones,
        )  # fmt: skip
        self._write_decisions()

    def random_actions(self) -> Any:
        """Return a random legal action of each game, int64[N] on the device, which the next call overwrites.

        The choices follow from the seed of the games and the number of calls since `reset`.
        """
        self.launch(self.kernels.choose_actions, self.records, self._words, self._choices)
        return self._choices

    @property
    def memory(self) -> float:
        """Bytes on the device for each game."""
        arrays = [each for each in vars(self).values() if hasattr(each, "copy_to_host")]
        return float(sum(each.nbytes for each in arrays)) / self.num_games

    @property
    def states(self) -> Records:
        """A copy of the games on the host: records of the game's dtype, shape (N,)."""
        copied: Records = np.zeros(self.num_games, self.game.state)
        self.records.copy_to_host(copied)
        return copied

    def set_states(self, states: Records) -> None:
        """Replace all games.

        Parameters
        ----------
        states : ndarray
            Records of the game's dtype, shape (N,), on the host.

        Raises
        ------
        ValueError
            Another shape or dtype, or a record that is not a game with an open question.
        """
        if states.dtype != self.game.state or states.shape != (self.num_games,):
            raise ValueError(f"states must be records of {self.game.name} with shape ({self.num_games},)")
        for game in range(self.num_games):
            self.game.check_state(states, game)
            if self.game.play.is_over(states, game):
                raise ValueError(f"game {game} of states is over; give games with an open question")
        self.records.copy_to_device(np.ascontiguousarray(states))
        self._write_decisions()

    def redeal(self, seats: Any, seeds: Any) -> None:
        """Replace each game by a redeal for a seat: what that seat cannot know is drawn again.

        Parameters
        ----------
        seats : array_like
            int64[N] on the device, or integers on the host: a seat of each game.
        seeds : array_like
            The same, 0 to 2**63 - 1.

        Raises
        ------
        ValueError
            A seat that is not in its game, a negative seed, or another shape. All games are unchanged.
        TypeError
            Another dtype.
        """
        asked, drawn = self._whole("seats", seats), self._whole("seeds", seeds)
        first = self._first_in(self.kernels.find_wrong_redeal, asked, drawn)
        if first < self.num_games:
            seat, seed = int(asked.copy_to_host()[first]), int(drawn.copy_to_host()[first])
            raise ValueError(f"seat {seat} or seed {seed} of game {first} is out of range; give a seat of its players")
        self.launch(self.kernels.redeal_games, self.records, asked, drawn)
        self._write_decisions()

    def _first_in(self, find: Any, *arguments: Any) -> int:
        """Return the first game that this kernel finds; their number if it finds none."""
        self._first.copy_to_device(np.array([self.num_games]))
        self.launch(find, self.records, *arguments, self._first)
        return int(self._first.copy_to_host()[0])

    def _whole(self, name: str, values: Any) -> Any:
        """Return integers as int64[N] on the device."""
        if not hasattr(values, "__cuda_array_interface__"):
            values = self._cuda.to_device(np.ascontiguousarray(whole_numbers(name, values)))
        return self.checked(name, values, (self.num_games,), np.int64)

    def checked(self, name: str, values: Any, shape: tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        """Return an array on the device as one of numba. Kernels check nothing: TypeError for another dtype, ValueError
        for another shape, or if it is not C-contiguous.
        """
        if not hasattr(values, "__cuda_array_interface__"):  # in numba's simulator
            return values
        found = self._cuda.as_cuda_array(values)
        if found.dtype != dtype:
            raise TypeError(f"{name} on the device have dtype {found.dtype}; give {np.dtype(dtype)}")
        if found.shape != shape or not found.is_c_contiguous():
            raise ValueError(f"{name} have shape {found.shape}; give {shape}, contiguous")
        return found

    def _write_decisions(self) -> None:
        lanes = self._batch.LANES
        self._batch.launch(
            self.kernels.write_decisions, lanes * self.num_games, self.records, lanes, self.masks, self.seats
        )
        if len(self.observations):
            self.launch(self.kernels.write_observations, self.records, self.observations)

    def launch(self, kernel: Any, *arguments: Any, threads: int | None = None) -> None:
        """Run a kernel with a thread for each game, or with so many threads."""
        self._batch.launch(kernel, self.num_games if threads is None else threads, *arguments)

    def _zeros(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        return self._cuda.to_device(np.zeros(shape, dtype))


@functools.cache
def _kernels(name: str) -> Any:
    gpu_batch = importlib.import_module(".core.engine.gpu_batch", __package__)
    one_game = games.game(name).batch.one_game
    return gpu_batch.compiled_for_gpu(gpu_batch.sources(one_game), one_game.record)


def _device() -> Any:
    """Return the module numba.cuda. Raise MissingPackageError without numba-cuda, UserError without a device."""
    if importlib.util.find_spec("numba_cuda") is None:
        raise MissingPackageError("a batch of games on a GPU", "numba-cuda", "gpu")
    cuda = importlib.import_module("numba.cuda")
    if not cuda.is_available():
        error = cuda.cuda_error()  # None with a device: then NVVM is missing
        missing = str(error).strip().splitlines()[0] if error else "numba-cuda finds no NVVM (numba-cuda[cu12], [cu13])"
        raise UserError(f"there is no CUDA device: {missing}")
    return cuda
