"""Commands on a Ray cluster of two nodes on this machine, of which a worker is killed: results as without Ray."""

import csv
import json
import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pool_here import Here
from run_content import same

from bloodrage_agents.network import file_of
from bloodrage_env.cli import main
from bloodrage_env.encoding import as_json
from bloodrage_training.benchmark import command as benchmark
from bloodrage_training.dataset import Dataset
from bloodrage_training.dataset import command as dataset
from bloodrage_training.learn import actors, evaluate, ppo, rounds, search
from bloodrage_training.learn.config import Ppo, Rounds, Search
from bloodrage_training.learn.policy import load_policy
from bloodrage_training.tasks import Event, Pool, Result, Task
from bloodrage_training.tournament import command as tournament
from bloodrage_training.tournament.store import Store
from bloodrage_training.workers import carry_out_all

pytestmark = [pytest.mark.ray, pytest.mark.slow]
TESTS = Path(__file__).resolve().parent


class Deadly:
    """A pool on the cluster, of which one worker is killed after the first result."""

    killed: list[int]

    def __init__(self, pool: Pool) -> None:
        self.pool, self.begun = pool, False
        self.killed = []

    def idle(self) -> bool:
        return self.pool.idle()

    def submit(self, number: int, task: Task, *arguments: Any) -> None:
        self.pool.submit(number, task, *arguments)

    def events(self, timeout: float) -> list[Event]:
        found = self.pool.events(timeout)
        self.begun |= any(isinstance(event, Result) for event in found)
        if self.begun and not self.killed:
            self.killed = kill_a_worker()
        return found

    def interrupt(self) -> None:
        self.pool.interrupt()

    def close(self) -> None:
        self.pool.close()


def kill_a_worker() -> list[int]:
    """Kill a process of the cluster that carries out a task; returns its id, if there is one."""
    import psutil

    for process in psutil.Process().children(recursive=True):
        try:
            if process.cmdline()[:1] == ["ray::carried_out"]:
                os.kill(process.pid, signal.SIGKILL)
                return [process.pid]
        except (psutil.Error, ProcessLookupError):
            continue
    return []


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster of two nodes with a CPU each."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{TESTS.parent}{os.pathsep}{TESTS}")  # of the workers
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        cluster.add_node(num_cpus=1)
        yield cluster.address
        cluster.shutdown()


@pytest.fixture
def pools(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Deadly]]:
    """The pools that commands have made: `--backend ray` on the cluster, otherwise in this process."""
    from bloodrage_training.ray_pool import RayPool

    made: list[Deadly] = []

    def make_pool(backend: str, size: int | None) -> Pool:
        if backend == "local":
            return Here()
        made.append(Deadly(RayPool(2)))
        return made[-1]

    monkeypatch.setenv("RAY_ADDRESS", address)
    for module in (actors, benchmark, dataset, evaluate, rounds, search, tournament):
        monkeypatch.setattr(module, "make_pool", make_pool)
    yield made
    assert len(made) == 1
    assert len(made[0].killed) == 1


BACKENDS = ("local", "ray")


def games(path: Path) -> list[object]:
    """What was played, clocks aside."""
    with Store.open(path) as store:
        return [(game.id, game.actions, game.scores) for game in store.finished()]


def test_a_tournament(pools: list[Deadly], tmp_path: Path) -> None:
    for backend in BACKENDS:
        words = [
            "run",
            "--agents",
            "random,balanced,ismcts:simulations=20",
            "--players",
            "3",
            "--deals",
            "6",
            "--seed",
            "1",
        ]
        assert main(["tournament", *words, "--store", f"{tmp_path}/{backend}.sqlite", "--backend", backend]) == 0
    one, other = (games(tmp_path / f"{backend}.sqlite") for backend in BACKENDS)
    assert one == other != []


def test_an_evaluation(pools: list[Deadly], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for backend in BACKENDS:
        words = [str(file_of("shipped")), "--against", "ismcts:simulations=20", "--deals", "6", "--seed", "1"]
        assert main(["evaluate", *words, "--store", f"{tmp_path}/{backend}.sqlite", "--backend", backend]) == 0
        lines = capsys.readouterr().out.splitlines()
        shown.append([line for line in lines if "raylet" not in line])  # which Ray prints after a death
    assert shown[0] == shown[1]
    one, other = (games(tmp_path / f"{backend}.sqlite") for backend in BACKENDS)
    assert one == other != []


def test_a_benchmark(pools: list[Deadly], tmp_path: Path) -> None:
    tracks = []
    for backend in BACKENDS:
        words = ["balanced", "--track", "duel", "--games", "24", "--out", f"{tmp_path}/{backend}"]
        assert main(["benchmark", *words, "--backend", backend]) == 0
        (track,) = json.loads((tmp_path / backend / "trial.json").read_text())["tracks"]
        tracks.append({name: track[name] for name in track if name != "seconds_a_decision"})
    assert tracks[0] == tracks[1]
    assert tracks[0]["games"] == 24


def test_a_dataset(pools: list[Deadly], tmp_path: Path) -> None:
    for backend in BACKENDS:
        words = [
            "--agents",
            "ismcts:simulations=20,balanced",
            "--games",
            "24",
            "--shard",
            "8",
            "--out",
            f"{tmp_path}/{backend}",
        ]
        assert main(["dataset", *words, "--backend", backend]) == 0
    one, other = (Dataset(tmp_path / backend).manifest.shards for backend in BACKENDS)
    assert one == other


def logged(folder: Path) -> list[dict[str, str]]:
    """The log of a run, times aside."""
    with (folder / "log.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    return [{name: row[name] for name in row if name not in ("seconds", "per_second", "playing")} for row in rows]


def test_learning_from_searches(pools: list[Deadly], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of each update, and so the weights, are the same."""
    monkeypatch.setattr(search.run, "PAUSE", 0.0)  # a result after each step
    config = Search(
        width=16, layers=1, games=2, tasks=4, decisions=2000, simulations=8, learned=0.2, unsure=0.0, workers=2,
        minibatch=64, evaluation_games=1, evaluate_every=99,
    )  # fmt: skip
    for backend in BACKENDS:
        assert search.train(config, tmp_path / backend, backend)
    one, other = (
        load_policy(tmp_path / backend / "checkpoint.pt", "bloodrage")[0].state_dict() for backend in BACKENDS
    )
    assert same(one, other)
    assert logged(tmp_path / "local") == logged(tmp_path / "ray")


def test_rollouts_of_actors(pools: list[Deadly], tmp_path: Path) -> None:
    """A worker dies in mid-rollout or between two: the decisions, and so the weights, are the same."""
    config = Ppo(
        width=16, layers=1, games=8, steps=64, decisions=3000, actors=2, threads=1, minibatch=256, evaluation_games=1,
        evaluate_every=99,
    )  # fmt: skip
    for backend in BACKENDS:
        assert ppo.train(config, tmp_path / backend, backend=backend)
    one, other = (
        load_policy(tmp_path / backend / "checkpoint.pt", "bloodrage")[0].state_dict() for backend in BACKENDS
    )
    assert same(one, other)


def test_rollouts_of_the_learner_in_rounds(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs, one of which loses its worker and goes on from its checkpoint."""
    from bloodrage_training.ray_pool import RayPool

    config = Rounds(
        width=16, layers=1, games=8, steps=64, decisions=6000, rounds=1, minibatch=256, save_minutes=0.0,
        evaluation_games=1, evaluate_every=99,
    )  # fmt: skip
    monkeypatch.setenv("RAY_ADDRESS", address)
    deadly: list[Deadly] = []

    def make_pool(backend: str, size: int | None) -> Pool:
        if backend == "local":
            return Here()
        deadly.append(Deadly(RayPool(2)))
        return deadly[-1]

    def events(self: Deadly, timeout: float) -> list[Event]:
        found = self.pool.events(0.1)
        if not self.killed and [*(tmp_path / "ray").glob("round-0-*/checkpoint.pt")]:
            self.killed = kill_a_worker()
        return found

    monkeypatch.setattr(Deadly, "events", events)
    monkeypatch.setattr(rounds, "make_pool", make_pool)
    for backend in BACKENDS:
        assert rounds.train(config, tmp_path / backend, backend)
    assert len(deadly[0].killed) == 1
    one, other = (load_policy(tmp_path / backend / "mean-0.pt", "bloodrage")[0].state_dict() for backend in BACKENDS)
    assert same(one, other)


def test_workers_install_what_the_environment_names(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module that only the driver has reaches the workers."""
    import worker_tasks

    from bloodrage_training.ray_pool import RUNTIME_ENV, RayPool

    (tmp_path / "only_here").mkdir()
    (tmp_path / "only_here" / "__init__.py").touch()
    monkeypatch.setenv("RAY_ADDRESS", address)
    monkeypatch.setenv(RUNTIME_ENV, as_json({"py_modules": [str(tmp_path / "only_here")]}))
    with closing(RayPool(1)) as pool:
        ((place,),) = carry_out_all(pool, worker_tasks.place_of, [["only_here"]]).results
    assert Path(place).name == "__init__.py"
    assert not Path(place).is_relative_to(tmp_path)
