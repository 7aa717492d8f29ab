"""`bloodrage check`: random games; checks all invariants of the engine after every decision."""

import argparse
import sys
import time

import numpy as np

from .. import games
from ..arguments import add_game, whole_number
from ..errors import UserError

CHUNK = 500  # games between two looks at the clock


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """The options."""
    add_game(parser, game)
    parser.add_argument("--games", type=whole_number(1, 10**9), default=10_000, metavar="N", help="how many (10000)")
    parser.add_argument("--seed", type=whole_number(0, 2**62), default=0, metavar="N", help="of the first game (0)")
    options = games.game(game).options
    options.add_arguments(parser, settled=options.in_turn())


def run(args: argparse.Namespace) -> int:
    """Play `--games` games, with other options in turn, and print the totals."""
    began = time.perf_counter()
    game = games.game(args.game)
    totals, players = np.zeros(4, dtype=np.int64), set()
    done = 0
    while done < args.games:
        count = min(CHUNK, args.games - done)
        tally = np.zeros(4, dtype=np.int64)
        options = game.options.for_check(done // CHUNK, args)
        players.add(options.num_players)
        seed = game.play_checked(args.seed + done, count, np.array(options.numbers()), tally)
        if seed >= 0:
            raise UserError(f"invariant {game.invariants(int(tally[1])).name} is violated with {options}, seed {seed}")
        totals[[0, 3]] += tally[[0, 3]]
        totals[2] = max(totals[2], tally[2])
        done += count
        if sys.stderr.isatty():
            left = (time.perf_counter() - began) * (args.games - done) / done
            print(f"\r{done:,} of {args.games:,} games, {left:.0f} s left ", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    seats = str(min(players)) if len(players) == 1 else f"{min(players)} to {max(players)}"
    print(
        f"{done:,} random games with {seats} players, {totals[0]:,} decisions: "
        f"no invariant violated; deepest stack {totals[2]}, games cut off {totals[3]}"
    )
    return 0
