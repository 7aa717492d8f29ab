"""Measures the regret of policies at decisions that were searched, and makes such decisions."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import torch

from bloodrage_agents.network import SHIPPED, file_of
from bloodrage_env.arguments import whole_number
from bloodrage_training.learn.export import policy_of
from bloodrage_training.learn.policy import device_of
from bloodrage_training.learn.source import GPU

from ..command_line import run_chosen
from .decisions import FILE, Judged, make
from .measure import Regret, chances_of, kinds_of, measure, regret_of, table

MAX_SEED: Final = 2**20 - 1


def run_make(given: argparse.Namespace) -> None:
    """Make decisions, and write them."""
    policy, device = policy_of(file_of(given.policy), game="bloodrage"), device_of(given.device)
    make(policy, given.decisions, given.simulations, given.seed, given.policy, device).save(given.out)


def run_measure(given: argparse.Namespace) -> None:
    """Print the table of the policies."""
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
    parser = argparse.ArgumentParser(prog="python -m research.regret", description=main.__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    made = commands.add_parser("make", help="make decisions", description="Play games, draw decisions, search them.")
    made.add_argument("out", type=Path, metavar="FILE", help="the file to write")
    guide = f"the policy that plays and guides the searches ({SHIPPED})"
    made.add_argument("--policy", default=SHIPPED, metavar="FILE", help=guide)
    number = whole_number(1, 10**5)
    made.add_argument("--decisions", type=number, default=1000, metavar="N", help="number of decisions (1,000)")
    searched = "simulations of each search, of which a decision has two (3,000)"
    made.add_argument("--simulations", type=number, default=3000, metavar="N", help=searched)
    made.add_argument("--seed", type=whole_number(0, MAX_SEED), default=2, metavar="N", help="seed of the games (2)")
    where = "of the searches (cpu); on a GPU they have no tree"
    made.add_argument("--device", choices=("cpu", GPU), default="cpu", help=where)
    made.set_defaults(run=run_make)
    measured = commands.add_parser(
        "measure", help="measure policies", description="Print the regrets of policies as a table."
    )
    measured.add_argument("files", nargs="*", metavar="FILE", help=f"policies (.npz or .pt; {SHIPPED})")
    kept = "the decisions (those that come with the project)"
    measured.add_argument("--decisions", type=Path, default=FILE, metavar="FILE", help=kept)
    measured.set_defaults(run=run_measure)
    torch.set_num_threads(1)
    run_chosen(parser, arguments)


if __name__ == "__main__":
    main()
