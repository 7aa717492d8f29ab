"""`bloodrage demo`: a game of random legal moves, printed as it goes."""

import argparse
import random

from .. import engine
from ..arguments import add_colour, add_html, add_save, add_seed
from ..notation import events, opening_events
from ..options import Options
from ..render.ansi import board_text
from ..replay import Recorder
from ..terminal.text import check_save, random_action, result_table, save_replay, tell, wants_colour
from .replay import save_page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    Options.add_arguments(parser)
    add_seed(parser, 1)
    parser.add_argument("--quiet", action="store_true", help="the result only")
    add_html(parser)
    add_save(parser)
    add_colour(parser)


def run(args: argparse.Namespace) -> int:
    """Play and tell."""
    check_save(args.save)
    check_save(args.html)
    colour = wants_colour(args.colour)
    rng = random.Random(args.seed)
    game = Recorder(args.seed, Options.from_arguments(args))
    if not args.quiet:
        tell(opening_events(game.states), colour)
    while not engine.is_over(game.states, 0):
        before = engine.clone(game.states, 0)
        action = random_action(before, rng)
        game.apply(action)
        if not args.quiet:
            told = events(before, action)
            tell(told, colour)
    if not args.quiet:
        print(f"\n{board_text(game.states, 0, colour=colour)}\n")
    print(result_table(game.states, colour))
    print(f"Seed {args.seed}, {len(game.actions)} decisions.")
    if args.save:
        save_replay(game.replay(), args.save)
    if args.html:
        save_page(game.replay(), args.html)
    return 0
