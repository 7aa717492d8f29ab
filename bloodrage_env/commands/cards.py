"""`bloodrage cards`: lists the cards, or prints the texts of some cards."""

import argparse

from .. import as_data, games
from ..arguments import OPTIONS, add_game


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """Add the options."""
    add_game(parser, game)
    OPTIONS.add(parser, "--json")
    parser.add_argument("name", nargs="*", metavar="NAME", help="titles of cards, or parts of titles (all cards)")


def run(args: argparse.Namespace) -> int:
    """Print the list, or the texts of the named cards."""
    shown = games.presentation(args.game)
    if args.json:
        print(as_data.text(shown.facts(args.name)))
        return 0
    print("\n".join(shown.about(args.name) if args.name else shown.reference()))
    return 0
