"""Datasets in formats of other libraries: a Parquet file, and a Minari dataset of HDF5.

Both are written from the shards, one shard at a time, and replace a file of the same name when they are complete.
`Dataset` reads the shards only.
"""

import copy
import json
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces

import bloodrage_env
from bloodrage_env import games
from bloodrage_env.errors import UserError
from bloodrage_env.terminal.progress import Progress

from ..extras import needed
from .rows import Dataset, Rows

SHARDS: Final = "npz"
METADATA: Final = "bloodrage"  # key of the manifest in the metadata of a file
PACKAGES: Final = {"parquet": ("pyarrow",), "minari": ("minari", "h5py")}
PARQUET, MINARI = (f"the format {each}" for each in PACKAGES)  # in messages


def paths(out: str, named: str | None) -> tuple[Path, str]:
    """Return the folder of the shards and the format, which `named` or the ending of `out` says."""
    path = Path(out)
    ending = path.suffix.removeprefix(".")
    known = ending in (SHARDS, *WRITERS)
    return path.with_suffix("") if known else path, named or (ending if known else SHARDS)


def check(kind: str, folder: Path) -> None:
    """Raise UserError if a dataset in `folder` can't be written in a format: a package is missing, or something else
    has its name.
    """
    for package in PACKAGES.get(kind, ()):
        needed(package, f"the format {kind}")
    if kind in WRITERS:
        _check_target(_target(folder, kind))


def write_as(kind: str, data: Dataset, progress: Progress) -> Path:
    """Write a dataset in another format, beside its folder.

    Parameters
    ----------
    kind : {"parquet", "minari"}
        The format.
    data : Dataset
        The dataset.
    progress : Progress
        Shows how many rows are written.

    Returns
    -------
    Path
        The file or folder. Raises UserError if a package is missing, a shard is damaged, or nothing can be written.

    Examples
    --------
    >>> from bloodrage_training.dataset import Dataset
    >>> data = Dataset("data")
    >>> import sys
    >>> from bloodrage_env.terminal.progress import Progress
    >>> from bloodrage_training.dataset.formats import write_as
    >>> write_as("parquet", data, Progress(sys.stderr, len(data))).name
    'data.parquet'
    """
    path = _target(data.folder, kind)
    WRITERS[kind](data, _shown(data, progress), path)
    return path


def _target(folder: Path, kind: str) -> Path:
    """Return the path of a dataset in another format, beside the folder of its shards."""
    if not folder.name:
        raise UserError(f"there is no name for a file beside {folder}; give another --out")
    return folder.with_name(f"{folder.name}.{kind}")


def _check_target(path: Path) -> None:
    """Raise UserError if something other than a dataset in this format has the path: it would be removed."""
    if path.exists() and not _is_dataset(path):
        raise UserError(f"{path} exists and is not such a dataset; name another path with --out")


def _is_dataset(path: Path) -> bool:
    """Return whether this module wrote a file or folder."""
    try:
        if path.suffix == ".minari":
            return METADATA in json.loads((path / "metadata.json").read_bytes())
        return METADATA.encode() in needed("pyarrow.parquet", PARQUET).read_schema(path).metadata
    except Exception:  # a file from elsewhere may raise anything
        return False


def _shown(data: Dataset, progress: Progress) -> Iterator[Rows]:
    """Yield the rows of each shard, and show how many have been used."""
    done = 0
    for rows in data:
        yield rows
        done += len(rows)
        progress.update(done)
    progress.end()


@contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """A context for a path that takes the place of `path` at its end, and is removed after an exception."""
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    _check_target(path)
    try:
        yield unfinished
        _remove(path)
        unfinished.replace(path)
    except OSError as error:
        raise UserError(f"can't write {path}: {error.strerror or error}") from error
    finally:
        _remove(unfinished)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


# ---- Parquet


def write_parquet(data: Dataset, shards: Iterator[Rows], path: Path) -> None:
    """Write one file with a row group for each shard. Its columns are the arrays of `Rows`.

    `agents` contains specs. Columns with several numbers in a row are lists of fixed size. The metadata of the schema
    contains the manifest as JSON.
    """
    pa, pq = needed("pyarrow", PARQUET), needed("pyarrow.parquet", PARQUET)
    writer = None
    with _replaced(path) as unfinished:
        try:
            for rows in shards:
                table = _table(rows, data, pa)
                writer = writer or pq.ParquetWriter(str(unfinished), table.schema, compression="zstd")
                writer.write_table(table)
        finally:
            if writer is not None:
                writer.close()


def _table(rows: Rows, data: Dataset, pa: Any) -> Any:
    """Return the rows as a table of pyarrow."""
    columns = {each.name: getattr(rows, each.name) for each in fields(Rows)}
    columns["probabilities"] = columns["probabilities"].astype(np.float32)  # few programs read float16
    made = {}
    for name, array in columns.items():
        flat = pa.array(array.reshape(-1))
        made[name] = flat if array.ndim == 1 else pa.FixedSizeListArray.from_arrays(flat, array.shape[1])
    made["agents"] = pa.DictionaryArray.from_arrays(pa.array(columns["agents"]), pa.array(data.manifest.agents))
    return pa.table(made).replace_schema_metadata({METADATA: data.manifest.to_json()})


# ---- Minari


def write_minari(data: Dataset, shards: Iterator[Rows], path: Path) -> None:
    """Write a folder that `minari.MinariDataset(path)` reads. An episode contains the decisions of a seat in a game.

    The reward is that of the seat, at its last decision. The observation after it is all zero, and nothing is legal.
    """
    storages, buffers = needed("minari.dataset.minari_storage", MINARI), needed("minari.data_collector", MINARI)
    game = games.game(data.manifest.game)
    seen = spaces.Dict(
        {
            "observation": spaces.Box(0, 255, (game.observation_size,), np.uint8),
            "action_mask": spaces.MultiBinary(game.num_actions),
        }
    )
    spec = copy.deepcopy(gymnasium.spec("bloodrage/OneSeat-v0"))
    spec.kwargs = data.manifest.options
    with _replaced(path.absolute()) as unfinished:  # Minari fails with a relative one
        unfinished.mkdir()
        storage = storages.MinariStorage.new(unfinished, seen, spaces.Discrete(game.num_actions), spec, "hdf5")
        first = 0
        for rows in shards:
            found = [*_episodes(rows)]
            storage.update_episodes(buffers.EpisodeBuffer(**episode) for episode, _ in found)
            more = [which | {"agent": data.manifest.agents[which["agent"]]} for _, which in found]
            storage.update_episode_metadata(more, range(first, first + len(found)))
            first += len(found)
        storage.update_metadata(
            {
                "dataset_id": f"bloodrage/{game.name}-v0",
                "minari_version": needed("minari", MINARI).__version__,
                "algorithm_name": ", ".join(data.manifest.agents),
                METADATA: data.manifest.to_json(),
                "code_permalink": f"bloodrage {bloodrage_env.__version__}",
            }
        )


def _episodes(rows: Rows) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the episodes of the rows, as arguments of an `EpisodeBuffer`, and their metadata."""
    order = np.lexsort((rows.steps, rows.seats, rows.games))
    ends = np.flatnonzero(np.diff(rows.games[order]) | np.diff(rows.seats[order])) + 1
    for which in np.split(order, ends):
        count, last = len(which), which[-1]
        rewards = np.zeros(count, np.float32)
        rewards[-1] = rows.returns[last]
        terminated = np.arange(count) == count - 1
        seen = {"observation": rows.observations, "action_mask": rows.masks.view(np.int8)}
        yield {
            "observations": {name: np.append(each[which], np.zeros_like(each[:1]), 0) for name, each in seen.items()},
            "actions": rows.actions[which].astype(np.int64),
            "rewards": rewards,
            "terminations": terminated,
            "truncations": np.zeros(count, bool),
        }, {
            "game": int(rows.games[last]), "seat": int(rows.seats[last]), "agent": int(rows.agents[last]),
            "score": int(rows.scores[last]),
        }  # fmt: skip


WRITERS: Final[dict[str, Callable[[Dataset, Iterator[Rows], Path], None]]] = {
    "parquet": write_parquet,
    "minari": write_minari,
}
