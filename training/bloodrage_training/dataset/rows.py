"""A dataset on disk: a folder with `manifest.json` and shards of rows.

A row is one decision of one seat. A shard is a file of `numpy.savez_compressed`, which any program can read. The
manifest names the agents, the options, the seed, the versions, and the rows and the SHA-256 of each shard.
"""

import hashlib
import io
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bloodrage_env import files, games
from bloodrage_env.core.options import GameOptions
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
MAX_MANIFEST: Final = 64 << 20  # bytes
MAX_SHARD: Final = 8 << 30  # bytes of a shard when it is unpacked


@dataclass(frozen=True)
class Rows:
    """N decisions, in the order of the games and of their decisions.

    `observations * scales` of the game are the numbers of the float32 observation.
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
        content = io.BytesIO()
        np.savez_compressed(content, **{each.name: getattr(self, each.name) for each in fields(self)})
        return content.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes, game: str) -> "Rows":
        """Return the rows of a shard. Raises UserError for content that is no shard of the game."""
        files.check_archive(content, MAX_SHARD)
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as archive:
                rows = cls(*(archive[each.name] for each in fields(cls)))
        except Exception as error:  # a file from elsewhere may raise anything
            raise UserError(f"it is no shard ({type(error).__name__})") from error
        for name, (kind, shape) in layout(game).items():
            array = getattr(rows, name)
            if array.dtype != kind or array.shape != (len(rows.actions), *shape):
                raise UserError(f"its {name} are {array.dtype}{list(array.shape)}, not {np.dtype(kind)}[N, ...]")
        return rows


def layout(game: str) -> dict[str, tuple[npt.DTypeLike, tuple[int, ...]]]:
    """Return the dtype and the shape of one row of each array of `Rows`."""
    played = games.game(game)
    wide = {"observations": (played.observation_size,), "masks": (played.num_actions,)}
    wide["probabilities"] = wide["masks"]
    kinds = {each.name: each.type.__args__[1].__args__[0] for each in fields(Rows)}  # type: ignore[union-attr]
    return {name: (kind, wide.get(name, ())) for name, kind in kinds.items()}


@dataclass(frozen=True)
class Shard:
    """An entry of the manifest."""

    file: str
    games: int
    rows: int
    sha256: str  # of the file
    digest: str  # of the arrays


@dataclass(frozen=True)
class Manifest:
    """The content of `manifest.json`. What is played follows from all but `shards` and `versions`."""

    game: str
    options: dict[str, Any]
    agents: tuple[str, ...]
    fingerprints: tuple[str, ...]
    seed: int
    games: int
    games_in_a_shard: int
    versions: dict[str, str]
    shards: tuple[Shard, ...] = ()

    def to_json(self) -> str:
        """Return the text of the file."""
        return as_json({"format": FORMAT, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Manifest":
        """Return the manifest. Raises UserError for a text that is none, or one of another format."""
        try:
            content = json.loads(text)
            if content.pop("format") != FORMAT:
                raise UserError(f"its format is not {FORMAT}; make the dataset again")
            shards = tuple(Shard(**each) for each in content.pop("shards"))
            made = cls(**content, shards=shards)
            made = cls(**{**vars(made), "agents": tuple(made.agents), "fingerprints": tuple(made.fingerprints)})
            games.options_from_json(made.options)
            for each in shards:
                if Path(each.file).name != each.file or not each.file.endswith(".npz"):
                    raise ValueError(f"{each.file!r} is no name of a shard")
        except UserError:
            raise
        except Exception as error:  # a file from elsewhere may raise anything
            raise UserError(f"it is no manifest of a dataset ({type(error).__name__}: {error})"[:200]) from error
        return made


class Dataset:
    """A dataset that is read: `Dataset("folder")`.

    Raises UserError for a folder without a manifest, of another format, or of a game whose layout has changed.
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
        """Yield the rows of each shard, in order. Raises UserError for a shard that is missing or damaged."""
        for number in range(len(self.manifest.shards)):
            yield self.shard(number)

    def shard(self, number: int) -> Rows:
        """Return the rows of shard `number`. Raises UserError for one that is missing or damaged."""
        entry = self.manifest.shards[number]
        path = self.folder / entry.file
        try:
            content = path.read_bytes()
        except OSError as error:
            raise UserError(f"can't read {path}: {error.strerror or error}") from error
        if hashlib.sha256(content).hexdigest() != entry.sha256:
            raise UserError(f"{path} is damaged: its checksum is not that of the manifest; make the dataset again")
        try:
            return Rows.from_bytes(content, self.manifest.game)
        except UserError as error:
            raise UserError(f"{path} can't be used: {error}") from error

    def rows(self, most: int | None = None) -> Rows:
        """Return all rows, or the first `most`, in one set of arrays. 10,000 rows of Blood Rage take 39 MB."""
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


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a folder. Raises UserError if there is none, or it can't be used."""
    path = folder / MANIFEST
    try:
        with path.open("rb") as file:
            content = file.read(MAX_MANIFEST + 1)
    except OSError as error:
        raise UserError(f"{folder} is no dataset: can't read {MANIFEST}: {error.strerror or error}") from error
    if len(content) > MAX_MANIFEST:
        raise UserError(f"{path} is larger than {MAX_MANIFEST >> 20} MiB")
    try:
        return Manifest.from_json(content.decode())
    except (UserError, UnicodeDecodeError) as error:
        raise UserError(f"{path} can't be used: {error}") from error
