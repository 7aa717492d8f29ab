"""A dataset on disk: a folder with `manifest.json` and shards of rows.

A row is one decision of one seat. A shard is a file of `numpy.savez_compressed`, which any program can read. The
manifest names the agents, the options, the seed, the versions, and the rows and the SHA-256 of each shard.
"""

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bloodrage_env import files, games
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.errors import UserError

from .manifest import Manifest, Shard, read_manifest

MAX_SHARD: Final = 8 << 30  # bytes of a shard when it is unpacked
MAX_GAMES: Final = 1000  # of a shard that is made: some 1.5 GB
_ROUNDED: Final = 0.02  # by how much probabilities in float16 may miss 1
_KINDS: Final[dict[str, type[np.generic]]] = {
    "observations": np.uint8, "masks": np.bool_, "actions": np.int16, "probabilities": np.float16, "games": np.int64,
    "steps": np.int16, "seats": np.int8, "agents": np.int8, "returns": np.float32, "scores": np.int32,
}  # fmt: skip


@dataclass(frozen=True)
class Rows:
    """N decisions, in the order of the games and of their decisions.

    `observations * scales` of the game are the numbers of the float32 observation.

    Examples
    --------
    >>> from bloodrage_training.dataset import Dataset
    >>> data = Dataset("data")
    >>> rows = data.rows(10)
    >>> len(rows), rows.masks.shape
    (10, (10, 301))
    """

    observations: npt.NDArray[np.uint8]  # [N, OBSERVATION_SIZE], what the seat to act sees
    masks: npt.NDArray[np.bool_]  # [N, NUM_ACTIONS], True for a legal action
    actions: npt.NDArray[np.int16]  # [N], the action that was played
    probabilities: npt.NDArray[np.float16]  # [N, NUM_ACTIONS] of the agent's policy; zeros for an agent without one
    games: npt.NDArray[np.int64]  # [N], the number of the game, from 0
    steps: npt.NDArray[np.int16]  # [N], the number of the decision in its game, from 0
    seats: npt.NDArray[np.int8]  # [N], the seat to act
    agents: npt.NDArray[np.int8]  # [N], the index of its agent in `Manifest.agents`
    returns: npt.NDArray[np.float32]  # [N], the reward of the seat at the end of the game, -1 to 1
    scores: npt.NDArray[np.int32]  # [N], the score of the seat at the end of the game

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.actions)

    @classmethod
    def joined(cls, parts: list["Rows"]) -> "Rows":
        """Return the rows of all parts, of which there is at least one."""
        return cls(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(cls)))

    def digest(self) -> str:
        """Return the SHA-256 of all arrays, in hex; it does not depend on how a file was compressed."""
        found = hashlib.sha256()
        for each in fields(self):
            array = np.ascontiguousarray(getattr(self, each.name))
            found.update(f"{each.name} {array.dtype.str} {array.shape}".encode())
            found.update(array.data)
        return found.hexdigest()

    def to_bytes(self) -> bytes:
        """Return the content of a shard."""
        return files.archive({each.name: getattr(self, each.name) for each in fields(self)})

    @classmethod
    def from_bytes(cls, content: bytes, game: str) -> "Rows":
        """Return the rows of a shard. Raise UserError for content that is not a shard of the game."""
        files.check_archive(content, MAX_SHARD)
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
        except Exception as error:  # a file from elsewhere may raise anything
            raise UserError(f"it is not a shard ({type(error).__name__})") from error
        if arrays.keys() != _KINDS.keys():
            raise UserError(f"it is not a shard: its arrays are not {', '.join(_KINDS)}")
        count = np.shape(arrays["observations"])[:1]
        for name, (kind, shape) in layout(game).items():
            array = arrays[name]
            if not isinstance(array, np.ndarray) or array.dtype != kind or array.shape != (*count, *shape):
                found = f"{array.dtype}{[*array.shape]}" if isinstance(array, np.ndarray) else type(array).__name__
                raise UserError(f"its {name} are {found}, not {np.dtype(kind)}[N, ...]")
        return cls(**arrays)

    def check(self, manifest: Manifest, shard: Shard) -> None:
        """Raise UserError unless these can be the rows of a shard. That they are of its agents is not checked."""
        first, seats = manifest.first(shard), games.options_from_json(manifest.options).num_players
        if len(self) != shard.rows or self.digest() != shard.digest:
            raise UserError(f"it has not the {shard.rows} rows of the manifest")
        begins = np.flatnonzero(np.append(True, np.diff(self.games) != 0)[: len(self)])
        lengths = np.diff(begins, append=len(self))
        actions = np.minimum(self.actions.astype(np.int64).view(np.uint64), self.masks.shape[1] - 1).view(np.int64)
        index = self.seats.astype(np.int64)
        right = {
            "games": np.array_equal(self.games[begins], first + np.arange(shard.games)),
            "steps": np.array_equal(self.steps, np.arange(len(self)) - np.repeat(begins, lengths)),
            "seats": _within(self.seats, 0, seats - 1),
            "agents": _within(self.agents, 0, len(manifest.agents) - 1),
            "masks": _within(self.masks.view(np.uint8), 0, 1),
            "actions": np.array_equal(actions, self.actions) and self.masks[np.arange(len(self)), actions].all(),
            "returns": _within(self.returns, -1, 1),
            "probabilities": self._has_probabilities(),
        }
        wrong = next((name for name, good in right.items() if not good), None)
        if wrong is not None:
            raise UserError(f"its {wrong} can't be those of a game")
        own = self.games * seats + index  # of a seat in a game, all decisions have the same agent and result
        order = np.argsort(own, kind="stable")
        same = np.diff(own[order]) == 0
        for name in ("agents", "returns", "scores"):
            if (np.diff(getattr(self, name)[order])[same] != 0).any():
                raise UserError(f"its {name} differ within a game")

    def _has_probabilities(self) -> bool:
        """Return whether each row has a policy over the legal actions, or zeros."""
        bits = self.probabilities.view(np.uint16)  # numpy is slow with float16
        if (bits > np.float16(1).view(np.uint16)).any() or ((bits != 0) & ~self.masks).any():
            return False
        some = self.probabilities[bits.any(1)].sum(1, dtype=np.float32)
        return _within(some, 1 - _ROUNDED, 1 + _ROUNDED)


def _within(array: npt.NDArray[Any], low: float, high: float) -> bool:
    """Return whether all numbers are from `low` to `high`; NaN is not."""
    return bool(((array >= low) & (array <= high)).all())


def layout(game: str) -> dict[str, tuple[npt.DTypeLike, tuple[int, ...]]]:
    """Return the dtype and the shape of one row of each array of `Rows`."""
    played = games.game(game)
    wide = {"observations": (played.observation_size,), "masks": (played.num_actions,)}
    wide["probabilities"] = wide["masks"]
    return {name: (kind, wide.get(name, ())) for name, kind in _KINDS.items()}


class Dataset:
    """A dataset that is read. Iterating yields the `Rows` of each shard; `len` is the number of rows.

    Parameters
    ----------
    folder : path
        The folder. Raises UserError for a folder without a manifest, of another format, or of a game whose layout has
        changed.

    Examples
    --------
    >>> from bloodrage_training.dataset import Dataset
    >>> data = Dataset("data")
    >>> len(data) == sum(len(rows) for rows in data)
    True
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.manifest = read_manifest(self.folder)

    def __len__(self) -> int:
        """The number of rows on disk."""
        return sum(each.rows for each in self.manifest.shards)

    @property
    def options(self) -> GameOptions:
        """The options of the games."""
        return games.options_from_json(self.manifest.options)

    def __iter__(self) -> Iterator[Rows]:
        """Yield the rows of each shard, in order. Raise UserError for a shard that is missing or damaged."""
        for number in range(len(self.manifest.shards)):
            yield self.shard(number)

    def shard(self, number: int) -> Rows:
        """Return the rows of a shard.

        Parameters
        ----------
        number : int
            The shard, from 0.

        Returns
        -------
        Rows
            The rows. Raises UserError for a shard that is missing or damaged.
        """
        entry = self.manifest.shards[number]
        path = self.folder / entry.file
        try:
            with path.open("rb") as file:
                content = file.read(MAX_SHARD + 1)
        except OSError as error:
            raise UserError(f"can't read {path}: {error.strerror or error}") from error
        if hashlib.sha256(content).hexdigest() != entry.sha256:
            raise UserError(f"{path} is damaged: its checksum is not that of the manifest; make the dataset again")
        try:
            rows = Rows.from_bytes(content, self.manifest.game)
            rows.check(self.manifest, entry)
        except UserError as error:
            raise UserError(f"{path} can't be used: {error}") from error
        return rows

    def rows(self, most: int | None = None) -> Rows:
        """Return the first rows, from as many shards as it takes, in one set of arrays.

        Parameters
        ----------
        most : int, optional
            The number of rows; by default all.

        Returns
        -------
        Rows
            The rows. Raises UserError for a shard that is missing or damaged.
        """
        parts: list[Rows] = []
        count = 0
        for part in self:
            left = len(part) if most is None else most - count
            parts.append(Rows(*(getattr(part, each.name)[:left] for each in fields(Rows))))
            count += len(parts[-1])
            if most is not None and count >= most:
                break
        if not parts:
            raise UserError(f"{self.folder} has no rows yet")
        return Rows.joined(parts)
