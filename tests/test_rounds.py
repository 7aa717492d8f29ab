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
from run_content import rows, same

import ppo
import rounds
from bloodrage_env.errors import UserError
from bloodrage_training.learn.export import policy_of
from bloodrage_training.learn.policy import Policy, load_policy
from bloodrage_training.learn.runs import read_settings, settings_text, with_policy, write
from rounds import Config, parts

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """Two rounds of two runs of two updates each."""
    torch.manual_seed(1)
    write(tmp_path / "start.pt", with_policy(Policy(16, 1)))
    return Config(
        run=str(tmp_path / "run"),
        start=str(tmp_path / "start.pt"),
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
    return load_policy(path)[0].state_dict()


def mean_of(runs: list[ppo.Config], folder: Path) -> dict[str, torch.Tensor]:
    """What these two runs come to, made here, one after the other."""
    made = [replace(run, run=str(folder / f"alone-{run.seed}")) for run in runs]
    assert all(ppo.train(run) for run in made)
    one, other = (weights(Path(run.run) / "checkpoint.pt") for run in made)
    assert not same(one, other)
    return {name: (one[name] + other[name]) / 2 for name in one}


def test_a_round_ends_with_the_mean_of_its_runs_and_begins_with_the_last_one(config: Config, tmp_path: Path) -> None:
    assert rounds.train(config)
    first, last = tmp_path / "run" / "mean-0.pt", tmp_path / "run" / "checkpoint.pt"
    assert same(weights(first), mean_of(parts(config, 0, config.start), tmp_path))
    assert same(weights(last), mean_of(parts(config, 1, str(first)), tmp_path))
    assert [row["updates"] for row in rows(tmp_path / "run" / "evaluation.csv")] == ["1", "2"]


def test_every_run_has_a_seed_of_its_own_and_the_learning_rate_decays_in_the_last_round_only(config: Config) -> None:
    runs = [run for number in range(2) for run in parts(replace(config, learning_rate_decay=0.7), number, "start")]
    assert [run.seed for run in runs] == [5, 6, 7, 8]
    assert [run.learning_rate_decay for run in runs] == [0.0, 0.0, 0.7, 0.7]
    assert len({run.run for run in runs}) == 4


def test_rounds_that_were_stopped_go_on_as_if_they_had_not_been(config: Config, tmp_path: Path) -> None:
    assert rounds.train(config)
    stopped = replace(config, run=str(tmp_path / "stopped"))
    assert ppo.train(parts(stopped, 0, stopped.start)[1])  # one run of the first round had come to its end
    assert rounds.train(stopped)
    assert same(weights(tmp_path / "run" / "checkpoint.pt"), weights(tmp_path / "stopped" / "checkpoint.pt"))
    before = rows(tmp_path / "stopped" / "evaluation.csv")
    assert rounds.train(stopped)  # all is done
    assert rows(tmp_path / "stopped" / "evaluation.csv") == before


def test_ctrl_c_ends_it_with_checkpoints(config: Config, tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    names = ("run", "start", "decisions", "width", "layers", "games", "steps", "minibatch", "rounds")
    path.write_text(settings_text({name: getattr(replace(config, decisions=10**9), name) for name in names}))
    command = [sys.executable, "training/rounds.py", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        logs = [tmp_path / "run" / f"round-0-{worker}" / "log.csv" for worker in range(2)]
        while not all(each.exists() for each in logs) and process.poll() is None:
            time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode == 130, said
    assert "stopped; the same command resumes the run" in said
    assert "Traceback" not in said
    for each in logs:
        assert load_policy(each.with_name("checkpoint.pt"))[1]["progress"]["updates"] >= 1


def test_runs_without_a_policy_to_begin_with_are_refused(config: Config) -> None:
    with pytest.raises(UserError, match=r"name its file \(start\)"):
        rounds.train(replace(config, start=""))


def test_a_policy_to_begin_with_that_is_missing_is_named(config: Config, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^can't read .*nowhere.npz"):
        rounds.train(replace(config, start=str(tmp_path / "nowhere.npz")))


def test_a_run_that_fails_is_named(config: Config, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run" / "round-0-1").mkdir(parents=True)
    (tmp_path / "run" / "round-0-1" / "checkpoint.pt").write_bytes(b"damaged")
    with pytest.raises(UserError, match=r"^[^ ]*round-0-1 did not come to an end"):
        rounds.train(replace(config, decisions=10**9))  # the other one is stopped
    assert "checkpoint.pt is no checkpoint" in capfd.readouterr().err
    assert not (tmp_path / "run" / "mean-0.pt").exists()
    (tmp_path / "run" / "round-0-1" / "checkpoint.pt").unlink()
    assert rounds.train(replace(config, rounds=1))
    assert policy_of(tmp_path / "run" / "checkpoint.pt").width == 16


@pytest.mark.parametrize(
    "path", sorted((ROOT / "training" / "configs").glob("rounds*.toml")), ids=lambda path: path.name
)
def test_the_configurations_can_be_read(path: Path) -> None:
    assert read_settings(path, Config).rounds > 1
