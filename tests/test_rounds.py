"""Parallel runs are averaged, round after round; a stopped process resumes."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from pool_here import Here
from run_content import rows, same

from bloodrage_env.errors import UserError
from bloodrage_training.learn import ppo, rounds
from bloodrage_training.learn.config import Ppo, Rounds, to_toml
from bloodrage_training.learn.export import policy_of
from bloodrage_training.learn.policy import Policy, load_policy
from bloodrage_training.learn.rounds import parts
from bloodrage_training.learn.runs import with_policy, write


@pytest.fixture(autouse=True)
def here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers in this process, but on Ray."""
    if "ray" not in request.keywords:
        monkeypatch.setattr(rounds, "make_pool", lambda backend, size: Here(size))


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Rounds:
    """Two rounds of two runs of two updates each."""
    torch.manual_seed(1)
    start = tmp_path_factory.mktemp("rounds") / "start.pt"
    write(start, with_policy(Policy(16, 1, game="bloodrage")))
    return Rounds(
        start=str(start),
        seed=5,
        decisions=1_000,
        width=16,
        layers=1,
        games=8,
        steps=64,
        self_play=1.0,
        minibatch=256,
        learning_rate=1e-3,
        evaluation_games=4,
        rounds=2,
    )


def weights(path: Path) -> dict[str, torch.Tensor]:
    return load_policy(path, game="bloodrage")[0].state_dict()


def mean_of(runs: list[Ppo], folder: Path) -> dict[str, torch.Tensor]:
    """What these two runs come to, made here, one after the other."""
    folders = [folder / f"alone-{run.seed}" for run in runs]
    assert all(ppo.train(run, each) for run, each in zip(runs, folders, strict=True))
    one, other = (weights(each / "checkpoint.pt") for each in folders)
    assert not same(one, other)
    return {name: (one[name] + other[name]) / 2 for name in one}


@pytest.mark.slow
def test_rounds(config: Rounds, tmp_path: Path) -> None:
    """A round ends with the mean of its runs, and begins with the last one. Round that were stopped go on as if they
    had not been.
    """
    folder = tmp_path / "run"
    # One run of the first round had come to its end.
    assert ppo.train(parts(config, 0, config.start)[1], folder / "round-0-1")
    assert rounds.train(config, folder)
    first, last = folder / "mean-0.pt", folder / "checkpoint.pt"
    assert same(weights(first), mean_of(parts(config, 0, config.start), tmp_path))
    assert same(weights(last), mean_of(parts(config, 1, str(first)), tmp_path))
    assert [row["updates"] for row in rows(folder / "evaluation.csv")] == ["1", "2"]
    moments = [
        load_policy(tmp_path / f"alone-{seed}" / "checkpoint.pt", game="bloodrage")[1]["optimizer"] for seed in (5, 6)
    ]
    for number, mean in load_policy(first, game="bloodrage")[1]["optimizer"].items():
        for name, value in mean.items():
            assert torch.equal(value, (moments[0][number][name] + moments[1][number][name]) / 2)
    before = rows(folder / "evaluation.csv")
    assert rounds.train(config, folder)  # all is done
    assert rows(folder / "evaluation.csv") == before


def test_every_run_has_a_seed_of_its_own_and_only_the_last_round_decays_and_averages(config: Rounds) -> None:
    config = replace(config, learning_rate_decay=0.7, average=0.3)
    runs = [run for number in range(2) for run in parts(config, number, "start")]
    assert [run.seed for run in runs] == [5, 6, 7, 8]
    assert [run.learning_rate_decay for run in runs] == [0.0, 0.0, 0.7, 0.7]
    assert [run.average for run in runs] == [0.0, 0.0, 0.3, 0.3]


@pytest.mark.slow
def test_ctrl_c_ends_it_with_checkpoints(config: Rounds, tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text(to_toml({"kind": "rounds"} | vars(replace(config, decisions=10**9, workers=1))))
    code = "import sys; from bloodrage_env.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "train", str(path), "--out", str(tmp_path / "run"), "--allow", config.start]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        logs = [tmp_path / "run" / f"round-0-{worker}" / "log.csv" for worker in range(1)]
        # The row of an update is written before what a checkpoint would hold: after the second, the first is safe.
        while not all(each.exists() and len(rows(each)) >= 2 for each in logs) and process.poll() is None:
            time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode == 130, said
    assert "stopped; to go on: bloodrage train --out" in said
    assert "Traceback" not in said
    for each in logs:
        assert load_policy(each.with_name("checkpoint.pt"), game="bloodrage")[1]["progress"]["updates"] >= 1


def test_runs_without_a_policy_to_begin_with_begin_with_the_same_new_one(config: Rounds, tmp_path: Path) -> None:
    assert rounds.train(replace(config, start="", rounds=1), tmp_path / "run")
    first = tmp_path / "run" / "first.pt"
    runs = parts(replace(config, rounds=1), 0, str(first))
    assert same(weights(tmp_path / "run" / "mean-0.pt"), mean_of(runs, tmp_path))


def test_a_policy_to_begin_with_that_is_missing_is_named(config: Rounds, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^can't read .*nowhere.npz"):
        rounds.train(replace(config, start=str(tmp_path / "nowhere.npz")), tmp_path / "run")


def test_a_run_that_fails_is_named(config: Rounds, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run" / "round-0-0").mkdir(parents=True)
    (tmp_path / "run" / "round-0-0" / "checkpoint.pt").write_bytes(b"damaged")
    with pytest.raises(UserError, match=r"^[^ ]*round-0-0 did not come to an end"):
        rounds.train(replace(config, decisions=10**9), tmp_path / "run")  # the other one is not begun
    assert "checkpoint.pt is not a checkpoint" in capfd.readouterr().err
    assert not (tmp_path / "run" / "mean-0.pt").exists()
    (tmp_path / "run" / "round-0-0" / "checkpoint.pt").unlink()
    assert rounds.train(replace(config, rounds=1), tmp_path / "run")
    assert policy_of(tmp_path / "run" / "checkpoint.pt", game="bloodrage").width == 16


@pytest.mark.ray
@pytest.mark.slow
def test_on_ray_rounds_come_to_the_same(config: Rounds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    one_round = replace(config, rounds=1)
    assert rounds.train(one_round, tmp_path / "ray", "ray")
    assert same(weights(tmp_path / "ray" / "mean-0.pt"), mean_of(parts(one_round, 0, config.start), tmp_path))
