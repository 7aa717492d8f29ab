"""Times a step of a game, and each kernel alone: with several sizes of blocks and numbers of threads for a mask.

Two more rows say what could be gained: the kernels of games that are sorted by the kind of their question, and a whole
step, whose time beyond that of its kernels is launches and the check of the actions.

Run from the root of the repository on a machine with a GPU: python -m tests.gpu_launches [GAME [GAMES]].
"""

import statistics
import sys
import time
from collections.abc import Callable

from numba import cuda

from bloodrage_env.core.engine import gpu_batch
from bloodrage_env.gpu import GpuGames

BLOCKS, LANES = (32, 64, 128, 256), (1, 8, 32)
STEPS = 300  # after which the games are in mixed phases


def microseconds(run: Callable[[], object], times: int = 9) -> float:
    """Return the median of the times of a launch."""
    found = []
    for _ in range(times):
        cuda.synchronize()
        began = time.perf_counter()
        run()
        cuda.synchronize()
        found.append(1e6 * (time.perf_counter() - began))
    return statistics.median(found)


def main(name: str = "bloodrage", count: str = "65536", steps: str = str(STEPS)) -> None:
    """Print a row for each kernel and block: microseconds for all games."""
    batch = GpuGames(int(count), game=name)
    batch.reset()
    for _ in range(int(steps)):
        batch.step(batch.random_actions())
    kernels = batch.kernels

    def step() -> None:  # of random actions, which have been drawn before
        batch.launch(
            kernels.step_games, batch.records, batch._choices, batch.seeds, batch.num_games, batch.options,
            batch.rewards, batch.dones,
        )  # fmt: skip

    mixed, block = batch.states, gpu_batch.BLOCK
    for kind, states in (("mixed", mixed), ("sorted by question", mixed[mixed["decision"].argsort(kind="stable")])):
        times = []
        for _ in range(9):
            batch.records.copy_to_device(states)
            rows = microseconds(lambda: batch.launch(kernels.write_observations, batch.records, batch.observations))
            batch.random_actions()
            times.append(microseconds(step, 1))
        print(f"{name}, {count} games, {kind}: step {statistics.median(times):.0f}, rows {rows:.0f}", flush=True)
    whole = []
    for _ in range(9):
        actions = batch.random_actions()
        whole.append(microseconds(lambda: batch.step(actions), 1))  # noqa: B023
    print(f"{name}, {count} games, block {block}: a whole step {statistics.median(whole):.0f}", flush=True)

    for block in BLOCKS:
        gpu_batch.BLOCK = block
        rows = microseconds(lambda: batch.launch(kernels.write_observations, batch.records, batch.observations))
        times = []
        for _ in range(9):
            batch.random_actions()
            times.append(microseconds(step, 1))
        print(f"{name}, {count} games, block {block}: step {statistics.median(times):.0f}, rows {rows:.0f}", flush=True)
        for lanes in LANES:
            threads = lanes * batch.num_games
            given = batch.records, lanes, batch.masks, batch.seats
            masks = microseconds(lambda: gpu_batch.launch(kernels.write_decisions, threads, *given))  # noqa: B023
            print(f"  masks, {lanes} threads a game: {masks:.0f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
