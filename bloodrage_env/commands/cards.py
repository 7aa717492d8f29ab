"""`bloodrage cards`: the list of cards, or what one of them does."""

import argparse

from .. import games
from ..arguments import add_game


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """The options."""
    add_game(parser, game)
    parser.add_argument("name", nargs="*", metavar="NAME", help="a title or the beginning of one, or a god")


def run(args: argparse.Namespace) -> int:
    """Print the table, or what a name means."""
    shown = games.presentation(args.game)
    print("\n".join(shown.about(" ".join(args.name)) if args.name else shown.reference()))
    return 0
