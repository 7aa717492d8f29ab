"""Measures the regret of policies at decisions that were searched, and makes such decisions."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import torch

from bloodrage_agents.network import SHIPPED, file_of
from bloodrage_training.learn.export import policy_of
from bloodrage_training.learn.policy import device_of
from bloodrage_training.learn.source import GPU

from ..command_line import OPTIONS, Tool, add_numbers
from .decisions import FILE, Judged, make
from .measure import Regret, chances_of, kinds_of, measure, regret_of, table

MAX_SEED: Final = 2**20 - 1


def run_make(given: argparse.Namespace) -> None:
    """Play games, draw decisions of them, search these, and write them."""
    policy, device = policy_of(file_of(given.policy), game="bloodrage"), device_of(given.device)
    make(policy, given.decisions, given.simulations, given.seed, given.policy, device).save(given.out)


def run_measure(given: argparse.Namespace) -> None:
    """Print the regrets of policies as a table."""
    judged = Judged.load(given.decisions)
    states = judged.states()
    found: dict[str, Regret] = {}
    for name in given.files or [SHIPPED]:
        clock = time.monotonic()
        found[name] = regret_of(judged, chances_of(policy_of(file_of(name), game="bloodrage"), states))
        print(f"{name}: {time.monotonic() - clock:.1f} s", file=sys.stderr, flush=True)
    print(table(measure(judged, kinds_of(states), found)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure how much policies lose against the best action, at decisions that were searched."""
    torch.set_num_threads(1)
    tool = Tool("regret", main.__doc__)
    made = tool.add(run_make)
    OPTIONS.add(made, "out", "--policy")
    searched = "simulations of each search, of which a decision has two"
    add_numbers(made, 1, 10**5, decisions=(1000, "number of decisions"), simulations=(3000, searched))
    add_numbers(made, 0, MAX_SEED, seed=(2, "seed of the games"))
    where = "of the searches (cpu); on a GPU they have no tree"
    made.add_argument("--device", choices=("cpu", GPU), default="cpu", help=where)
    measured = tool.add(run_measure)
    OPTIONS.add(measured, "files")
    kept = "the decisions (those that come with the project)"
    measured.add_argument("--decisions", type=Path, default=FILE, metavar="FILE", help=kept)
    tool.run(arguments)


if __name__ == "__main__":
    main()
