"""Datasets in the formats of other libraries, and what an interrupted one keeps."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pool_here import Here

from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.errors import INTERRUPTED
from bloodrage_env.gym import OneSeat
from bloodrage_training.dataset import Dataset, command, formats
from bloodrage_training.dataset.make import UNFINISHED
from bloodrage_training.dataset.manifest import MANIFEST
from bloodrage_training.tasks import Event
from bloodrage_training.tournament.workers import Player


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "make_pool", lambda backend, size: Here())


def dataset(out: Path, *words: str, count: int = 8) -> int:
    argv = ["--agents", "random,balanced", "--games", str(count), "--shard", "4", "--out", str(out)]
    return main(["dataset", *argv, *words])


@pytest.mark.parametrize(
    ("out", "named", "expected"),
    [
        ("runs/x", None, ("runs/x", "npz")),
        ("runs/x.npz", None, ("runs/x", "npz")),
        ("runs/x.parquet", None, ("runs/x", "parquet")),
        ("runs/x", "minari", ("runs/x", "minari")),
        ("runs/x.parquet", "minari", ("runs/x", "minari")),
        ("runs/x.v2", "parquet", ("runs/x.v2", "parquet")),
    ],
)
def test_the_ending_or_the_option_selects_the_format(out: str, named: str | None, expected: tuple[str, str]) -> None:
    folder, kind = formats.paths(out, named)
    assert (str(folder), kind) == expected


def test_a_parquet_file_has_the_arrays_as_columns(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    assert dataset(tmp_path / "x.parquet", count=4) == 0
    assert dataset(tmp_path / "x.parquet") == 0  # longer: the file is written again
    data = Dataset(tmp_path / "x")
    rows, file = data.rows(), pq.ParquetFile(tmp_path / "x.parquet")
    assert file.num_row_groups == 2
    assert json.loads(file.schema_arrow.metadata[b"bloodrage"]) == json.loads(data.manifest.to_json())
    table = file.read()
    assert table.column_names == [*vars(rows)]
    for name, array in vars(rows).items():
        found = table[name].combine_chunks()
        if name == "agents":
            assert found.to_pylist() == [data.manifest.agents[each] for each in array]
        else:
            flat = found.flatten() if array.ndim == 2 else found
            np.testing.assert_array_equal(flat.to_numpy(zero_copy_only=False).reshape(array.shape), array)
    before = (tmp_path / "x.parquet").read_bytes()
    (data.folder / data.manifest.shards[1].file).write_bytes(b"")
    assert dataset(tmp_path / "x.parquet") == 1
    assert (tmp_path / "x.parquet").read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["x", "x.parquet"]


@pytest.mark.parametrize(
    ("game", "options"),
    [("bloodrage", ["--players", "2", "--agents", "random,balanced"]), ("berserk", ["--agents", "random,hold"])],
)
def test_an_episode_of_minari_contains_the_decisions_of_a_seat(game: str, options: list[str], tmp_path: Path) -> None:
    minari = pytest.importorskip("minari")
    pytest.importorskip("h5py")
    for _ in range(2):  # the second time the folder is replaced
        words = ["--game", game, "--games", "6", "--shard", "2", "--out", f"{tmp_path}/x.minari"]
        assert main(["dataset", *words, *options]) == 0
    data, found = Dataset(tmp_path / "x"), minari.MinariDataset(tmp_path / "x.minari")
    rows = data.rows()
    assert found.total_steps == len(rows)
    assert found.total_episodes == 6 * data.options.num_players
    assert found.recover_environment().unwrapped._games.options == data.options
    for episode, about in zip(found, found.storage.get_episode_metadata(range(len(found))), strict=True):
        own = np.flatnonzero((rows.games == about["game"]) & (rows.seats == about["seat"]))
        seen = episode.observations
        np.testing.assert_array_equal(seen["observation"][:-1], rows.observations[own])
        np.testing.assert_array_equal(seen["action_mask"][:-1] > 0, rows.masks[own])
        assert not seen["observation"][-1].any()
        assert not seen["action_mask"][-1].any()
        assert episode.actions.tolist() == rows.actions[own].tolist()
        assert episode.rewards.tolist() == [0.0] * (len(own) - 1) + [rows.returns[own[-1]]]
        assert episode.terminations.tolist() == [False] * (len(own) - 1) + [True]
        agent = data.manifest.agents[rows.agents[own[0]]]
        assert (about["agent"], about["score"]) == (agent, rows.scores[own[0]])


@pytest.mark.parametrize("words", [("--players", "2"), ("--players", "5", "--sets", "p5"), ("--game", "berserk")])
def test_offline_learning_plays_the_game_of_the_dataset(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("minari")
    torch = pytest.importorskip("torch")
    import minari_awr

    torch.manual_seed(0)
    path = tmp_path / "x.minari"
    assert main(["dataset", *words, "--agents", "random", "--games", "4", "--out", str(path)]) == 0
    options = Dataset(tmp_path / "x").options
    net = minari_awr.train(path, epochs=1, width=16)
    seen, masks, actions, returns = minari_awr.read(path)
    assert masks[torch.arange(len(actions)), actions].all()
    assert returns.abs().max() == 1
    assert net(seen[:1] * torch.from_numpy(games.game(options.game).scales)).shape == (1, masks.shape[1] + 1)
    played: list[Any] = []
    begin = OneSeat.reset

    def reset(env: OneSeat, **given: Any) -> Any:
        played.append(env._games.options)
        return begin(env, **given)

    monkeypatch.setattr(OneSeat, "reset", reset)
    assert 0 <= minari_awr.play(net, path, 1) <= 1
    assert played == [options]


def test_a_missing_package_is_found_before_the_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind, package in (("parquet", "pyarrow"), ("minari", "minari")):
        monkeypatch.setitem(sys.modules, package, None)
        assert dataset(tmp_path / "x", "--format", kind) == 1
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert f"{kind} needs the package {package}: install bloodrage with the extra data" in said
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("kind", "name"),
    [("parquet", "x.parquet/thesis.tex"), ("parquet", "x.parquet/metadata.json"), ("minari", "x.minari/thesis.tex"),
     ("minari", "x.minari")],
)  # fmt: skip
def test_what_is_no_dataset_is_refused_before_the_games(
    kind: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder of something else, and what is of another format."""
    for package in formats.PACKAGES[kind]:
        pytest.importorskip(package)
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    assert dataset(tmp_path / f"x.{kind}", count=4) == 1
    assert f"x.{kind} exists and is not such a dataset; name another path with --out" in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before
    assert file.read_text() == "mine"


def test_a_folder_without_a_name_has_no_file_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    assert dataset(Path(), "--format", "parquet", count=4) == 1
    assert "there is no name for a file beside .; give another --out" in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []


# ---- interrupted


def test_ctrl_c_loses_no_finished_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games of a shard that is not complete are not played again, and the rows are those of an undisturbed run."""
    argv = ["--agents", "random,balanced", "--games", "8", "--shard", "8", "--out"]
    assert main(["dataset", *argv, str(tmp_path / "undisturbed")]) == 0
    waiting: list[Event] = []

    class Pressed(Here):
        def events(self, timeout: float) -> list[Event]:
            if waiting:
                raise KeyboardInterrupt
            waiting.extend(super().events(timeout))
            return waiting[:6]

    monkeypatch.setattr(command, "make_pool", lambda backend, size: Pressed())
    assert main(["dataset", *argv, str(tmp_path / "x")]) == INTERRUPTED
    kept = (tmp_path / "x" / UNFINISHED).read_bytes()
    played: list[str] = []
    play: Callable[..., object] = Player.play
    monkeypatch.setattr(Player, "play", lambda self, game: played.append(game.id) or play(self, game))
    monkeypatch.setattr(command, "make_pool", lambda backend, size: Here())
    assert main(["dataset", *argv, str(tmp_path / "x")]) == 0
    assert len(played) == 2
    shards = [Dataset(tmp_path / name).manifest.shards for name in ("x", "undisturbed")]
    assert shards[0] == shards[1]
    assert not (tmp_path / "x" / UNFINISHED).exists()
    (tmp_path / "x" / UNFINISHED).write_bytes(kept)  # as after a kill: its games are in a shard
    assert main(["dataset", *argv, str(tmp_path / "x")]) == 0
    assert "] 8/8 games" in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "x" / UNFINISHED).exists()


@pytest.mark.parametrize("content", [b"no archive", b"cut"])
def test_a_damaged_file_of_unfinished_games_is_one_line(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dataset(tmp_path / "x") == 0
    capsys.readouterr()
    (tmp_path / "x" / UNFINISHED).write_bytes(content)
    assert dataset(tmp_path / "x") == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "delete it" in said
    (tmp_path / "x" / MANIFEST).unlink()  # then they could be games of other agents
    assert dataset(tmp_path / "x") == 1
    assert f"x has {UNFINISHED} but no {MANIFEST}; delete it or" in capsys.readouterr().err
