"""Damaged manifests and shards of datasets, and damaged result files of benchmarks.

`python tests/fuzz_datasets.py COUNT` damages COUNT files of each kind and prints how many were refused. A fault is a
traceback, or a file that was read although it says something else than it did.
"""

import copy
import hashlib
import io
import json
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_training.benchmark import record
from bloodrage_training.dataset import Dataset, Rows
from bloodrage_training.dataset.manifest import Manifest

Json = Any
ODD: list[Json] = [
    None, True, False, 0, -1, -5, 1.5, 127, 128, 2**31, 2**63, 2**64, -(2**63) - 1, 1e308, "", "x", "../x", "\ud800",
    "a\nb", "x" * 2000, [], {}, [None, None], [[]], [{}], {"": 0}, "0" * 64, "berserk", "rows-000000.npz",
]  # fmt: skip
STATED = ("seed", "versions", "agents", "fingerprints")  # of a manifest: what its rows can't contradict
FREE = ("name", "stated", "made", "versions", "digest")  # of a result file: what is said, and a missing policy's digest


def places(content: Json) -> list[tuple[Json, Json]]:
    """All entries of JSON: the table or list, and the key."""
    keys = list(content) if isinstance(content, dict) else range(len(content))
    found: list[tuple[Json, Json]] = [(content, key) for key in keys]
    return found + [place for key in keys if isinstance(content[key], (dict, list)) for place in places(content[key])]


def damage(content: Json, rng: random.Random) -> str:
    """The text of JSON with one to three changes."""
    content = copy.deepcopy(content)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        found = places(content)
        if not found:
            break
        holder, key = rng.choice(found)
        kind = rng.randrange(8)
        if kind == 0:
            del holder[key]
        elif kind == 1:
            other, its = rng.choice(found)
            holder[key] = copy.deepcopy(other[its]) if its in (other if isinstance(other, dict) else range(9)) else 0
        elif kind == 2 and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        elif kind == 3 and isinstance(holder, dict):
            holder[rng.choice(("more", "", "file", "game"))] = copy.deepcopy(rng.choice(ODD))
        elif kind == 4 and type(holder[key]) is int:
            holder[key] += rng.choice((-1, 1, 2**40, 0.5))
        elif kind == 5 and isinstance(holder[key], list):
            rng.shuffle(holder[key])
        else:
            holder[key] = copy.deepcopy(rng.choice(ODD))
    text = json.dumps(content)
    if rng.random() < 0.1:  # no JSON
        at = rng.randrange(len(text))
        text = rng.choice((text[:at], text[:at] + rng.choice('\0"{[}NaN9') + text[at + 1 :], "[" * 10**5))
    return text


def damaged_rows(rows: Rows, rng: random.Random) -> Rows | bytes:
    """Rows with a change, or the content of a file that is no shard."""
    arrays = {each.name: getattr(rows, each.name).copy() for each in fields(Rows)}
    name = rng.choice([*arrays])
    array, at = arrays[name], rng.randrange(len(rows))
    kind = rng.randrange(6)
    if kind == 0:
        flat = array.view(np.uint8).reshape(-1)
        flat[rng.randrange(len(flat))] ^= 1 << rng.randrange(8)
    elif kind == 1:
        arrays[name] = np.delete(array, at, 0)
    elif kind == 2:
        order = np.arange(len(rows))
        order[[at, at - 1]] = order[[at - 1, at]]
        arrays = {each: found[order] for each, found in arrays.items()}
    elif kind == 3:
        arrays = {each: np.delete(found, at, 0) for each, found in arrays.items()}
    elif kind == 4:
        array[at] = np.array(rng.choice((-1, 1, 2, 5, 127, 0.5))).astype(array.dtype)
    else:
        arrays[name] = rng.choice((array.astype(np.float64), array[..., None], np.array(3), array[:0], array[None]))
    same = {found.shape[:1] for found in arrays.values()} == {arrays["actions"].shape[:1]} and arrays["actions"].ndim
    if same and all(found.dtype == getattr(rows, each).dtype for each, found in arrays.items()):
        return Rows(**arrays)
    packed = io.BytesIO()
    stored: dict[str, Any] = arrays
    np.savez(packed, **stored)
    return packed.getvalue()


def fits(data: Dataset, entry: int, rows: Rows) -> bool:
    """Whether rows can be those of a shard, found row by row."""
    manifest, seats = data.manifest, data.options.num_players
    shard = manifest.shards[entry]
    if len(rows) != shard.rows or sorted(set(rows.games.tolist())) != [*range(manifest.first(shard), shard.games)]:
        return False
    known: dict[tuple[int, int], tuple[float, ...]] = {}
    step, game = -1, -1
    for row in range(len(rows)):
        step = step + 1 if rows.games[row] == game else 0
        game, action = int(rows.games[row]), int(rows.actions[row])
        mask, policy = rows.masks[row], rows.probabilities[row].astype(np.float64)
        result = (float(rows.agents[row]), float(rows.returns[row]), float(rows.scores[row]))
        if not (rows.steps[row] == step and 0 <= action < len(mask) and mask[action] and -1 <= result[1] <= 1):
            return False
        if not (0 <= rows.seats[row] < seats and 0 <= result[0] < len(manifest.agents)):
            return False
        if known.setdefault((game, int(rows.seats[row])), result) != result or policy[~mask].any():
            return False
        if not (policy.min() >= 0 and policy.max() <= 1 and (policy.sum() == 0 or abs(policy.sum() - 1) < 0.02)):
            return False
    return set(mask.view(np.uint8).tolist()) <= {0, 1}


def one_line(error: UserError) -> None:
    """Fail unless the message is one line."""
    assert len(str(error).splitlines()) == 1


def manifests(folder: Path, count: int, rng: random.Random) -> int:
    """Damage manifests; returns how many were refused."""
    path = folder / "manifest.json"
    text, whole = path.read_text(), Dataset(folder)
    refused = 0
    for _ in range(count):
        damaged = damage(json.loads(text), rng)
        path.write_text(damaged)
        try:
            data = Dataset(folder)
            len(data), data.options, [*data]
        except UserError as error:
            one_line(error)
            refused += 1
            continue
        said, before = asdict(data.manifest), asdict(whole.manifest)
        said["options"] = games.options_to_json(data.options)
        wrong = [name for name in before if said[name] != before[name] and name not in (*STATED, "options", "shards")]
        extended = {"games"} if data.manifest.games > whole.manifest.games else set()
        assert {*wrong} <= extended, damaged
        assert data.options.num_players == whole.options.num_players, damaged
        assert {*data.manifest.shards} <= {*whole.manifest.shards}, damaged
        assert Manifest.from_json(data.manifest.to_json()) == data.manifest
    path.write_text(text)
    return refused


def shards(folder: Path, count: int, rng: random.Random) -> int:
    """Damage rows, with the checksums of what they became; returns how many were refused."""
    path, whole = folder / "manifest.json", Dataset(folder)
    text, entry = path.read_text(), whole.manifest.shards[0]
    rows, content = whole.shard(0), (folder / entry.file).read_bytes()
    refused = 0
    for _ in range(count):
        damaged = damaged_rows(rows, rng)
        found = damaged if isinstance(damaged, bytes) else damaged.to_bytes()
        if rng.random() < 0.05:
            found = found[: rng.randrange(len(found))]
        digest = entry.digest if isinstance(damaged, bytes) else damaged.digest()
        changed = replace(entry, sha256=hashlib.sha256(found).hexdigest(), digest=digest)
        (folder / entry.file).write_bytes(found)
        path.write_text(replace(whole.manifest, shards=(changed, *whole.manifest.shards[1:])).to_json())
        data = Dataset(folder)
        try:
            data.shard(0)
        except UserError as error:
            one_line(error)
            refused += 1
        else:
            assert isinstance(damaged, Rows)
            assert fits(data, 0, damaged)
    path.write_text(text)
    (folder / entry.file).write_bytes(content)
    return refused


def benchmarks(text: str, count: int, rng: random.Random) -> int:
    """Damage result files; returns how many were refused."""
    whole, refused = record.from_json(text.encode()), 0
    for _ in range(count):
        damaged = damage(json.loads(text), rng)
        try:
            found = record.from_json(damaged.encode())
        except UserError as error:
            one_line(error)
            refused += 1
            continue
        assert (found.game, found.agent, found.policy) == (whole.game, whole.agent, whole.policy), damaged
        for track in found.tracks:  # deals may be those of other games: `--verify` plays them again
            assert track.results == record.from_json(record.to_json(found).encode()).tracks[0].results
    return refused


def small_dataset(folder: Path) -> Path:
    """Make a dataset of two shards of a short game."""
    words = ["--game", "berserk", "--agents", "random,hold", "--games", "4", "--shard", "2", "--workers", "1"]
    assert main(["dataset", *words, "--out", str(folder)]) == 0
    return folder


def small_benchmark(folder: Path) -> str:
    """Return the text of a result file with few games."""
    assert (
        main(["benchmark", "balanced", "--track", "duel", "--games", "2", "--workers", "1", "--out", str(folder)]) == 0
    )
    return (folder / "trial.json").read_text()


if __name__ == "__main__":
    number, source = int(sys.argv[1]), random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        place = small_dataset(Path(name) / "data")
        result = small_benchmark(Path(name) / "bench")
        kinds: dict[str, Callable[[], int]] = {
            "manifests": lambda: manifests(place, number, source),
            "shards": lambda: shards(place, number, source),
            "benchmarks": lambda: benchmarks(result, number, source),
        }
        for each, run in kinds.items():
            print(f"{each}: {run():,} of {number:,} refused, no fault", flush=True)
