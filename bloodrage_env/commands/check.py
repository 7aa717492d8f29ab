"""`bloodrage check`: random games; checks all invariants of `engine/invariants.py` after every decision."""

import argparse
import sys
import time

import numpy as np

from ..arguments import whole_number
from ..engine import MAX_SEATS, MIN_SEATS, Invariant, play_checked
from ..errors import UserError
from ..options import Options

CHUNK = 500  # games between two looks at the clock
_IN_TURN = ("num_players", "first_game", "skip_forced")  # options of which every value is played


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("--games", type=whole_number(1, 10**9), default=10_000, metavar="N", help="how many (10000)")
    parser.add_argument("--seed", type=whole_number(0, 2**62), default=0, metavar="N", help="of the first game (0)")
    Options.add_arguments(parser, settled=_IN_TURN)


def run(args: argparse.Namespace) -> int:
    """Play `--games` games, with each number of seats in turn, and print the totals."""
    began = time.perf_counter()
    seats = range(MIN_SEATS, MAX_SEATS + int("p5" in args.sets))
    totals = np.zeros(4, dtype=np.int64)
    done = 0
    while done < args.games:
        num_players = seats[done // CHUNK % len(seats)]
        games = min(CHUNK, args.games - done)
        tally = np.zeros(4, dtype=np.int64)
        # A quarter of the games is a first game, and in a quarter every question is asked.
        kind = done // CHUNK // len(seats) % 4
        options = Options.from_arguments(args, num_players=num_players, first_game=kind == 1, skip_forced=kind != 2)
        seed = play_checked(args.seed + done, games, np.array(options.numbers()), tally)
        if seed >= 0:
            raise UserError(f"invariant {Invariant(int(tally[1])).name} is violated with {options}, seed {seed}")
        totals[[0, 3]] += tally[[0, 3]]
        totals[2] = max(totals[2], tally[2])
        done += games
        if sys.stderr.isatty():
            left = (time.perf_counter() - began) * (args.games - done) / done
            print(f"\r{done:,} of {args.games:,} games, {left:.0f} s left ", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(
        f"{done:,} random games with {seats.start} to {seats[-1]} players, {totals[0]:,} decisions: "
        f"no invariant violated; deepest stack {totals[2]}, games cut off {totals[3]}"
    )
    return 0
