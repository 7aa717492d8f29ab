"""Games, redeals, agents and worlds of searches on a GPU and on the CPU, compared byte for byte.

Run from the root of the repository on a machine with a GPU: python -m tests.gpu_equality [GAME [BATCHES [GAMES
[DECISIONS [EVERY]]]]]. A batch has options drawn from its seed. Games are compared after every EVERY decisions, redeals
and agents at CHECKS points of a batch. With NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1, the kernels run in numba's
simulator instead.

On a GPU, the functions exp and pow can differ from those of the CPU in the last bit. So the moves of styles and the
further inputs of networks are counted, not required to be equal.
"""

import os
import random
import sys
from collections import Counter

import numpy as np
from numba import cuda

from bloodrage_agents.gpu import GpuSeats, GpuWorlds
from bloodrage_env import games
from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.gpu import GpuGames
from bloodrage_env.vector import VectorGames

CHECKS = 2  # points of a batch at which redeals and agents are compared ...
REDEALS, CHOICES = 1000, 250  # ... in so many games at most, because the CPU takes long


def compare(name: str, seed: int, count: int, decisions: int, every: int, counts: Counter[str]) -> str:
    """Play `count` games with options drawn from a seed. Return the first difference, or nothing."""
    options = games.game(name).options.drawn(random.Random(seed), {})
    arguments = {each: getattr(options, each) for each in options.facts()}
    threads = min(count, len(os.sched_getaffinity(0)))
    on_gpu = GpuGames(count, game=name, seed=seed, **arguments)
    on_cpu = VectorGames(count, game=name, seed=seed, observations="bytes", threads=threads, **arguments)
    on_gpu.reset()
    on_cpu.reset()
    rng = np.random.default_rng(seed)
    for decision in range(decisions):
        fault = difference(on_gpu, on_cpu) if decision % every == 0 else ""
        if not fault and (decision + 1) % max(1, decisions // CHECKS) == 0:
            fault = redeals_differ(on_gpu, rng, counts) or agents_differ(on_gpu, rng, counts)
            fault = fault or worlds_differ(on_gpu, rng, counts)
        if fault:
            return f"{name}, {options}, seed {seed}, decision {decision}: {fault}"
        actions = on_gpu.random_actions()
        chosen = actions.copy_to_host()
        on_gpu.step(actions)
        on_cpu.step(chosen)
        counts["decisions"] += count
    return difference(on_gpu, on_cpu)


def difference(on_gpu: GpuGames, on_cpu: VectorGames) -> str:
    """Return the name of the first array that differs, and the first game, or nothing."""
    pairs = {
        name: (getattr(on_gpu, name).copy_to_host(), getattr(on_cpu, name))
        for name in ("masks", "observations", "seats", "rewards")
    }
    ends = on_gpu.dones.copy_to_host()
    pairs |= {"dones": (ends[:, 0], on_cpu.dones), "truncated": (ends[:, 1], on_cpu.truncated)}
    for name, (one, other) in pairs.items():
        if not np.array_equal(one, other):
            game = int(np.flatnonzero((one != other).reshape(len(one), -1).any(1))[0])
            return f"{name} of game {game}"
    return states_differ(on_gpu.states, on_cpu.states)


def states_differ(some: np.ndarray, others: np.ndarray) -> str:
    """Return the first field and game with a difference, or nothing."""
    if np.array_equal(some.view(np.uint8), others.view(np.uint8)):
        return ""
    for name in some.dtype.names or ():
        differs = (some[name] != others[name]).reshape(len(some), -1).any(1)
        if differs.any():
            return f"{name} of game {np.flatnonzero(differs)[0]}"
    return ""  # only the padding differs


def redeals_differ(on_gpu: GpuGames, rng: np.random.Generator, counts: Counter[str]) -> str:
    """Make a redeal of each game for a random seat. Return the first difference, or nothing."""
    before = on_gpu.states
    seats, seeds = rng.integers(before["num_players"]), rng.integers(MAX_SEED, size=len(before))
    wanted = [on_gpu.game.redeal(before, i, int(seats[i]), int(seeds[i])) for i in range(min(len(before), REDEALS))]
    on_gpu.redeal(seats, seeds)
    fault = states_differ(on_gpu.states[: len(wanted)], np.concatenate(wanted))
    on_gpu.set_states(before)
    counts["redeals"] += len(wanted)
    return fault and f"{fault} after redeals"


def agents_differ(on_gpu: GpuGames, rng: np.random.Generator, counts: Counter[str]) -> str:
    """Has styles choose in each game, and writes inputs. Return a difference of observations, and counts others."""
    learnable = games.spec(on_gpu.game.name).load("learnable")
    forward, count, states = learnable.forward, on_gpu.num_games, on_gpu.states
    styles, seeds = np.arange(count) % len(learnable.styles), rng.integers(2**62, size=count)
    styles[CHOICES:] = -1
    chosen, actions = np.full(count, -1), cuda.to_device(np.full(count, -1))
    learnable.choose_many(states, styles, seeds, chosen)
    seats = GpuSeats(on_gpu)
    seats.answer(cuda.to_device(styles), cuda.to_device(seeds), actions)
    counts["choices"] += int((styles >= 0).sum())
    counts["different choices"] += int((actions.copy_to_host() != chosen).sum())

    seen = forward.sizes.observation
    order = np.concatenate([np.arange(seen)[::-1], np.arange(seen, forward.num_inputs)[::-1]])
    which = rng.permutation(count)[:CHOICES]
    moved = rng.integers(2, size=len(which)).astype(np.int8)
    rows = np.zeros((len(which), seen), np.uint8), np.zeros((len(which), forward.num_inputs - seen), np.float32)
    forward.write_rows(states, which, 1, moved, order, *rows)
    found = [cuda.to_device(np.zeros_like(each)) for each in rows]
    seats.write(cuda.to_device(which), cuda.to_device(moved), cuda.to_device(order), *found, ledger=1)
    counts["different inputs"] += int((found[1].copy_to_host() != rows[1]).sum())
    changes = np.zeros((len(which), forward.sizes.actions * len(forward.all_changes.names)), np.int8)
    if changes.size:
        forward.write_changes(states, which, changes)
        of_device = cuda.to_device(np.zeros_like(changes))
        seats.write_changes(cuda.to_device(which), of_device)
        counts["different inputs"] += int((of_device.copy_to_host() != changes).sum())
    return "" if np.array_equal(found[0].copy_to_host(), rows[0]) else "observations of inputs"


def worlds_differ(on_gpu: GpuGames, rng: np.random.Generator, counts: Counter[str]) -> str:
    """Answers a question in redeals, as a search does. Return the first difference at the next choice, or nothing."""
    before, game = on_gpu.states, on_gpu.game
    which = rng.permutation(len(before))[:CHOICES]
    rows, seats = rng.permutation(len(which)), before["seat"][which].astype(np.int64)
    seeds = rng.integers(2**62, size=len(which))
    actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in before["mask"][which[rows]]])
    worlds, found = GpuWorlds(on_gpu, len(which), len(which)), np.zeros(len(which), game.state)
    worlds.begin(which, seats, seeds, rows, actions)
    worlds.play(np.arange(len(which)))
    worlds.records.copy_to_host(found)
    wanted = [game.redeal(before, int(which[row]), int(seats[row]), int(seeds[row])) for row in rows]
    for states, action in zip(wanted, actions, strict=True):
        game.play.apply(states, 0, int(action))
        while not states[0].over and states[0].num_legal == 1:
            game.play.apply(states, 0, int(states[0].mask.argmax()))
    fault = states_differ(found, np.concatenate(wanted))
    counts["worlds"] += len(which)
    return fault and f"{fault} in worlds"


def main(name: str = "bloodrage", batches: str = "8", count: str = "64", decisions: str = "400", every: str = "1"):
    """Compare, and print the first difference or what was compared."""
    counts: Counter[str] = Counter()
    for seed in range(int(batches)):
        if fault := compare(name, seed, int(count), int(decisions), int(every), counts):
            sys.exit(fault)
    print(f"{name}: no difference;", ", ".join(f"{number:,} {what}" for what, number in counts.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
