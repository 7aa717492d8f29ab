"""Games on a GPU and on the CPU, compared byte for byte after every decision.

Run from the root of the repository on a machine with a GPU: python -m tests.gpu_equality [GAME [BATCHES [GAMES
[DECISIONS]]]]. With NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1, the kernels run in numba's simulator instead.
"""

import random
import sys

import numpy as np

from bloodrage_env import games
from bloodrage_env.gpu import GpuGames
from bloodrage_env.vector import VectorGames


def compare(name: str, seed: int, count: int, decisions: int) -> str:
    """Plays `count` games with options drawn from a seed. Returns the first difference, or nothing."""
    options = games.game(name).options.drawn(random.Random(seed), {})
    arguments = {each: getattr(options, each) for each in options.facts()}
    on_gpu = GpuGames(count, game=name, seed=seed, **arguments)
    on_cpu = VectorGames(count, game=name, seed=seed, observations="bytes", **arguments)
    on_gpu.reset()
    on_cpu.reset()
    for decision in range(decisions):
        if fault := difference(on_gpu, on_cpu):
            return f"{name}, {options}, seed {seed}, decision {decision}: {fault}"
        actions = on_gpu.random_actions()
        chosen = actions.copy_to_host()
        on_gpu.step(actions)
        on_cpu.step(chosen)
    return difference(on_gpu, on_cpu)


def difference(on_gpu: GpuGames, on_cpu: VectorGames) -> str:
    """Returns the name of the first array that differs, and the first game, or nothing."""
    states = on_gpu.states
    pairs = {name: (states[name], on_cpu.states[name]) for name in states.dtype.names or ()}
    pairs |= {
        name: (getattr(on_gpu, name).copy_to_host(), getattr(on_cpu, name))
        for name in ("masks", "observations", "seats", "rewards")
    }
    ends = on_gpu.dones.copy_to_host()
    pairs |= {"dones": (ends[:, 0], on_cpu.dones), "truncated": (ends[:, 1], on_cpu.truncated)}
    for name, (one, other) in pairs.items():
        if not np.array_equal(one, other):
            game = int(np.flatnonzero((one != other).reshape(len(one), -1).any(1))[0])
            return f"{name} of game {game}"
    return ""


def main(name: str = "bloodrage", batches: str = "8", count: str = "64", decisions: str = "400") -> None:
    """Compare, and print the first difference or the number of decisions."""
    for seed in range(int(batches)):
        if fault := compare(name, seed, int(count), int(decisions)):
            sys.exit(fault)
    print(f"{name}: {int(batches) * int(count) * int(decisions):,} decisions, no difference")


if __name__ == "__main__":
    main(*sys.argv[1:])
