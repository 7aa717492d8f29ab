"""Rollouts of the learner from games on a GPU and on the CPU, in numba's simulator: python -m tests.gpu_rollout GAME.

Set NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1. The network is on the CPU, as in the simulator everything is.
"""

import sys
from typing import Any

import numpy as np
import torch

from bloodrage_training.learn import ppo
from bloodrage_training.learn.config import Ppo
from bloodrage_training.learn.policy import Inputs, Policy
from bloodrage_training.learn.source import DeviceGames, HostGames
from bloodrage_training.learn.tables import Tables, regrouped

STEPS = 4


def main(name: str) -> None:
    """Play from checkpoints of both sources with both, and print the first difference or what was compared."""
    config = Ppo(game=name, games=4, steps=STEPS, width=8, layers=1, players=(2,), self_play=0.3, more_seats=0.3)
    policy = Policy(8, 1, name)
    tables = {"cpu": Tables(config, 1), "cuda": Tables(config, 1, device="cuda")}
    assert isinstance(tables["cpu"].games, HostGames)
    assert isinstance(tables["cuda"].games, DeviceGames)
    one, other = (rollout(tables[device], policy, config) for device in tables)
    compared = [differ(one, other)]
    states = {device: each.state() for device, each in tables.items()}
    for device, source in (("cuda", "cpu"), ("cpu", "cuda")):  # each goes on with the games of the other
        tables[device].resume(regrouped([states[source]], [tables[device]])[0])
    compared.append(differ(*(rollout(tables[device], policy, config) for device in tables)))
    print(f"{name}: {sum(compared)} rows, no difference")


def rollout(tables: Tables, policy: Policy, config: Ppo) -> dict[str, Any]:
    """Return the columns of a rollout, with its inputs."""
    tables.rng = np.random.default_rng(2)
    batch, _ = ppo.play(tables, policy, config, Inputs.empty(config.games * STEPS, policy.net))
    return vars(batch) | vars(batch.inputs.take(torch.from_numpy(batch.places)))


def differ(one: dict[str, Any], other: dict[str, Any]) -> int:
    """Return the number of rows. Exits at a difference."""
    for name in one.keys() - {"inputs"}:
        if not np.array_equal(np.asarray(one[name]), np.asarray(other[name])):
            sys.exit(f"{name} differs")
    return len(one["places"])


if __name__ == "__main__":
    main(*sys.argv[1:])
