"""The same tournament on a Ray of one machine as in worker processes."""

import os
from pathlib import Path

import pytest

from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.terminal.progress import Progress
from bloodrage_training.tournament import run as tournament
from bloodrage_training.tournament.plan import total_units
from bloodrage_training.tournament.records import Plan
from bloodrage_training.tournament.store import Store
from bloodrage_training.workers import LocalPool

pytestmark = [pytest.mark.ray, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[1]


def games(path, plan, pool):
    """Play the plan; returns what was played, clocks aside."""
    with Store.create(path, plan) as store, open(os.devnull, "w") as nowhere:
        store.join(tournament.versions("bloodrage"))
        try:
            outcome = tournament.run(store, plan, pool, Progress(nowhere, total_units(plan)))
        finally:
            pool.close()
        assert outcome.complete
        return [(game.id, game.actions, game.scores) for game in store.finished()]


def test_ray_plays_the_same_games(tmp_path, monkeypatch):
    pytest.importorskip("ray")
    from bloodrage_training.ray_pool import RayPool

    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # Ray's processes find the project there
    plan = tournament.make_plan(["random", "balanced"], Plan((), (), "round-robin", Options(2), deals=3))
    on_ray = games(tmp_path / "ray.sqlite", plan, RayPool(1))
    assert on_ray == games(tmp_path / "local.sqlite", plan, LocalPool(1)) != []


def test_agents_that_differ_on_the_cluster_are_refused(tmp_path, monkeypatch):
    pytest.importorskip("ray")
    from bloodrage_env.errors import UserError
    from bloodrage_training.ray_pool import RayPool

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    plan = Plan(("random", "balanced"), ("0", "0"), "round-robin", Options(2), deals=3)
    with pytest.raises(UserError, match="has changed since the store was made"):
        games(tmp_path / "ray.sqlite", plan, RayPool(1))
