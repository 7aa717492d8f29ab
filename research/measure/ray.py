"""Measures a Ray cluster of two nodes on this machine and writes `docs/results/ray.json`.

`python -m research.measure.ray` measures games per second of a tournament and decisions per second of rollouts of the
learner with 1, 2 and 4 workers, here and on the cluster, and the cost of a task and of a message. From these it
computes the throughput of 10 and 100 machines: workers scale until the driver, which receives all messages, is busy all
the time. Needs the extras `ray` and `train`.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from . import ROOT

os.environ["PYTHONPATH"] = f"{ROOT}{os.pathsep}{ROOT / 'docs'}"  # of the workers

from results import save

from bloodrage_agents.network import SHIPPED, file_of
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.terminal.progress import Progress
from bloodrage_training.learn import ppo
from bloodrage_training.learn.config import Ppo, parse
from bloodrage_training.learn.runs import reads
from bloodrage_training.tasks import Pool
from bloodrage_training.tournament import run as tournament
from bloodrage_training.tournament.plan import total_units
from bloodrage_training.tournament.records import Plan
from bloodrage_training.tournament.store import Store
from bloodrage_training.workers import carry_out_all, make_pool

AGENTS: Final = {  # by name: agents, and how many times as many deals are measured
    "searches: `balanced`, `ismcts:simulations=50`": (("balanced", "ismcts:simulations=50"), 1),
    "styles: `balanced`, `random`": (("balanced", "random"), 20),
}
WORKERS: Final = (1, 2, 4)
CORES: Final = 2  # of each of the machines that are computed
GAME: Final = 1000  # bytes of a game that a worker sends: 340 actions, scores and times


def stream(count: int, size: int) -> Iterator[bytes]:
    """A task that sends a number of messages."""
    for _ in range(count):
        yield b"x" * size


def send(pool: Pool, jobs: list[list[int]]) -> None:
    """Send the messages of some tasks. Raise KeyboardInterrupt after Ctrl-C."""
    if carry_out_all(pool, stream, jobs).interrupted:
        raise KeyboardInterrupt


def timed(action: Callable[[], Any]) -> float:
    """Return the seconds that an action takes."""
    clock = time.monotonic()
    action()
    return time.monotonic() - clock


def messages(pool: Pool) -> dict[str, float]:
    """Return milliseconds of an empty task, of a message of a game, and of one of a megabyte."""
    send(pool, [[1, 1]] * 4)
    return {
        "an empty task": 10 * timed(lambda: send(pool, [[0, 0]] * 100)),
        "a message of 1 KB, such as a game": timed(lambda: send(pool, [[1000, GAME]])),
        "a message of 1 MB": 10 * timed(lambda: send(pool, [[100, 1_000_000]])),
    }


def games_a_second(pool: Pool, agents: tuple[str, ...], deals: int, folder: Path) -> tuple[float, float]:
    """Return games per second of a tournament, and the driver's milliseconds of processor time for each of them."""
    found = []
    for number, count in enumerate((1, deals)):  # the first one loads what the workers need
        plan = tournament.make_plan(agents, Plan((), (), "round-robin", Options(4), 1, deals=count))
        with (
            Store.create(folder / f"{time.monotonic_ns()}-{number}.sqlite", plan) as store,
            open(os.devnull, "w") as nowhere,
        ):
            store.join(tournament.versions("bloodrage"))
            clock, spent = time.monotonic(), time.process_time()
            if not tournament.run(store, plan, pool, Progress(nowhere, total_units(plan) * 4)).complete:
                raise KeyboardInterrupt
            count = store.recorded()
            found.append((count / (time.monotonic() - clock), 1000 * (time.process_time() - spent) / count))
    return found[-1]


def rollouts(backend: str, actors: int, folder: Path) -> tuple[float, float]:
    """Return decisions per second of rollouts without learning, and the driver's microseconds for each of them."""
    settings = {"start": str(file_of(SHIPPED, "bloodrage")), "games": 512, "steps": 32, "actors": actors, "threads": 1}
    settings |= reads(str(settings["start"]), "bloodrage")
    run = ppo.Run(parse(Ppo, settings, "settings"), folder / f"{backend}-{actors}", backend=backend)
    run.board.close()
    found = []
    for number in range(4):
        clock, spent = time.monotonic(), time.process_time()
        run.begin_rollout(number)
        decisions = run.end_rollout()[1].decisions
        found.append((decisions / (time.monotonic() - clock), 1e6 * (time.process_time() - spent) / decisions))
    run.close()
    return max(each for each, _ in found[1:]), min(each for _, each in found[1:])  # the first one loads the workers


def write_rollouts(measured: dict[tuple[str, int], tuple[float, float]], command: str) -> None:
    """Write the tables of rollouts: measured, and what follows for several machines."""
    head = ["actors", "here, decisions/s", "Ray, decisions/s", "driver here, µs a decision", "driver with Ray, µs"]
    rows = [
        [
            str(actors),
            *(f"{measured[each, actors][part]:,.{2 * part}f}" for part in (0, 1) for each in ("local", "ray")),
        ]
        for actors in WORKERS
    ]
    save("ray/rollouts", head, rows, command)
    alone, cost = measured["ray", 1][0], min(measured["ray", actors][1] for actors in WORKERS)
    rows = []
    for machines in (1, 10, 100):
        reached = min(CORES * machines * alone, 1e6 / cost)
        rows.append([str(machines), str(CORES * machines), f"{reached:,.0f}", f"{reached * cost / 1e4:.1f} %"])
    save("ray/rollout-machines", ["machines", "actors", "decisions/s", "the driver is busy"], rows, command)


def write(
    costs: dict[str, dict[str, float]], speeds: dict[tuple[str, str, int], tuple[float, float]], command: str
) -> None:
    """Write the three tables: costs of messages, games per second, and what follows for several machines."""
    head = ["", "processes here, ms", "Ray, ms"]
    save(
        "ray/messages",
        head,
        [[name, *(f"{costs[each][name]:.2f}" for each in costs)] for name in costs["ray"]],
        command,
    )
    head = [
        "agents",
        "workers",
        "here, games/s",
        "Ray, games/s",
        "driver here, ms a game",
        "driver with Ray, ms a game",
    ]
    rows = [
        [
            name,
            str(workers),
            *(f"{speeds[each, name, workers][part]:.3g}" for part in (0, 1) for each in costs),
        ]
        for name in AGENTS
        for workers in WORKERS
    ]
    save("ray/games", head, rows, command)
    head = ["agents", "machines", "workers", "games/s", "the driver is busy"]
    rows = []
    for name in AGENTS:
        alone = speeds["ray", name, 1][0]
        cost = min(speeds["ray", each, WORKERS[-1]][1] for each in AGENTS)  # of many games: it has the least idle time
        for machines in (1, 10, 100):
            reached = min(CORES * machines * alone, 1000 / cost)
            rows.append(
                [
                    name,
                    str(machines),
                    str(CORES * machines),
                    f"{reached:,.{1 if reached < 10 else 0}f}",
                    f"{reached * cost / 10:.1f} %",
                ]
            )
    save("ray/machines", head, rows, command)


def main() -> None:
    """Measure and write."""
    from ray.cluster_utils import Cluster

    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument(
        "--deals", type=int, default=10, help="of a tournament of searches; 20 times as many of styles (10)"
    )
    given = parser.parse_args()
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    cluster.add_node(num_cpus=2)
    os.environ["RAY_ADDRESS"] = cluster.address
    costs: dict[str, dict[str, float]] = {}
    speeds: dict[tuple[str, str, int], tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for backend in ("local", "ray"):
            for workers in WORKERS:
                with closing(make_pool(backend, workers)) as pool:
                    costs.setdefault(backend, messages(pool))
                    for name, (agents, times) in AGENTS.items():
                        speeds[backend, name, workers] = games_a_second(pool, agents, times * given.deals, Path(folder))
                        print(backend, workers, name, *speeds[backend, name, workers], file=sys.stderr, flush=True)
        measured: dict[tuple[str, int], tuple[float, float]] = {}
        for backend in ("local", "ray"):
            for workers in WORKERS:
                measured[backend, workers] = rollouts(backend, workers, Path(folder))
                print(backend, workers, *measured[backend, workers], file=sys.stderr, flush=True)
    cluster.shutdown()
    command = f"python -m research.measure.ray --deals {given.deals}"
    write(costs, speeds, command)
    write_rollouts(measured, command)


if __name__ == "__main__":
    main()
