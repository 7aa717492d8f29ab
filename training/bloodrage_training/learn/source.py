"""Where the games of a learner are played: on the CPU, or on the GPU of the network."""

import importlib.util
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from bloodrage_agents.forward import Forward
from bloodrage_env import VectorGames
from bloodrage_env.core.compile.decorators import Records
from bloodrage_env.core.engine.game import Game

from .learnable import Bools, Learnable
from .policy import Inputs, SparseRows
from .slices import Slices

GPU: Final = "cuda"  # the device of a network whose games can be played there

Whole = npt.NDArray[np.int64]


class Source(Protocol):
    """Games for a rollout. All arrays are on the host; inputs of the network are on its device."""

    game: Game
    num_games: int
    players: Whole  # of each game

    @property
    def seats(self) -> Whole:
        """Return int64[N], the seats to act."""

    @property
    def masks(self) -> npt.NDArray[np.int8]:
        """Return int8[N, NUM_ACTIONS], the legal actions; of games on a GPU, a copy."""

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """Return float32[N, MAX_SEATS], the rewards of the games that ended in the last step."""

    @property
    def dones(self) -> Bools:
        """Return bool[N], the games that ended in the last step."""

    @property
    def states(self) -> Records:
        """Return the records of the games; of games on a GPU, a copy."""

    @property
    def seeds(self) -> Whole:
        """Return int64[N], the seeds of the last resets."""

    def begin(self, players: Whole, options: Any) -> None:
        """Start games with these numbers of players and rows of options."""

    def restore(self, states: Records, seeds: Whole) -> None:
        """Continue with other games, whose records have been checked."""

    def write(self, which: Whole, mirrored: Bools, inputs: Inputs, net: Forward) -> None:
        """Write the inputs of the open decisions of games `which`, as `Learnable.write`."""

    def rows(self, which: Whole, mirrored: Bools) -> SparseRows:
        """Return the same inputs on the host, as sparse rows."""

    def choose(self, styles: Whole, seeds: Whole, actions: Whole) -> None:
        """Fill the actions of games whose seats to act have a style, as `choose_many`."""

    def step(self, actions: Whole) -> None:
        """Answer the open decision of each game."""


class HostGames(VectorGames):
    """Games on the CPU. `slices` divides the compiled work between threads.

    With `staging`, inputs are written there and copied to the device of the network.
    """

    def __init__(
        self, known: Learnable, num_games: int, seed: int, slices: Slices, staging: Inputs | None = None
    ) -> None:
        super().__init__(num_games, game=known.game.name, seed=seed, observations="none", threads=slices.threads)
        self._learnable, self._work, self.staging = known, slices, staging

    def begin(self, players: Whole, options: Any) -> None:
        """Start games with these numbers of players and rows of options."""
        self.players, self.options = players, options
        self.reset()

    def restore(self, states: Records, seeds: Whole) -> None:
        """Continue with other games, whose records have been checked."""
        self.states[:], self.seeds[:] = states, seeds
        self.masks[:], self.seats[:] = states["mask"], states["seat"]

    def write(self, which: Whole, mirrored: Bools, inputs: Inputs, net: Forward) -> None:
        """Write the inputs of the open decisions of games `which`, as `Learnable.write`."""
        rows = inputs
        if self.staging is not None:
            own = self.staging.changes.shape[1:] == inputs.changes.shape[1:]
            rows = self.staging.part(0, len(which)) if own else Inputs.empty(len(which), net)
        write, states = self._learnable.write, self.states
        self._work.each(
            len(which), lambda at: write(states, which[at], mirrored[at], rows.part(at.start, at.stop), net)
        )
        if rows is not inputs:
            inputs.fill(rows)

    def rows(self, which: Whole, mirrored: Bools) -> SparseRows:
        """Return the same inputs on the host, as sparse rows."""
        return self._learnable.rows(self.states, which, mirrored)

    def choose(self, styles: Whole, seeds: Whole, actions: Whole) -> None:
        """Fill the actions of games whose seats to act have a style, as `choose_many`."""
        choose_many, states = self._learnable.choose_many, self.states
        self._work.each(len(styles), lambda at: choose_many(states[at], styles[at], seeds[at], actions[at]))


class DeviceGames:
    """Games on the GPU of the network. Inputs never leave it; a few bytes of each game are copied to the host."""

    def __init__(self, known: Learnable, num_games: int, seed: int) -> None:
        from numba import cuda

        from bloodrage_agents.gpu import GpuSeats
        from bloodrage_env.gpu import GpuGames

        self.games = GpuGames(num_games, game=known.game.name, seed=seed, observations="none")
        self.game, self.num_games, self.players = known.game, num_games, self.games.players
        self._learnable = known
        self.device = GPU if torch.cuda.is_available() else "cpu"  # of inputs; in numba's simulator there is no GPU
        self._seats, self._to_device = GpuSeats(self.games), cuda.to_device
        self._order = self._to_device(known.order)

    def begin(self, players: Whole, options: Any) -> None:
        """Start games with these numbers of players and rows of options."""
        self.players = players
        self.games.options.copy_to_device(options)
        self.games.reset()
        self._copy()

    def restore(self, states: Records, seeds: Whole) -> None:
        """Continue with other games, whose records have been checked."""
        self.games.set_states(states)
        self.games.seeds.copy_to_device(seeds)
        self._copy()

    @property
    def states(self) -> Records:
        """Return a copy of the records."""
        return self.games.states

    @property
    def masks(self) -> npt.NDArray[np.int8]:
        """Return a copy of the masks."""
        return np.asarray(self.games.masks.copy_to_host())

    @property
    def seeds(self) -> Whole:
        """Return int64[N], the seeds of the last resets."""
        return np.asarray(self.games.seeds.copy_to_host())

    def write(self, which: Whole, mirrored: Bools, inputs: Inputs, net: Forward, records: Any = None) -> None:
        """Write the inputs of the open decisions of games `which`, or of other `records` on the GPU."""
        if len(which):
            moved = self._to_device(mirrored.astype(np.int8))
            self._seats.write(
                self._to_device(which), moved, self._order, shared(inputs.counts), shared(inputs.more), records,
                net.ledger,
            )  # fmt: skip
            if net.changes.names:
                self._seats.write_changes(self._to_device(which), shared(inputs.changes.flatten(1)), records)
                if self._learnable.mirror is not None:
                    at = torch.from_numpy(mirrored).to(inputs.changes.device)
                    actions = torch.from_numpy(self._learnable.mirror.actions).to(at.device)
                    inputs.changes[at] = inputs.changes[at][:, actions]

    def rows(self, which: Whole, mirrored: Bools) -> SparseRows:
        """Return the same inputs on the host, as sparse rows."""
        inputs = Inputs.empty(len(which), self._learnable.forward, self.device)
        self.write(which, mirrored, inputs, self._learnable.forward)
        kept = inputs.to(torch.device("cpu"))
        return SparseRows.of_inputs(kept, np.arange(len(which)), self.game.scales).copy()

    def choose(self, styles: Whole, seeds: Whole, actions: Whole) -> None:
        """Fill the actions of games whose seats to act have a style, as `choose_many`."""
        if (styles >= 0).any():
            filled = self._to_device(actions)
            self._seats.answer(self._to_device(styles), self._to_device(seeds), filled)
            filled.copy_to_host(actions)

    def step(self, actions: Whole) -> None:
        """Answer the open decision of each game."""
        self.games.step(actions)
        self._copy()

    def _copy(self) -> None:
        self.seats: Whole = self.games.seats.copy_to_host()
        self.rewards: npt.NDArray[np.float32] = self.games.rewards.copy_to_host()
        self.dones: Bools = self.games.dones.copy_to_host()[:, 0].astype(np.bool_)


def shared(tensor: Tensor) -> Any:
    """Return the memory of a tensor for a kernel: on a GPU the tensor, in numba's simulator an array of the host."""
    return tensor if tensor.is_cuda else tensor.numpy()


def on_gpu(device: str) -> bool:
    """Whether games are played on the device of the network: a GPU, for which numba-cuda is installed and compiles."""
    if device != GPU or importlib.util.find_spec("numba_cuda") is None:
        return False
    return bool(importlib.import_module("numba.cuda").is_available())
