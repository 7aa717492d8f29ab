"""`bloodrage train --learner sb3`: a run folder that is complete, and that goes on after whatever ended it."""

import argparse
import dataclasses
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from run_content import rows, same

from bloodrage_agents.compiled.forward import FORWARD
from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_env.options import Options
from bloodrage_training.learn.command import run
from bloodrage_training.learn.evaluate import against, greedy
from bloodrage_training.learn.export import export
from bloodrage_training.learn.export import read as read_policy
from bloodrage_training.learn.league import League
from bloodrage_training.learn.policy import Policy, SparseRows, load_policy
from bloodrage_training.learn.runs import alone, write
from bloodrage_training.learn.sb3 import Run, TrainConfig, from_policy, make_learner, read, to_policy, train
from bloodrage_training.learn.selfplay import SelfPlayVecEnv
from bloodrage_training.tournament.estimates import wilson

ROOT = Path(__file__).resolve().parents[1]
UPDATES = 12  # of the default settings: a minute and a half of one core
SETTINGS = """
width = 16
layers = 1
games = 8
steps = 16
minibatch = 32
epochs = 1
evaluation_games = 4
"""


def arguments(config: Path | None, out: Path, minutes: float | None = None) -> argparse.Namespace:
    """What the command line gives to `run`."""
    return argparse.Namespace(
        config=config, out=out, minutes=minutes, learner="sb3", backend="local", changes=[], game="bloodrage"
    )


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """A small configuration."""
    path = tmp_path / "small.toml"
    path.write_text(SETTINGS + "snapshot_every = 1\nevaluate_every = 1\n")
    return path


def plain(width: int, layers: int) -> Policy:
    """A policy of observations alone, which values its own seat."""
    policy = Policy(width, layers)
    policy.know_observations_alone()
    with torch.no_grad():
        policy.value.weight[1:] = 0.0
    return policy


def checkpoint(folder: Path) -> dict[str, Any]:
    """The last checkpoint of a run."""
    return load_policy(folder / "checkpoint.pt")[1]


def until(updates: int) -> Any:
    """In place of `Run.over`: after so many updates."""
    return lambda run: run.progress["updates"] >= updates


def test_a_run_is_kept_whole_and_goes_on(
    settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    monkeypatch.setattr(Run, "over", until(2))
    assert run(arguments(settings, folder)) == 0
    assert checkpoint(folder)["progress"].items() >= {"updates": 2, "steps": 256}.items()
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "config.toml", "versions.json", "checkpoint.pt", "log.csv", "evaluation.csv", "league.csv", "league",
        "tensorboard", "lock",
    }  # fmt: skip
    assert list((folder / "tensorboard").iterdir())
    told = capsys.readouterr().err
    assert re.search(r"^update 2, 256 steps, [\d,]+ steps/s, \d:\d\d:\d\d left; win rates against random ", told, re.M)
    assert f"bloodrage evaluate {folder}" in told
    monkeypatch.setattr(Run, "over", until(3))
    assert run(arguments(None, folder)) == 0
    assert checkpoint(folder)["progress"].items() >= {"updates": 3, "steps": 384}.items()
    assert [row["updates"] for row in rows(folder / "log.csv")] == ["1", "2", "3"]


def test_a_run_begins_with_a_policy_that_it_does_not_need_again(
    settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = tmp_path / "first.npz"
    export(plain(16, 1), first)
    settings.write_text(f"{SETTINGS}learning_rate = 0\nstart = '{first}'\n")
    monkeypatch.setattr(Run, "over", until(1))
    assert run(arguments(settings, tmp_path / "run")) == 0
    assert same(checkpoint(tmp_path / "run")["policy"], read_policy(first).state_dict())
    first.unlink()
    monkeypatch.setattr(Run, "over", until(2))
    assert run(arguments(None, tmp_path / "run")) == 0
    settings.write_text(f"{SETTINGS}start = '{first}'\n")
    with pytest.raises(UserError, match=r"can't read .*first\.npz"):
        run(arguments(settings, tmp_path / "other"))


def test_the_league_of_a_new_run_is_built_once(settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = []

    class Counted(League):
        def __init__(self, *given: Any) -> None:
            built.append(given)
            super().__init__(*given)

    monkeypatch.setattr("bloodrage_training.learn.sb3.League", Counted)
    monkeypatch.setattr(Run, "over", until(1))
    assert run(arguments(settings, tmp_path / "run")) == 0
    assert len(built) == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("width = 32\nstart = 'first.npz'", "first.npz is 16 wide with 1 layers; configure that"),
        ("width = 16\nstart = 'taught.npz'", "taught.npz knows rules of thumb; start with a policy of the learner sb3"),
        ("start = 'none.pt'", "none.pt"),
        ("opponents = ['random', 'none.npz']", "can't read none.npz"),
        ("opponents = ['random', 'odin']", "there is no opponent 'odin'"),
    ],
)
def test_policies_that_cannot_be_used_are_named_before_a_run_is_begun(
    text: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    export(plain(16, 1), Path("first.npz"))
    export(Policy(16, 1), Path("taught.npz"))
    Path("small.toml").write_text(f"layers = 1\n{text}\n")
    with pytest.raises(UserError, match=complaint):
        run(arguments(Path("small.toml"), Path("run")))
    assert not Path("run").exists()


def test_workers_elsewhere_are_refused(settings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["train", str(settings), "--learner", "sb3", "--backend", "ray", "--out", str(tmp_path / "run")]
    assert main(command) == 1
    said = "--backend ray has no effect: nothing of this run has workers; leave it out"
    assert said in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_new_run_needs_no_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    monkeypatch.setattr("bloodrage_training.learn.sb3.train", lambda *given: begun.append(given) or True)
    folder = tmp_path / "new" / "run"
    assert run(arguments(None, folder, minutes=3.0)) == 0
    assert read(folder / "config.toml") == TrainConfig()
    assert run(arguments(None, folder)) == 0
    assert begun == [(dataclasses.replace(TrainConfig(), minutes=3.0), folder), (TrainConfig(), folder)]


KILLED = """
import os, signal, sys
from pathlib import Path
from bloodrage_training.learn import sb3

def over(run):
    if run.progress["updates"] == 3:
        run.save()
    return run.progress["updates"] == 6 and os.kill(os.getpid(), signal.SIGKILL)

sb3.Run.over = over
sb3.train(sb3.read(Path(sys.argv[1])), Path(sys.argv[2]))
"""


def test_a_killed_run_goes_on_as_if_it_had_not_been(
    settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after update 6, with a checkpoint of update 3, whose only snapshot has left the league meanwhile."""
    more = "snapshot_every = 2\nmax_snapshots = 1\nglory_weight = 0.5\nglory_steps = 1000\nevaluate_every = 2\n"
    settings.write_text(SETTINGS + more + "save_minutes = 1e6\nself_play = 0.1\nopponents = ['balanced']\n")
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    monkeypatch.setattr(Run, "over", until(8))
    assert train(read(settings), whole)
    code = [sys.executable, "-c", KILLED, str(settings), str(killed)]
    assert subprocess.run(code, cwd=ROOT, stderr=subprocess.DEVNULL).returncode == -signal.SIGKILL
    assert checkpoint(killed)["progress"]["updates"] == 3
    assert [member["name"] for member in checkpoint(killed)["league"]][-1] == "snapshot-000002"
    assert len(rows(killed / "log.csv")) == 6
    assert train(read(settings), killed)
    one, other = checkpoint(whole), checkpoint(killed)
    assert [member["name"] for member in one["league"]][-1] == "snapshot-000008"
    for each in (one, other):
        assert each["progress"]["updates"] == 8
        each["progress"].pop("seconds")
    for name in one:
        assert same(one[name], other[name]), name
    assert any(name.startswith("snapshot") for name in one["tables"]["opponents"])
    for name in ("log.csv", "evaluation.csv", "league.csv"):
        found = rows(whole / name, "seconds", "fps")
        assert len(found) >= 4
        assert found == rows(killed / name, "seconds", "fps")
    assert [path.stem for path in (killed / "league").iterdir()] == ["snapshot-000008"]


def test_nobody_else_learns_in_the_folder_of_a_run(settings: Path, tmp_path: Path) -> None:
    with alone(tmp_path / "run"), pytest.raises(UserError, match="another process is learning"):
        run(arguments(settings, tmp_path / "run"))


def test_ctrl_c_ends_a_run_with_a_checkpoint(settings: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    settings.write_text(SETTINGS + "save_minutes = 1e6\n")
    code = "import sys; from bloodrage_env.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "train", str(settings), "--out", str(folder), "--learner", "sb3"]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    while not process.stderr.readline().startswith("update 1,"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    told = process.stderr.read()
    assert process.wait(60) == 130
    assert "stopped; to go on: bloodrage train --out" in told
    assert checkpoint(folder)["progress"]["updates"] >= 1


def test_ctrl_c_between_a_snapshot_and_the_checkpoint(
    settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checkpoint is that of the update before, and its snapshot is still there."""

    def interrupted(run: Run) -> None:
        if run.progress["updates"] == 3:
            raise KeyboardInterrupt

    settings.write_text(SETTINGS + "snapshot_every = 1\nmax_snapshots = 1\nevaluate_every = 1\n")
    with monkeypatch.context() as patched:
        patched.setattr(Run, "_evaluate", interrupted)
        assert run(arguments(settings, tmp_path / "run")) == 130
    assert checkpoint(tmp_path / "run")["progress"]["updates"] == 2
    assert [path.stem for path in (tmp_path / "run" / "league").iterdir()] == ["snapshot-000002"]
    monkeypatch.setattr(Run, "over", until(3))
    assert run(arguments(None, tmp_path / "run")) == 0
    assert [path.stem for path in (tmp_path / "run" / "league").iterdir()] == ["snapshot-000003"]


@pytest.mark.slow
def test_minutes_of_training_beat_random_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From nothing, by the default settings: one seat wins more than half of the games against three `random`.

    Par is 25 %. The updates are counted, so that a busy machine learns as much as another.
    """
    monkeypatch.setattr(Run, "over", until(UPDATES))
    assert main(["train", "--learner", "sb3", "--out", str(tmp_path / "run")]) == 0
    score = against(greedy(load_policy(tmp_path / "run" / "checkpoint.pt")[0]), "random", 400)
    assert wilson(score.share, score.games).low > 0.5


def change(kept: dict[str, Any], where: str, value: Any) -> None:
    """Put a value in the place of another one."""
    *path, last = where.split(".")
    for name in path:
        kept = kept[int(name) if name.isdigit() else name]
    kept[last] = value(kept[last]) if callable(value) else value


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("progress.steps", -64),
        ("optimizer.0.exp_avg_sq", lambda moment: moment.flatten()),
        ("league", lambda members: members[1:]),
        ("league", lambda members: [*members, {"name": "../../x", "games": 9.0, "won": 1.0, "par": 2.0}]),
        ("league.1.games", 0.0),
        ("league.1.won", "all"),
        ("league.1.luck", 1.0),
        ("tables.games.actions", lambda actions: actions.flip(0)),
        ("tables.learners", lambda seats: (seats + 1) % 2),
        ("tables.members", lambda members: members + 10),
        ("tables.opponents", ["random"]),
        ("tables.lengths", lambda lengths: lengths[:3]),
        ("episodes", [[1.0]]),
    ],
)
def test_a_damaged_run_is_named(
    settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, value: Any
) -> None:
    folder, config = tmp_path / "run", read(settings)
    monkeypatch.setattr(Run, "over", until(1))
    monkeypatch.setattr(Run, "_evaluate", lambda run: None)
    train(config, folder)
    kept = checkpoint(folder)
    change(kept, where, value)
    write(folder / "checkpoint.pt", kept)
    with pytest.raises(UserError, match=r"no run can go on from .*checkpoint\.pt") as caught:
        train(config, folder)
    assert "\n" not in str(caught.value)


def test_the_learner_is_a_policy_in_parts(tmp_path: Path) -> None:
    config = TrainConfig(width=16, layers=2, games=4, steps=8, minibatch=16)
    torch.manual_seed(2)
    policy, copy = plain(16, 2), Policy(16, 2)
    env = SelfPlayVecEnv(4, (Options(4),), League(tmp_path, policy, ["random"], 0.5, 1), 1)
    learner = make_learner(config, env)
    from_policy(policy, learner)
    to_policy(learner, copy)
    for name, value in policy.state_dict().items():
        assert torch.equal(value, copy.state_dict()[name]), name
    observations, masks = env.reset(), env.action_masks()
    actions, values, logs = learner.policy(torch.from_numpy(observations), action_masks=masks)
    chances, wanted = policy(SparseRows.of(env.states, np.arange(4), FORWARD))
    assert torch.allclose(values[:, 0], wanted[:, 0], atol=1e-5)
    assert torch.allclose(logs, chances.gather(1, actions[:, None])[:, 0], atol=1e-4)
    assert (masks[np.arange(4), actions.numpy()] == 1).all()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("gamess = 3", "no setting is called 'gamess'"),
        ("games = 3.5", "games is 3.5"),
        ("players = [5]", "players is"),
        ("games = 2\nsteps = 2", "minibatch"),
        ("games = ", "small.toml"),
        ("evaluate_every = 0", "evaluate_every is 0; give 1 or more"),
    ],
)
def test_a_wrong_configuration_is_named(settings: Path, text: str, complaint: str) -> None:
    settings.write_text(text)
    with pytest.raises(UserError, match=complaint):
        read(settings)


def test_a_folder_with_another_run_is_named(settings: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.toml").write_text("seed = 2\n")
    with pytest.raises(UserError, match="another configuration"):
        run(arguments(settings, tmp_path / "run"))
    (tmp_path / "run" / "config.toml").rename(tmp_path / "run" / "checkpoint.pt")
    with pytest.raises(UserError, match=r"not its config\.toml"):
        run(arguments(None, tmp_path / "run"))


def test_the_configuration_is_that_of_the_defaults() -> None:
    assert read(ROOT / "training" / "configs" / "sb3.toml") == TrainConfig()
