"""The kinds of files that training reads: datasets, benchmarks, policies, checkpoints and settings."""

import contextlib
import hashlib
import io
import json
import random
import tomllib
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import damage
import numpy as np
import pytest
import torch
from damage import Tree
from file_kinds import Kind, UnwritableError, arrays_of, as_arrays, as_cells, as_sealed, as_toml, cells_of, json_of
from msgspec import to_builtins
from pool_here import Here
from test_benchmark import TINY

from bloodrage_agents.network import Network
from bloodrage_env import files, games
from bloodrage_env.cli import main
from bloodrage_env.encoding import as_json
from bloodrage_env.language.transcript import Talk
from bloodrage_training.benchmark import command as benchmark
from bloodrage_training.benchmark import protocols, record
from bloodrage_training.benchmark.language_file import Answers, Result, checksum_of
from bloodrage_training.dataset import Dataset, Rows, command
from bloodrage_training.games.bloodrage.language import decisions
from bloodrage_training.learn import CONFIG, bounds, recipe
from bloodrage_training.learn.export import export
from bloodrage_training.learn.policy import Policy, load_policy
from bloodrage_training.learn.runs import with_policy, write
from research.regret.decisions import FILE as JUDGED
from research.regret.decisions import Judged
from research.values.positions import FILE as POSITIONS
from research.values.positions import Positions
from research.values.reached import Reached

# ---- datasets


def made_dataset(folder: Path) -> Path:
    words = ["--game", "berserk", "--agents", "random", "--games", "4", "--shard", "2", "--out", str(folder / "x")]
    with mock.patch.object(command, "make_pool", side_effect=lambda *_: Here()):
        assert main(["dataset", *words]) == 0
    return folder / "x" / "manifest.json"


def read_dataset(path: Path) -> Any:
    """The manifest of a dataset, whose rows are as many as it says."""
    dataset = Dataset(path.parent)
    assert len(dataset.rows()) == len(dataset)
    assert dataset.options.game == dataset.manifest.game
    return dataset.manifest


def made_shard(folder: Path) -> Path:
    dataset = Dataset(made_dataset(folder).parent)
    return dataset.folder / dataset.manifest.shards[0].file


def read_shard(path: Path) -> Any:
    """The rows of a shard, after its manifest is changed so that it has their checksums."""
    manifest, content = path.with_name("manifest.json"), path.read_bytes()
    stated, digest = json.loads(manifest.read_bytes()), "0" * 64
    with contextlib.suppress(Exception):  # no rows at all
        digest = Rows.from_bytes(content, "berserk").digest()
    stated["shards"][0] |= {"sha256": hashlib.sha256(content).hexdigest(), "digest": digest}
    manifest.write_bytes(json_of(stated))
    dataset = Dataset(path.parent)
    rows = dataset.shard(0)
    check_rows(dataset, 0, rows)
    return rows


def check_rows(data: Dataset, entry: int, rows: Rows) -> None:
    """Look at each row of a shard: whether games, steps and results can be those of games."""
    shard, seats = data.manifest.shards[entry], data.options.num_players
    assert len(rows) == shard.rows
    assert sorted(set(rows.games.tolist())) == [
        *range(data.manifest.first(shard), data.manifest.first(shard) + shard.games)
    ]
    known: dict[tuple[int, int], tuple[float, ...]] = {}
    step, game = -1, -1
    for row in range(len(rows)):
        step = step + 1 if rows.games[row] == game else 0
        game, action, seat = int(rows.games[row]), int(rows.actions[row]), int(rows.seats[row])
        mask, policy = rows.masks[row], rows.probabilities[row].astype(np.float64)
        result = (float(rows.agents[row]), float(rows.returns[row]), float(rows.scores[row]))
        assert rows.steps[row] == step
        assert 0 <= action < len(mask)
        assert mask[action]
        assert 0 <= seat < seats
        assert 0 <= result[0] < len(data.manifest.agents)
        assert -1 <= result[1] <= 1
        assert known.setdefault((game, seat), result) == result
        assert not policy[~mask].any()
        assert policy.min() >= 0
        assert policy.sum() == 0 or policy.sum() == pytest.approx(1, abs=0.02)
    assert set(rows.masks.view(np.uint8).ravel().tolist()) <= {0, 1}


def harmed_rows(tree: Tree, rng: random.Random) -> Tree:
    """As other values are; or rows are exchanged or missing in all arrays, or one number is another."""
    if rng.random() < 0.5:
        return damage.tree_of(tree, rng)
    count = len(tree["actions"])
    order, name = np.arange(count), rng.choice([*tree])
    at = rng.randrange(count)
    way = rng.randrange(3)
    if way == 0:
        order[[at, at - 1]] = order[[at - 1, at]]
    elif way == 1:
        order = np.delete(order, at)
    changed = {each: array[order] for each, array in tree.items()}
    if way == 2:
        value = rng.choice((-1, 0, 1, 2, 5, 127) if name != "probabilities" else (np.nan, 0.5, 2))
        changed[name][at] = np.array(value).astype(changed[name].dtype)
    return changed


# ---- benchmarks


def made_benchmark(folder: Path) -> Path:
    words = ["balanced", "--track", "duel", "--out", str(folder / "x")]
    with tiny(), mock.patch.object(benchmark, "make_pool", side_effect=lambda *_: Here()):
        assert main(["benchmark", *words]) == 0
    return folder / "x" / benchmark.FILE


def tiny() -> Any:
    return mock.patch.object(protocols, "content", return_value=TINY)


def read_benchmark(path: Path) -> Any:
    with tiny():
        return record.read(path)


def benchmark_again(found: record.Record) -> Tree:
    return floats(json.loads(record.to_json(found)))


def floats(tree: Tree) -> Tree:
    """Whole numbers as floats: a share of 1 is one of 1.0."""
    if isinstance(tree, dict):
        return {key: floats(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [floats(value) for value in tree]
    return float(tree) if type(tree) is int else tree


# ---- policies and checkpoints


def made_policy(folder: Path) -> Path:
    export(Policy(8, 1, game="berserk"), folder / "x.npz")
    return folder / "x.npz"


Weights = dict[str, np.ndarray]


def read_policy(whole: Tree, path: Path) -> tuple[bool, Weights]:
    """Whether a policy has the inputs and actions of a whole one, and its weights."""
    found = Network.load(path, "berserk").arrays
    tree = arrays_of(path.read_bytes())
    return all(not damage.difference(tree[name], whole[name]) for name in ("inputs", "actions")), found


def weights_of(same: bool, arrays: Tree) -> Tree:
    """Inputs and actions are matched by their names, so that weights of others are not those of the file."""
    weights = {name: each for name, each in arrays.items() if isinstance(each, np.ndarray) and each.dtype.kind == "f"}
    return {name: each.astype(np.float32) for name, each in weights.items() if same or name not in NAMED}


NAMED = ("first_weight", "action_weight", "action_bias")


def made_checkpoint(folder: Path) -> Path:
    write(folder / "x.pt", with_policy(Policy(8, 1, game="bloodrage"), progress={"updates": 3}))
    return folder / "x.pt"


def checkpoint_tree(content: bytes) -> Tree:
    return from_tensors(torch.load(io.BytesIO(content), weights_only=True))


def from_tensors(tree: Tree) -> Tree:
    if isinstance(tree, torch.Tensor):
        return tree.numpy()
    return {key: from_tensors(each) for key, each in tree.items()} if isinstance(tree, dict) else tree


def to_tensors(tree: Tree) -> Tree:
    if isinstance(tree, np.ndarray) and tree.dtype.kind in "fiubc":
        with contextlib.suppress(TypeError):
            return torch.from_numpy(tree)
    return {key: to_tensors(each) for key, each in tree.items()} if isinstance(tree, dict) else tree


def as_checkpoint(tree: Tree) -> bytes:
    packed = io.BytesIO()
    torch.save(to_tensors(tree), packed)
    return files.sealed(packed.getvalue())


def checkpoint_known(tree: Tree) -> Tree:
    """The weights in the type in which they are used."""
    assert all(np.asarray(each).dtype.kind == "f" for each in tree["policy"].values())
    weights = {name: np.asarray(each).astype(np.float32) for name, each in tree["policy"].items()}
    return {"policy": weights, "shape": {name: tree["shape"][name] for name in ("width", "layers")}}


# ---- settings, and the log of a best response


RECIPE = {
    "game": "bloodrage", "width": 64, "players": [2, 4], "opponents": {"balanced": 0.5, "quest": 1.0},
    "stages": [
        {"name": "start", "kind": "ppo", "games": 64, "steps": 32, "seed": 4},
        {"name": "rounds", "kind": "rounds", "rounds": 3, "workers": 2, "learning_rate": 0.0003, "games": 16},
    ],
}  # fmt: skip


def toml_of(content: bytes) -> Tree:
    return tomllib.loads(content.decode())


def made_recipe(folder: Path) -> Path:
    (folder / "x.toml").write_bytes(as_toml(RECIPE))
    return folder / "x.toml"


def read_recipe(path: Path) -> Any:
    """The settings of a recipe that its file names, as they are used."""
    stages = recipe.read(path, game=games.FIRST)
    recipe.check(stages, path.parent / "run")
    given = tomllib.loads(path.read_text(encoding="utf-8"))
    used = [vars(each) | {"name": name, "kind": each.kind} for name, each in stages.items()]
    top = {name: next(each[name] for each in used if name in each) for name in given if name != "stages"}
    if "stages" in given:
        top["stages"] = [{name: own[name] for name in each} for own, each in zip(used, given["stages"], strict=True)]
    return top


def recipe_again(found: Any) -> Tree:
    return floats(json.loads(as_json(found)))


def made_bound(folder: Path) -> Path:
    """Of a best response that has learned."""
    settings = {"game": "bloodrage", "opponents": {"balanced": 1.0}, "players": [2], "seed": 1}
    (folder / CONFIG).write_bytes(as_toml(settings))
    (folder / bounds.LOG).write_text("updates,decisions,win_rate,low,high\n1,200,0.5,0.25,0.75\n", encoding="utf-8")
    return folder / CONFIG


def whole_lines(content: bytes) -> Tree:
    """The last line may be half a line, of a run that was killed."""
    return cells_of(b"".join(line for line in content.splitlines(keepends=True) if line.endswith(b"\n")))


def made_bound_log(folder: Path) -> Path:
    return made_bound(folder).with_name(bounds.LOG)


def read_bound(path: Path) -> Any:
    return bounds.bound_of(path.parent, games.options_from(games.FIRST, num_players=2), ())


def log_again(found: Any) -> Tree:
    gain = found[2].gain
    return [found[2].by, *(round(each + 0.5, 6) for each in (gain.value, gain.low, gain.high))]


def log_known(tree: Tree) -> Tree:
    rows = [row for row in tree if row]
    row = dict(zip(rows[0], rows[-1], strict=False))
    rates = (round(float(row[x]) - 0.5 + 0.5, 6) for x in RATES)  # 0.5 is taken off as the file is read
    return [f"a learner after {int(row['decisions']):,} decisions", *rates]


def as_log(tree: Tree) -> bytes:
    return as_cells(tree) + b"\n"


RATES = ("win_rate", "low", "high")


# ---- answers of a language track


def made_answers(folder: Path) -> Path:
    path = folder / "language.jsonl"
    with Answers.open(path, "bloodrage", 1, "0" * 16) as answers:
        for number in range(4):
            answers.add(Result("random", "decisions", number, 0.25 * number))
            answers.add(Result("llm:model=m", "questions, room", number, 1.0, True, Talk(1, 1, 0, 2, 9, 5, 0.5, 2.0)))
        answers.add(Result("llm:model=m", "decisions", 0, failure="the endpoint can't be used"))
    return path


def answers_of(content: bytes) -> Tree:
    """The lines that were written to their ends, without their checksums."""
    rows = [json.loads(line) for line in content[: content.rfind(b"\n") + 1].decode().split("\n")[:-1]]
    return [{name: value for name, value in row.items() if name != "checksum"} for row in rows]


def as_answers(tree: Tree) -> bytes:
    rows = tree if isinstance(tree, list) else [tree]
    try:
        sealed = [row | {"checksum": checksum_of(row)} if isinstance(row, dict) else row for row in rows]
    except (TypeError, ValueError) as error:
        raise UnwritableError from error
    return b"".join(json_of(row) + b"\n" for row in sealed)


def read_answers(path: Path) -> Answers:
    with Answers.open(path, "bloodrage", 1, "0" * 16) as answers:
        return answers


def answers_again(found: Answers) -> Tree:
    rows = [row for of in (*found._found.values(), *found._failures.values()) for row in of_values(of)]
    return floats(sorted(map(to_builtins, rows), key=place_of))


def of_values(rows: Any) -> list[Result]:
    return [*rows.values()] if isinstance(rows, dict) else rows


def answers_known(tree: Tree) -> Tree:
    """Of several values of one item the first counts."""
    values = {place_of(row): row for row in reversed(tree[1:]) if row["value"] is not None}
    failures = [row for row in tree[1:] if row["value"] is None]
    return floats(sorted([*values.values(), *failures], key=place_of))


def place_of(row: Any) -> tuple[str, str, int]:
    return row["agent"], row["part"], row["number"]


# ---- positions with their values


def some_positions(source: Path, folder: Path, count: int = 4) -> Path:
    """The first positions of a file that comes with the project."""
    tree = arrays_of(source.read_bytes())
    whole = tree["lengths"][:count].sum()
    choices = tree.get("choices", np.zeros(0, np.int64))[:count].sum()
    ends = {"actions": whole}
    for name, array in tree.items():
        if isinstance(array, np.ndarray):
            tree[name] = array[:, :choices] if name == "values" else array[: ends.get(name, count)]
    (folder / "x.npz").write_bytes(as_sealed(tree))
    return folder / "x.npz"


def positions_again(found: Reached) -> Tree:
    return {each.name: getattr(found, each.name) for each in fields(found)}


def positions_known(tree: Tree) -> Tree:
    stored = ("seeds", "players", "lengths", "actions")
    return tree | {name: tree[name].astype(np.int64) for name in stored}


def read_positions(kind: type[Reached], path: Path) -> Reached:
    found = kind.load(path)
    found.states()
    return found


def positions_kind(name: str, source: Path, kind: type[Reached]) -> Kind:
    return Kind(
        name, partial(some_positions, source), arrays_of, as_sealed, partial(read_positions, kind), positions_again,
        positions_known,
    )  # fmt: skip


def some_questions(folder: Path) -> Path:
    decisions.save(decisions.load()[:4], folder / "x.json")
    return folder / "x.json"


def read_questions(path: Path) -> Any:
    found = decisions.load(path)
    for each in found:
        each.states()
    return found


def questions_again(found: list[decisions.Position]) -> Tree:
    rows = [json.loads(as_json(vars(each))) for each in found]
    return [row | {"values": {str(action): float(value) for action, value in row["values"].items()}} for row in rows]


def policy_kind() -> Kind:
    whole: Tree = {}

    def made(folder: Path) -> Path:
        path = made_policy(folder)
        whole.update(arrays_of(path.read_bytes()))
        return path

    def known(tree: Tree) -> Tree:
        return weights_of(all(not damage.difference(tree[name], whole[name]) for name in ("inputs", "actions")), tree)

    return Kind(
        "policy", made, arrays_of, as_sealed, partial(read_policy, whole), lambda found: weights_of(*found), known
    )


KINDS: list[Kind] = [
    Kind(
        "manifest", made_dataset, json.loads, json_of, read_dataset, lambda found: json.loads(found.to_json()),
        sealed=False,
    ),
    Kind("shard", made_shard, arrays_of, as_arrays, read_shard, vars, sealed=False, harm=harmed_rows),
    Kind(
        "benchmark", made_benchmark, json.loads, json_of, read_benchmark, benchmark_again, floats, sealed=False
    ),
    policy_kind(),
    Kind(
        "checkpoint", made_checkpoint, checkpoint_tree, as_checkpoint, lambda path: load_policy(path, "bloodrage"),
        lambda found: checkpoint_known(from_tensors(found[1])), checkpoint_known,
    ),
    Kind("recipe", made_recipe, toml_of, as_toml, read_recipe, recipe_again, floats, sealed=False),
    Kind(
        "bound", made_bound, toml_of, as_toml, read_bound,
        lambda found: [found[0], found[1]], lambda tree: [*tree["opponents"], *tree["players"]], sealed=False,
    ),
    Kind("bound_log", made_bound_log, whole_lines, as_log, read_bound, log_again, log_known, sealed=False),
    Kind("answers", made_answers, answers_of, as_answers, read_answers, answers_again, answers_known, sealed=False),
    positions_kind("judged", JUDGED, Judged),
    positions_kind("positions", POSITIONS, Positions),
    Kind(
        "questions", some_questions, json.loads, json_of, read_questions, questions_again,
        lambda tree: tree["positions"], sealed=False,
    ),
]  # fmt: skip
