"""Parallel runs of `ppo.py`, one per core, in rounds. After each round, all continue from the average of their weights.

Part of what a run learns is noise from its games. The noise of different runs is independent: it cancels in the mean of
the weights, and the common part remains. This is local SGD (Stich, 2019; DiLoCo: Douillard and others, 2023); the runs
communicate at the end of a round only. docs/results/experiments.json has the measurements.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, redirect_stderr
from dataclasses import fields, replace
from pathlib import Path

import torch

from bloodrage_env.errors import UserError

from ..tasks import Pool
from ..workers import BACKENDS, TaskError, carry_out_all, make_pool
from . import ppo
from .average import average, average_moments
from .config import Ppo, Rounds
from .evaluate import against_baselines
from .export import policy_of
from .policy import Policy, load_policy
from .runs import CHECKPOINT, alone, cut_log, first_policy, log, rates_text, usual, with_policy, write

LOG = "evaluation.csv"


def parts(config: Rounds, number: int, start: str) -> list[Ppo]:
    """Return the runs of a round, which begin with the policy `start`."""
    shared = Ppo(**{field.name: getattr(config, field.name) for field in fields(Ppo)})
    last = number == config.rounds - 1
    return [
        replace(
            shared,
            start=start,
            seed=config.seed + number * config.workers + worker,
            learning_rate_decay=config.learning_rate_decay if last else 0.0,
            average=config.average if last else 0.0,
            minutes=config.minutes / config.rounds,
        )
        for worker in range(config.workers)
    ]


def learn(config: Ppo, folder: Path, shown: bool, device: str) -> Iterator[bool]:
    """The task of a worker: one run. Yield whether it was finished. One of the runs shows its progress."""
    with open(os.devnull, "w") as nowhere, redirect_stderr(sys.stderr if shown else nowhere):
        finished = ppo.train(config, folder, device=device)
    yield finished


def side_by_side(pool: Pool, runs: Sequence[Ppo], folders: Sequence[Path], device: str) -> bool:
    """Finishes these runs, each in a separate folder. Return False after Ctrl-C.

    If one fails, the others are stopped. Raise UserError, which names the run.
    """
    jobs = [(run, folder, run is runs[0], device) for run, folder in zip(runs, folders, strict=True)]
    try:
        outcome = carry_out_all(pool, learn, jobs)
    except TaskError as error:
        print(*error.reasons.values(), sep="\n", file=sys.stderr)
        failed = " and ".join(str(folders[number]) for number in sorted(error.reasons))
        raise UserError(f"{failed} did not come to an end; the same command resumes them") from error
    return not outcome.interrupted and outcome.results == [[True]] * len(runs)


def train(config: Rounds, folder: Path, backend: str = BACKENDS[0], device: str = "cpu") -> bool:
    """Play all rounds, and writes the last mean as the checkpoint of the folder. Completed rounds are skipped.

    Ctrl-C ends it with checkpoints of the runs of the round. Return whether the rounds were finished. Without a policy
    to start with, the first round begins with a new one. Workers on other machines must see the folder at the same
    path.
    """
    with alone(folder), ExitStack() as stack:
        pool: Pool | None = None
        start = first_file(config, folder)
        for number in range(config.rounds):
            mean = folder / f"mean-{number}.pt"
            if not mean.exists():
                policy_of(Path(start), config.game)  # what is wrong with it is said once, here, and not by every run
                pool = pool or stack.enter_context(closing(make_pool(backend, config.workers)))
                folders = [folder / f"round-{number}-{worker}" for worker in range(config.workers)]
                if not side_by_side(pool, parts(config, number, start), folders, device):
                    return False
                _end_round(config, number, folder, [each / CHECKPOINT for each in folders])
            start = str(mean)
        policy, moments = first_policy(start, config.width, config.layers, config.game, config.ledger, config.changes)
        write(folder / CHECKPOINT, with_policy(policy, optimizer=moments))
    return True


def first_file(config: Rounds, folder: Path) -> str:
    """Return the file of the policy to start with. Without a setting it is a new one, written into the folder."""
    start = config.start or str(folder / "first.pt")
    if not config.start and not Path(start).exists():
        torch.manual_seed(config.seed)
        policy = Policy(config.width, config.layers, config.game, config.ledger, config.changes)
        write(Path(start), with_policy(policy))
    return start


def _end_round(config: Rounds, number: int, folder: Path, checkpoints: Sequence[Path]) -> None:
    """Write and measure the mean of the runs of a round."""
    loaded = [load_policy(path, config.game) for path in checkpoints]
    policy = average([policy for policy, _ in loaded])
    moments = average_moments([kept["optimizer"] for _, kept in loaded])
    win_rates = against_baselines(policy, config.evaluation_games, usual(config.players))
    cut_log(folder / LOG, number)
    log(folder / LOG, {"updates": number + 1} | {name: f"{share:.4f}" for name, share in win_rates.items()})
    write(folder / f"mean-{number}.pt", with_policy(policy, optimizer=moments))
    for path in checkpoints:
        path.unlink()
    print(f"round {number + 1} of {config.rounds}, the average; {rates_text(win_rates)}", file=sys.stderr)
