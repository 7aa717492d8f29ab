"""`bloodrage check`: random games; checks all invariants of `engine/invariants.py` after every decision."""

import argparse
import sys
import time

import numpy as np

from ..arguments import whole_number
from ..engine.checked_play import play_checked
from ..engine.ids import MAX_SEATS
from ..engine.invariants import Law
from ..errors import UserError

CHUNK = 500  # games between two looks at the clock


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("--games", type=whole_number(1, 10**9), default=10_000, metavar="N", help="how many (10000)")
    parser.add_argument("--seed", type=whole_number(0, 2**62), default=0, metavar="N", help="of the first game (0)")


def run(args: argparse.Namespace) -> int:
    """Play `--games` games, two, three and four seats in turn, and print the totals."""
    began = time.perf_counter()
    seats = range(2, MAX_SEATS + 1)
    totals = np.zeros(4, dtype=np.int64)
    done = 0
    while done < args.games:
        num_players = seats[done // CHUNK % len(seats)]
        games = min(CHUNK, args.games - done)
        tally = np.zeros(4, dtype=np.int64)
        # A quarter of the games is a first game, and in a quarter every question is asked.
        kind = done // CHUNK // len(seats) % 4
        seed = play_checked(args.seed + done, games, num_players, kind == 1, kind != 2, tally)
        if seed >= 0:
            raise UserError(f"invariant {Law(int(tally[1])).name} is violated with {num_players} players, seed {seed}")
        totals[[0, 3]] += tally[[0, 3]]
        totals[2] = max(totals[2], tally[2])
        done += games
        if sys.stderr.isatty():
            left = (time.perf_counter() - began) * (args.games - done) / done
            print(f"\r{done:,} of {args.games:,} games, {left:.0f} s left ", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(
        f"{done:,} random games with 2, 3 and 4 players, {totals[0]:,} decisions: no invariant violated; "
        f"deepest stack {totals[2]}, games cut off {totals[3]}"
    )
    return 0
