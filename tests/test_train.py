"""`bloodrage train`: a run folder that is complete, and that goes on after whatever ended it."""

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from bloodrage_env import VectorGames
from bloodrage_env.errors import UserError
from training.evaluate import against
from training.imitate import study, watch
from training.league import League
from training.policy import Policy, SparseRows, load_policy
from training.selfplay import SelfPlayVecEnv
from training.train import TrainConfig, from_policy, make_learner, read_config, run, to_policy

SETTINGS = """
width = 16
layers = 1
games = 8
steps = 8
minibatch = 32
epochs = 1
snapshot_every = 1
evaluate_every = 1
evaluation_games = 4
save_minutes = 0.0
"""


def arguments(config: Path | None, out: Path, minutes: float | None = None) -> argparse.Namespace:
    """What the command line gives to `run`."""
    return argparse.Namespace(config=config, out=out, minutes=minutes)


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """A small configuration."""
    path = tmp_path / "small.toml"
    path.write_text(SETTINGS)
    return path


def progress(folder: Path) -> dict[str, int]:
    """How far a run has come."""
    return dict(load_policy(folder / "checkpoint.pt")[1]["progress"])


def test_a_run_is_kept_whole_and_goes_on(settings: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert run(arguments(settings, folder, 0.05)) == 0
    first = progress(folder)
    assert first["updates"] >= 1
    assert first["steps"] == first["updates"] * 64
    names = {path.name for path in folder.iterdir()}
    assert names >= {"config.toml", "versions.json", "checkpoint.pt", "evaluation.csv", "league.csv", "league"}
    assert any(name.startswith("progress_") for name in names)
    assert list((folder / "tensorboard").iterdir())
    assert run(arguments(None, folder, 0.02)) == 0
    second = progress(folder)
    assert second["updates"] > first["updates"]
    assert second["steps"] == second["updates"] * 64


@pytest.mark.slow
def test_a_killed_run_goes_on(settings: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    code = "import sys; from argparse import Namespace; from training.train import run; "
    code += f"sys.exit(run(Namespace(config=sys.argv[1] or None, out={str(folder)!r}, minutes=None)))"
    process = subprocess.Popen([sys.executable, "-c", code, str(settings)])
    while not (folder / "checkpoint.pt").exists():
        time.sleep(0.2)
        assert process.poll() is None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = progress(folder)
    process = subprocess.Popen([sys.executable, "-c", code, ""])
    while progress(folder)["updates"] <= before["updates"]:
        time.sleep(0.2)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert progress(folder)["updates"] > before["updates"]


def test_the_learner_is_a_policy_in_parts(tmp_path: Path) -> None:
    config = TrainConfig(width=16, layers=2, games=4, steps=8, minibatch=16)
    torch.manual_seed(2)
    policy, copy = Policy(16, 2), Policy(16, 2)
    env = SelfPlayVecEnv(4, (4,), League(tmp_path, policy, ["random"], 0.5, 1), 1)
    learner = make_learner(config, env)
    from_policy(policy, learner)
    to_policy(learner, copy)
    for name, value in policy.state_dict().items():
        assert torch.equal(value, copy.state_dict()[name]), name
    observations, masks = env.reset(), env.action_masks()
    actions, values, logs = learner.policy(torch.from_numpy(observations), action_masks=masks)
    logits, wanted = policy(SparseRows.of(observations))
    assert torch.allclose(values[:, 0], wanted, atol=1e-5)
    legal = logits.masked_fill(torch.from_numpy(masks == 0), -1e8).log_softmax(1)
    assert torch.allclose(logs, legal.gather(1, actions[:, None])[:, 0], atol=1e-4)
    assert (masks[np.arange(4), actions.numpy()] == 1).all()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("gamess = 3", "no setting is called 'gamess'"),
        ("games = 3.5", "games is 3.5"),
        ("players = [5]", "players is"),
        ("games = 2\nsteps = 2", "minibatch"),
        ("games = ", "small.toml"),
    ],
)
def test_a_wrong_configuration_is_named(settings: Path, text: str, complaint: str) -> None:
    settings.write_text(text)
    with pytest.raises(UserError, match=complaint):
        read_config(settings)


def test_a_folder_without_a_run_and_one_with_another_are_named(settings: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no run"):
        run(arguments(None, tmp_path / "run"))
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.toml").write_text("seed = 2\n")
    with pytest.raises(UserError, match="another configuration"):
        run(arguments(settings, tmp_path / "run"))


def test_a_lesson_is_what_the_teacher_does_and_what_it_is_paid() -> None:
    games = VectorGames(6, [4, 3, 2] * 2, seed=8)
    games.reset()
    lesson = watch(games, "balanced", 400, 0.1, np.random.default_rng(1))
    assert bool(lesson.masks.gather(1, lesson.actions[:, None]).all())
    assert 0.3 < float(lesson.known.float().mean()) < 1
    paid = {round(float(value), 4) for value in lesson.returns[lesson.known]}
    assert paid <= {0.0, 1.0, -1.0, -0.5, 0.25, -0.3333, 0.3333}
    assert {1.0, -1.0, -0.5, -0.3333} <= paid
    # The last game of each environment goes on, so that its rows are not known.
    assert not bool(lesson.known[-6:].any())


def test_a_lesson_is_learned() -> None:
    torch.manual_seed(1)
    games = VectorGames(32, seed=8)
    games.reset()
    lesson = watch(games, "balanced", 40, 0.0, np.random.default_rng(1))
    policy = Policy(64, 1)
    optimizer = torch.optim.Adam(policy.parameters(), lr=2e-3)
    first, *_, last = [study(policy, optimizer, lesson, 128)[0] for _ in range(12)]
    assert last > first + 0.2


@pytest.mark.parametrize("players", [2, 4])
def test_equal_play_wins_an_equal_share(players: int) -> None:
    def at_random(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.asarray((masks + rng.random(masks.shape)).argmax(1))

    rng = np.random.default_rng(4)
    score = against(at_random, "random", 300, players, batch=128)
    assert score.games == 300
    assert abs(score.share - 1 / players) < 4 * score.error
    assert against(at_random, "balanced", 60, players).share < 0.1
