"""Rollouts in other processes: workers of this machine or of a Ray cluster play the games of a learner.

A rollout of a part of the games is a task (`tasks.py`). It receives the weights and the games as they were after the
rollout before, and returns the decisions and the games. So a task whose process dies begins again on another worker,
with the same result, and results do not depend on where tasks run. The results of P actors are those of P threads that
play with the same policy.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from bloodrage_agents.network import file_of

from ..tasks import Died, Event, Refused, Result
from ..workers import TaskError, Work, make_pool
from .config import Imitation, Rollouts
from .export import policy_of
from .policy import Inputs, Policy
from .products import use_one_thread
from .tables import Counts, Tables, part_of

Weights = Mapping[str, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Packed:
    """Rows of an array that are mostly zeros: a bit for each element, and the elements that are not zero."""

    bits: npt.NDArray[np.uint8]
    values: npt.NDArray[Any]

    @classmethod
    def of(cls, rows: Tensor) -> "Packed":
        """Return the rows of a matrix, or of an array of matrices."""
        array = rows.flatten(1).numpy()
        nonzero = array != 0
        return cls(np.packbits(nonzero, axis=1), array[nonzero])

    def unpack(self, rows: Tensor) -> None:
        """Fill a matrix of the same shape and type."""
        array = np.zeros((len(rows), rows[0].numel() if len(rows) else 0), self.values.dtype)
        array[np.unpackbits(self.bits, axis=1, count=array.shape[1]).view(bool)] = self.values
        rows.copy_(torch.from_numpy(array).view(rows.shape))


@dataclass(frozen=True)
class Played:
    """The rollout of a part of the games."""

    inputs: tuple[Packed, ...]  # the tensors of the inputs
    columns: dict[str, npt.NDArray[Any]]  # of the batch, without inputs
    statistics: Counts
    state: dict[str, Any]  # of the games, after the rollout


Play = Callable[..., tuple[Any, Counts]]  # `play` of the learner
_loaded: dict[str, tuple[Tables, Policy, Policy | None]] = {}  # of the run of this process, by its part
_scratch: list[Inputs] = []  # one for all parts, since a process may play any of them


def rollout(
    play: Play, config: Rollouts, number: int, part: int, state: Mapping[str, Any], weights: Weights
) -> Iterator[Played]:
    """A task: plays rollout `number` of a part of the games."""
    use_one_thread()
    tables, policy, teacher = _load(config, part, weights)
    tables.resume(state)
    tables.rng = np.random.default_rng([config.seed, number, part])
    batch, statistics = play(tables, policy, config, _scratch[0], teacher=teacher)
    rows = _scratch[0].part(0, len(batch.places))
    columns = {name: np.asarray(each) for name, each in vars(batch).items() if name not in ("inputs", "places")}
    yield Played(tuple(map(Packed.of, rows.tensors)), columns, statistics, tables.state())


def _load(config: Rollouts, part: int, weights: Weights) -> tuple[Tables, Policy, Policy | None]:
    """Return the games of a part, the policy with these weights, and the teacher."""
    run = str(config)
    if not all(key.endswith(run) for key in _loaded):
        _loaded.clear()
        _scratch.clear()
    if f"{part} {run}" not in _loaded:
        layers = sum(name.startswith("layers.") and name.endswith(".weight") for name in weights)
        with torch.random.fork_rng(devices=()):  # the learner's numbers are its own, where a task is in its process
            policy = Policy(len(weights["first_bias"]), layers, config.game, config.ledger, config.changes)
            policy.bfloat16 = config.bfloat16
            teacher = None
            if isinstance(config, Imitation):
                teacher = policy_of(file_of(config.teacher, config.game), config.game)
            _loaded[f"{part} {run}"] = part_of(config, part), policy, teacher
    tables, policy, teacher = _loaded[f"{part} {run}"]
    policy.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
    rows = tables.games.num_games * config.steps
    if not _scratch or len(_scratch[0]) < rows:
        _scratch[:] = [Inputs.empty(rows, policy.net)]
    return tables, policy, teacher


class Actors:
    """The workers that play the parts of the games of a run."""

    def __init__(self, play: Play, config: Rollouts, backend: str, parts: int) -> None:
        self.play, self.config, self.parts = play, config, parts
        self._pool = make_pool(backend, parts)
        self._work = Work(self._pool, rollout)

    def begin(self, number: int, policy: Policy, states: Sequence[Mapping[str, Any]]) -> None:
        """Begin a rollout with the games of each part."""
        weights = {name: each.detach().cpu().numpy().copy() for name, each in policy.state_dict().items()}
        for part, state in enumerate(states):
            self._work.submit(part, (self.play, self.config, number, part, state, weights))

    def end(self, turn: Callable[[], None]) -> list[Played]:
        """Wait for the end of the rollout, and call `turn` at least once a second. Return its parts in order.

        Raise TaskError if a part failed in all attempts. Ctrl-C interrupts the workers.
        """
        found: dict[int, Played] = {}
        failed: dict[int, str] = {}

        def take(events: Sequence[Event]) -> None:
            for event in events:
                if isinstance(event, Result):
                    found[event.number] = event.value
                elif isinstance(event, Died | Refused):
                    failed[event.number] = event.reason
            turn()

        try:
            self._work.carry_out(lambda: None, take)
        except KeyboardInterrupt:
            self._work.interrupt()
            self._work.carry_out(lambda: None, lambda events: None)
            raise
        if failed:
            raise TaskError(failed)
        return [found[part] for part in range(self.parts)]

    def close(self) -> None:
        """End the workers."""
        self._pool.close()
