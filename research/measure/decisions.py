"""Decisions of games, from which `networks.py` has networks learn."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bloodrage_env import files
from bloodrage_training.learn.policy import SparseRows

Whole = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float32]


@dataclass
class Decisions:
    """Decisions with more than one legal action, one a row; seats are counted clockwise from the one that is asked."""

    rows: SparseRows  # the inputs
    targets: SparseRows  # the teacher's probability of each legal action
    game: Whole
    players: Whole
    values: Reals  # float32[R, MAX_SEATS]: the rewards at the end
    sources: Reals  # float32[R, MAX_SEATS, NUM_SOURCES]: final glory by source, times GLORY
    rank: Whole  # of the seat that is asked, at the end: 0 is the best
    holders: npt.NDArray[np.int8]  # int8[R, NUM_PROVINCES]: most STR there at the end of the Age: 1 + seat; 0 nobody
    hands: npt.NDArray[np.uint8]  # [R, MAX_SEATS - 1, CARD_CAPACITY] in bits: what the others hold

    def __len__(self) -> int:
        return len(self.game)

    def take(self, which: Whole) -> "Decisions":
        """These rows."""
        taken: list[Any] = [part.take(which) if isinstance(part, SparseRows) else part[which] for part in self.parts()]
        return Decisions(*taken)

    def parts(self) -> list[Any]:
        """Its arrays."""
        return list(vars(self).values())

    @classmethod
    def join(cls, all_of: Sequence["Decisions"]) -> "Decisions":
        """One part after the other."""
        columns = zip(*(each.parts() for each in all_of), strict=True)
        found: list[Any] = [SparseRows.join(c) if isinstance(c[0], SparseRows) else np.concatenate(c) for c in columns]
        return cls(*found)

    def arrays(self) -> list[npt.NDArray[Any]]:
        """Return its arrays, those of sparse rows one by one; these have no changes of actions."""
        arrays: list[npt.NDArray[Any]] = []
        for part in self.parts():
            arrays += [part.offsets, part.index, part.values] if isinstance(part, SparseRows) else [part]
        return arrays

    def save(self, path: Path) -> None:
        """Write them to a file (.npz)."""
        arrays = {f"arr_{number}": each for number, each in enumerate(self.arrays())}
        files.write(path, files.archive(arrays, compressed=False))

    @classmethod
    def load(cls, path: Path) -> "Decisions":
        """Those of such a file, of which nothing is unpickled."""
        with np.load(path) as kept:
            arrays: list[Any] = list(kept.values())
        return cls(SparseRows(*arrays[:3]), SparseRows(*arrays[3:6]), *arrays[6:])
