"""Decisions that a policy learns from after searches, in memory and in files (`search.py`)."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from bloodrage_env import files
from bloodrage_env.errors import UserError

from .policy import MAX_CHECKPOINT, Changes, SparseRows, joined
from .runs import whole, write

BELOW_ONE: Final = np.nextafter(np.float16(1), np.float16(0))

Whole = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float32]


@dataclass
class CompactRows:
    """`SparseRows` in less memory, for many positions: the columns are uint16, the numbers float16 or float32."""

    offsets: Whole
    index: npt.NDArray[np.uint16]
    values: npt.NDArray[np.floating[Any]]
    changes: Changes | None = None

    @classmethod
    def of(cls, rows: SparseRows, dtype: npt.DTypeLike = np.float32) -> "CompactRows":
        """Return the same rows with numbers of this type. Networks have fewer columns than 2**16."""
        return cls(rows.offsets, rows.index.astype(np.uint16), rows.values.astype(dtype), rows.changes)

    @classmethod
    def join(cls, parts: Sequence["CompactRows"]) -> "CompactRows":
        """Return the rows of all parts, one part after the other."""
        return cls(*joined(parts), Changes.join_all(parts))

    def take(self, rows: Whole) -> SparseRows:
        """Return these rows, in this order."""
        lengths = np.diff(self.offsets)[rows]
        offsets = np.concatenate([np.zeros(1, np.int64), lengths.cumsum()])
        at = np.repeat(self.offsets[rows] - offsets[:-1], lengths) + np.arange(offsets[-1])
        changes = self.changes and self.changes.take(rows)
        return SparseRows(offsets, self.index[at].astype(np.int64), self.values[at].astype(np.float32), changes)


@dataclass
class Positions:
    """Decisions to learn from, one per row."""

    rows: CompactRows  # the inputs of the network
    targets: CompactRows  # the log-probability of each legal action
    values: Reals  # float32[R, seats]: what the values should be, of the seats clockwise from the one that is asked

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def of(cls, rows: SparseRows, targets: SparseRows, values: Reals) -> "Positions":
        """Return positions. Inputs are rounded to float16, as weights in a policy file are."""
        compact = CompactRows.of(rows, np.float16)
        compact.values[(compact.values == 1) & (rows.values < 1)] = BELOW_ONE  # a score of 1 is that of a best action
        return cls(compact, CompactRows.of(targets), values)

    @classmethod
    def join(cls, parts: Sequence["Positions"]) -> "Positions":
        """Return all of them, one part after the other."""
        return cls(
            CompactRows.join([part.rows for part in parts]),
            CompactRows.join([part.targets for part in parts]),
            np.concatenate([part.values for part in parts]),
        )

    def state(self) -> dict[str, torch.Tensor]:
        """Return the content for a file."""
        found = {"values": torch.tensor(self.values)}  # copies, because arrays of a Ray worker are read-only
        for name, part in (("rows", self.rows), ("targets", self.targets)):
            found |= {
                f"{name}_offsets": torch.tensor(part.offsets),
                f"{name}_index": torch.tensor(part.index.view(np.int16)),
                f"{name}_values": torch.tensor(part.values),
            }
        if self.rows.changes is not None:
            found["changes"] = torch.tensor(self.rows.changes.counts)
        return found

    @classmethod
    def of_state(cls, kept: Mapping[str, torch.Tensor], net: Any) -> "Positions":
        """Return the positions of a file, for networks of the sizes of `net`. Raise ValueError for others."""
        values = _finite(kept["values"], (len(kept["values"]), net.sizes.seats), np.float32)
        found = []
        kinds = (("rows", net.num_inputs, np.float16), ("targets", net.sizes.actions, np.float32))
        for name, columns, dtype in kinds:
            index = kept[f"{name}_index"].numpy().view(np.uint16)
            if index.ndim != 1 or (index >= columns).any():
                raise ValueError(f"columns of {name} are not below {columns}")
            offsets = whole(kept[f"{name}_offsets"], (len(values) + 1,), 0, len(index))
            if offsets[0] != 0 or offsets[-1] != len(index) or (np.diff(offsets) < 0).any():
                raise ValueError(f"offsets of {name} do not divide {len(index)} numbers")
            found.append(CompactRows(offsets, index, _finite(kept[f"{name}_values"], index.shape, dtype)))
        if net.changes.names:  # a row has as many legal actions as targets
            changes, shape = kept["changes"].numpy(), (len(found[1].index), len(net.changes.names))
            if changes.shape != shape or changes.dtype != np.int8:
                raise ValueError(f"changes of shape {list(changes.shape)} are not {list(shape)}, or of another type")
            found[0].changes = Changes(found[1].offsets, changes)
        return cls(found[0], found[1], values)


def _finite(kept: torch.Tensor, shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = kept.numpy()
    if array.shape != shape or array.dtype != dtype or not np.isfinite(array).all():
        raise ValueError(f"numbers of shape {list(array.shape)} are not {list(shape)}, of another type or not finite")
    return array


@dataclass
class Played:
    """The results of a task."""

    positions: Positions
    games: int
    decisions: int  # of the policy
    searched: int  # of these
    seconds: float

    def save(self, path: Path, mark: str) -> None:
        """Write a file. `mark` identifies the policy and the settings (`mark_of`)."""
        counts = {"games": self.games, "decisions": self.decisions, "searched": self.searched}
        write(path, self.positions.state() | {"mark": mark, "counts": counts, "seconds": self.seconds})

    @classmethod
    def load(cls, path: Path, mark: str, net: Any) -> "Played | None":
        """Return the content of a file, for networks of the sizes of `net`; None for a file with another mark.

        Raise UserError for a damaged file.
        """
        try:
            content = files.read_sealed(path, MAX_CHECKPOINT)
            files.check_archive(content, len(content))  # nothing in it is compressed
            kept = torch.load(io.BytesIO(content), weights_only=True)
            if kept["mark"] != mark:
                return None
            counts = {name: int(kept["counts"][name]) for name in ("games", "decisions", "searched")}
            return cls(Positions.of_state(kept, net), **counts, seconds=float(kept["seconds"]))
        except Exception as error:  # a damaged file may raise anything
            said = str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
            raise UserError(f"can't use {path} ({said}); delete it, and it is made again") from error
