"""`bloodrage evaluate`: a trained policy against each of a ladder. The work is done by the package `training`."""

import argparse
from typing import Any

from .arguments import MAX_SEED, SEED, number


def run(args: argparse.Namespace) -> int:
    """Hand over to `training`, which comes with the repository, not with the environment alone."""
    from .opponents import repository_module

    return int(repository_module("training.evaluate").run(args))


def add_parser(commands: Any) -> None:
    """Add the command."""
    evaluate = commands.add_parser("evaluate", help="measure a trained policy against each of a ladder of agents")
    evaluate.add_argument("file", metavar="FILE", help="a checkpoint (.pt), the folder of a run, or a policy (.npz)")
    ladder = "agents to measure it against, one kind at a time (random and the four styles)"
    evaluate.add_argument("--against", metavar="SPEC[,SPEC...]", help=ladder)
    deals = "for each opponent, each played at all seats (50)"
    evaluate.add_argument("--deals", type=number(1, 10**6), default=50, metavar="N", help=deals)
    evaluate.add_argument("--seats", type=int, choices=(2, 3, 4), default=4, help="of each game (4)")
    evaluate.add_argument("--seed", type=number(0, MAX_SEED), metavar="N", help=SEED)
    evaluate.add_argument("--workers", type=number(1, 1024), metavar="N", help="processes (one a core)")
    store = "keep the games here, as a tournament; those that are there already are not played again"
    evaluate.add_argument("--store", metavar="FILE", help=store)
