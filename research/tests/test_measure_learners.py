"""The learning curves of `research.measure.learners`."""

from pathlib import Path

import pytest

from bloodrage_training.learn import ppo
from research.measure import learners


def test_a_run_that_was_interrupted_has_the_snapshots_of_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = {"games": 4, "steps": 16, "width": 8, "minibatch": 32, "players": [2], "evaluation_games": 2}
    monkeypatch.setattr(learners, "SETTINGS", learners.SETTINGS | small)
    monkeypatch.setattr(learners, "EVERY", 400)
    learners.own(tmp_path / "whole", 1, 1200)
    update = ppo.Run.update

    def stopping(run: ppo.Run) -> None:
        if run.progress["decisions"] > 600:
            raise KeyboardInterrupt
        update(run)

    with monkeypatch.context() as patched:
        patched.setattr(ppo.Run, "update", stopping)
        with pytest.raises(KeyboardInterrupt):
            learners.own(tmp_path / "stopped", 1, 1200)
    learners.own(tmp_path / "stopped", 1, 1200)
    curves = [
        [[int(path.stem), 0.5, 0.5] for path in sorted((tmp_path / name / "snapshots").iterdir())]
        for name in ("whole", "stopped")
    ]
    assert curves[0] == curves[1]
    assert len(learners.rows_of("PPO", curves, [1.0, 1.0])) == 3
    assert (tmp_path / "stopped" / "policy.npz").exists()
