"""Makes the decisions of the language track, and scores agents on them."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bloodrage_agents import registry
from bloodrage_env.arguments import whole_number
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training import markdown
from bloodrage_training.games.bloodrage.language import decisions

from ..command_line import run_chosen
from .make import WANTED, Values, make


def run_make(given: argparse.Namespace) -> None:
    """Make positions, and write them."""
    wanted = {kind: -(-count * given.positions // sum(WANTED.values())) for kind, count in WANTED.items()}
    found = []
    for position in make(Values(given.redeals, given.simulations), given.seed, wanted):
        found.append(position)
        print(f"{len(found)}: {position.kind}, Age {position.age}", file=sys.stderr, flush=True)
    decisions.save(sorted(found, key=lambda each: (each.kind, each.age, each.seed))[: given.positions], given.out)


def run_score(given: argparse.Namespace) -> None:
    """Print the scores of agents."""
    positions = decisions.load(given.positions)
    print("\n".join(markdown.table(("agent", "lost (points)", "best actions", "failed"), ())))
    for spec in ["chance", *given.agents]:
        found = (
            decisions.by_chance(positions)
            if spec == "chance"
            else decisions.score(registry.make(spec, Options.game), positions)
        )
        lost = f"{100 * found.lost:.2f} (SE {100 * found.error:.2f})"
        print(markdown.row((markdown.code(spec), lost, f"{100 * found.best:.1f} %", str(found.failed))), flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Decisions with the values of a search, by which agents are scored with one answer for each."""
    parser = argparse.ArgumentParser(prog="python -m research.language", description=main.__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    made = commands.add_parser("make", help="make positions", description="Play games and value actions of them.")
    made.add_argument("out", type=Path, metavar="FILE", help="the file to write")
    number = whole_number(1, 10**5)
    made.add_argument("--positions", type=number, default=200, metavar="N", help="number of positions (200)")
    made.add_argument("--redeals", type=number, default=16, metavar="N", help="redeals of each (16)")
    made.add_argument("--simulations", type=number, default=100, metavar="N", help="of each search (100)")
    made.add_argument("--seed", type=whole_number(0, 2**20), default=1, metavar="N", help="seed of the games (1)")
    made.set_defaults(run=run_make)
    scored = commands.add_parser("score", help="score agents", description="Print what agents lose, as a table.")
    scored.add_argument("agents", nargs="+", metavar="SPEC", help="the agents")
    kept = "the positions (those that come with the project)"
    scored.add_argument("--positions", type=Path, default=decisions.FILE, metavar="FILE", help=kept)
    scored.set_defaults(run=run_score)
    run_chosen(parser, arguments)


if __name__ == "__main__":
    main()
