"""`bloodrage ladder`: strength against search budget. The work is done by the package `training`."""

import argparse
from typing import Any, Final

from .arguments import MAX_SEED, SEED, number, positive

UNITS: Final = ("simulations", "ms")


def run(args: argparse.Namespace) -> int:
    """Hand over to `training`, which comes with the repository, not with the environment alone."""
    from .opponents import repository_module

    return int(repository_module("training.ladder").run(args))


def add_parser(commands: Any) -> None:
    """Add the command."""
    ladder = commands.add_parser("ladder", help="measure how an agent's strength grows with its budget")
    ladder.add_argument("agent", metavar="SPEC", help="an agent that takes a budget, such as ismcts")
    ladder.add_argument("--opponent", default="balanced", metavar="SPEC", help="at all other seats (balanced)")
    budgets = [50, 100, 200, 400, 800]
    said = "a decision (50 100 200 400 800)"
    ladder.add_argument("--budgets", type=number(1, 10**9), nargs="+", default=budgets, metavar="N", help=said)
    ladder.add_argument("--unit", choices=UNITS, default=UNITS[0], help="what a budget counts (simulations)")
    ladder.add_argument("--deals", type=number(1, 10**6), default=100, metavar="N", help="for each budget (100)")
    ladder.add_argument("--seats", type=int, choices=(2, 3, 4), default=4, help="of each game (4)")
    ladder.add_argument("--seed", type=number(0, MAX_SEED), metavar="N", help=SEED)
    limit = "who takes longer forfeits the game (60)"
    ladder.add_argument("--seconds-a-decision", type=positive, default=60.0, metavar="S", help=limit)
    ladder.add_argument("--workers", type=number(1, 1024), metavar="N", help="processes (one a core)")
    store = "a folder with a store for each budget; what is there already is not played again"
    ladder.add_argument("--store", required=True, metavar="FOLDER", help=store)
    ladder.add_argument("--html", metavar="FILE", help="write the plot as a page")
