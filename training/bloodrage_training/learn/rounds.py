"""Runs of `ppo.py` in parallel, one a core, in rounds: after each round all go on from the average of their weights.

Part of what a run learns is noise from its games. The noise of different runs is independent: it cancels in the mean
of the weights, and the common part stays. This is local SGD (Stich, 2019; DiLoCo: Douillard and others, 2023); the runs
communicate at the end of a round only. docs/experiments.md has the measurements.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, fields, replace
from multiprocessing.connection import wait
from pathlib import Path

import torch

from bloodrage_env.errors import INTERRUPTED, UserError

from . import ppo
from .average import average, average_moments
from .evaluate import against_baselines
from .export import policy_of
from .policy import Policy, load_policy
from .runs import CHECKPOINT, alone, cut_log, log, rates_text, with_policy, write

LOG = "evaluation.csv"
FAILED = 2
ENDS = (0, INTERRUPTED)  # of a process that did not fail


@dataclass(frozen=True)
class Config(ppo.Config):
    """The settings of `ppo.py`, of each run of a round, and these two. The seeds of the runs follow on `seed`.

    The learning rate is constant, and decays over the last part (`learning_rate_decay`) of the last round only.
    """

    workers: int = 2
    rounds: int = 10


def parts(config: Config, number: int, start: str) -> list[ppo.Config]:
    """The runs of a round, which begin with the policy `start`."""
    shared = ppo.Config(**{field.name: getattr(config, field.name) for field in fields(ppo.Config)})
    learning_rate_decay = config.learning_rate_decay if number == config.rounds - 1 else 0.0
    return [
        replace(
            shared,
            start=start,
            seed=config.seed + number * config.workers + worker,
            learning_rate_decay=learning_rate_decay,
        )
        for worker in range(config.workers)
    ]


def learn(config: ppo.Config, folder: Path, shown: bool) -> None:
    """Body of a process: one run; its status is 0 at its end, INTERRUPTED after Ctrl-C, or FAILED."""
    try:
        with open(os.devnull, "w") as nowhere, redirect_stderr(sys.stderr if shown else nowhere):
            finished = ppo.train(config, folder)
    except UserError as error:
        print(error, file=sys.stderr)
        sys.exit(FAILED)
    except KeyboardInterrupt:  # before the first update
        finished = False
    sys.exit(0 if finished else INTERRUPTED)


def side_by_side(runs: Sequence[ppo.Config], folders: Sequence[Path]) -> bool:
    """Finish these runs, each in a process and a folder of its own; False after Ctrl-C.

    If one fails, the others are stopped too: UserError, which names it.
    """
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(target=learn, args=(run, folder, run is runs[0]))
        for run, folder in zip(runs, folders, strict=True)
    ]
    for process in processes:
        process.start()
    at_work, stopped = list(processes), False
    while at_work:
        try:
            wait([process.sentinel for process in at_work])
        except KeyboardInterrupt:  # which the processes have got too
            stopped = True
        # Asked once: a process that was seen to have ended is gone, and no signal can be sent to it.
        codes = [process.exitcode for process in processes]
        at_work = [process for process, code in zip(processes, codes, strict=True) if code is None]
        if not stopped and any(code not in (None, *ENDS) for code in codes):
            stopped = True
            for pid in [process.pid for process in at_work if process.pid]:
                os.kill(pid, signal.SIGINT)  # they write their checkpoints
    failed = [str(folder) for folder, each in zip(folders, processes, strict=True) if each.exitcode not in ENDS]
    if failed:
        raise UserError(f"{' and '.join(failed)} did not come to an end; the same command resumes them")
    return all(process.exitcode == 0 for process in processes)


def train(config: Config, folder: Path) -> bool:
    """Play all rounds, and write the last mean as the checkpoint of the folder; goes on after those that are done.

    Ctrl-C ends it with checkpoints of the runs of the round; returns whether the rounds were finished. Without a policy
    to start with, the first round begins with a new one.
    """
    with alone(folder):
        start = config.start or str(folder / "first.pt")
        if not config.start and not Path(start).exists():
            torch.manual_seed(config.seed)
            write(Path(start), with_policy(Policy(config.width, config.layers, config.game)))
        for number in range(config.rounds):
            mean = folder / f"mean-{number}.pt"
            if not mean.exists():
                policy_of(Path(start), config.game)  # what is wrong with it is said once, here, and not by every run
                folders = [folder / f"round-{number}-{worker}" for worker in range(config.workers)]
                if not side_by_side(parts(config, number, start), folders):
                    return False
                _end_round(config, number, folder, [each / CHECKPOINT for each in folders])
            start = str(mean)
        write(folder / CHECKPOINT, with_policy(policy_of(Path(start), config.game)))
    return True


def _end_round(config: Config, number: int, folder: Path, checkpoints: Sequence[Path]) -> None:
    """Write and measure the mean of what the runs of a round have come to."""
    loaded = [load_policy(path, config.game) for path in checkpoints]
    policy = average([policy for policy, _ in loaded])
    moments = average_moments([kept["optimizer"] for _, kept in loaded])
    most = max(config.players, key=config.players.count)
    win_rates = against_baselines(policy, config.evaluation_games, most)
    cut_log(folder / LOG, number)
    log(folder / LOG, {"updates": number + 1} | {name: f"{share:.4f}" for name, share in win_rates.items()})
    write(folder / f"mean-{number}.pt", with_policy(policy, optimizer=moments))
    for path in checkpoints:
        path.unlink()
    print(f"round {number + 1} of {config.rounds}, the average; {rates_text(win_rates)}", file=sys.stderr)
