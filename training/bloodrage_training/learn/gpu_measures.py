"""Measures games on a GPU, for `bloodrage bench --gpu`. All times are wall-clock times."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import numpy as np
import torch
from numba import cuda

from bloodrage_agents.gpu import GpuSeats
from bloodrage_agents.network import SHIPPED, file_of
from bloodrage_env import games
from bloodrage_env.commands.measures import Effort, Figure, Rates, rate_of
from bloodrage_env.gpu import GpuGames

from .export import policy_of
from .learnable import learnable
from .policy import Inputs, Policy
from .roots import RootSearcher
from .source import DeviceGames, shared

SIZES: Final = (1024, 4096, 16_384, 65_536, 262_144)  # games of a batch
SEARCHED: Final = 16_384  # games of a batch at most, of which each is searched with ...
SIMULATIONS: Final = 32  # ... so many simulations
WARM_UP: Final = 300  # steps with random actions, after which the games are in mixed phases


def figures(game: str, effort: Effort) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Yield names of measurements and functions that return their figures. Raise UserError without a GPU."""
    GpuGames(1, game=game)
    for size in SIZES:
        batch = f"{size:,} games"
        yield f"{batch}, masks", partial(_stepped, game, effort, size, f"{batch}, masks, random actions", "none")
        yield f"{batch}, bytes", partial(_stepped, game, effort, size, "  masks and bytes, random actions", "bytes")
        if games.spec(game).has("policy"):
            yield f"{batch}, network", partial(_chosen, game, effort, size)
            if size <= SEARCHED:
                yield f"{batch}, searches", partial(_searched, game, effort, size)


def _stepped(game: str, effort: Effort, size: int, name: str, form: str) -> Figure:
    """Measure random actions, which a kernel draws."""
    batch = _mixed(game, size, form)
    return _figure(batch, effort, name, lambda: batch.step(batch.random_actions()), batch.memory)


def _chosen(game: str, effort: Effort, size: int) -> Figure:
    """Measure actions of the policy that comes with the project, with the inputs that it takes."""
    batch, rng = _mixed(game, size, "none"), np.random.default_rng(0)
    policy = _policy(game)
    seats, rows = GpuSeats(batch), Inputs.empty(size, policy.net, policy.device)
    which, moved, order = map(
        cuda.to_device, (np.arange(size), np.zeros(size, np.int8), np.arange(policy.net.num_inputs))
    )

    def step() -> None:
        seats.write(which, moved, order, shared(rows.counts), shared(rows.more), ledger=policy.net.ledger)
        if policy.net.changes.names:
            seats.write_changes(which, shared(rows.changes.flatten(1)))
        with torch.inference_mode():
            batch.step(shared(policy.draw(rows, rng)[0]))

    inputs = sum(each.element_size() * each[0].numel() for each in rows.tensors)
    return _figure(batch, effort, "  the network chooses", step, batch.memory + inputs)


def _searched(game: str, effort: Effort, size: int) -> Figure:
    """Measure simulations of searches of one decision of each game."""
    source, policy, rng = DeviceGames(learnable(game), size, 1), _policy(game), np.random.default_rng(0)
    source.games.reset()
    for _ in range(WARM_UP):
        source.step(source.games.random_actions())
    searcher, masks = RootSearcher(source, policy, SIMULATIONS), source.masks
    which = np.flatnonzero(masks.sum(1) > 1)
    logs, values = searcher.evaluate(which)
    logs[masks[which] == 0] = -np.inf

    def run() -> int:
        searcher.search_all(which, logs, values[:, 0], rng)
        return SIMULATIONS * len(which)

    run()
    rates = Rates([rate_of(run, time.perf_counter) for _ in range(effort.repeats)], [])
    return rates.figure(f"  searches with {SIMULATIONS} simulations", "simulations/s")


def _policy(game: str) -> Policy:
    device = "cuda" if torch.cuda.is_available() else "cpu"  # numba's simulator has no GPU either
    policy: Policy = policy_of(file_of(SHIPPED, game), game).to(device)
    policy.bfloat16 = device == "cuda"
    return policy


def _figure(batch: GpuGames, effort: Effort, name: str, step: Callable[[], Any], memory: float) -> Figure:
    def run() -> int:
        for _ in range(effort.batch_steps):
            step()
        cuda.synchronize()
        return batch.num_games * effort.batch_steps

    run()
    rates = Rates([rate_of(run, time.perf_counter) for _ in range(effort.repeats)], [])
    return rates.figure(name, bytes=memory)


def _mixed(game: str, size: int, form: str) -> GpuGames:
    batch = GpuGames(size, game=game, seed=1, observations=form)
    batch.reset()
    for _ in range(WARM_UP):
        batch.step(batch.random_actions())
    return batch
