"""Makes the decisions of the language track, and scores agents on them."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bloodrage_agents import registry
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training import markdown
from bloodrage_training.games.bloodrage.language import decisions

from ..command_line import OPTIONS, Tool, add_numbers
from .make import WANTED, Values, make


def run_make(given: argparse.Namespace) -> None:
    """Play games, value the actions of positions, and write these."""
    wanted = {kind: -(-count * given.positions // sum(WANTED.values())) for kind, count in WANTED.items()}
    found = []
    for position in make(Values(given.redeals, given.simulations), given.seed, wanted):
        found.append(position)
        print(f"{len(found)}: {position.kind}, Age {position.age}", file=sys.stderr, flush=True)
    decisions.save(sorted(found, key=lambda each: (each.kind, each.age, each.seed))[: given.positions], given.out)


def run_score(given: argparse.Namespace) -> None:
    """Print what agents lose, as a table."""
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
    tool = Tool("language", main.__doc__)
    made = tool.add(run_make)
    OPTIONS.add(made, "out")
    numbers = {"redeals": (16, "redeals of each"), "simulations": (100, "of each search")}
    add_numbers(made, 1, 10**5, positions=(200, "number of positions"), **numbers)
    add_numbers(made, 0, 2**20, seed=(1, "seed of the games"))
    scored = tool.add(run_score)
    scored.add_argument("agents", nargs="+", metavar="SPEC", help="the agents")
    kept = "the positions (those that come with the project)"
    scored.add_argument("--positions", type=Path, default=decisions.FILE, metavar="FILE", help=kept)
    tool.run(arguments)


if __name__ == "__main__":
    main()
