"""`bloodrage dataset`: games between agents as rows of observations, masks and actions."""

import argparse
import sys

from bloodrage_agents import registry
from bloodrage_env import games
from bloodrage_env.arguments import add_game, whole_number
from bloodrage_env.errors import INTERRUPTED
from bloodrage_env.terminal.progress import Progress

from ..options import OPTIONS, WORKERS
from ..workers import make_pool
from . import formats
from .make import make, planned
from .rows import MAX_GAMES, Dataset


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """The options."""
    add_game(parser, game)
    OPTIONS.add(parser, "--agents", default=registry.default(game), help="agents that play (%(default)s)")
    OPTIONS.add(parser, "--games", default=1000)
    said = "the dataset; if it is there, it is completed. The ending .parquet or .minari selects a format"
    parser.add_argument("--out", required=True, metavar="PATH", help=said)
    said = "of the dataset (that of the ending, or npz)"
    parser.add_argument("--format", choices=[formats.SHARDS, *formats.WRITERS], help=said)
    OPTIONS.add(parser, "--seed", default=0, help="seed of the dataset, from which all games follow (0)")
    games.game(game).options.add_arguments(parser)
    said = "games in a file (100)"
    parser.add_argument("--shard", type=whole_number(1, MAX_GAMES), default=100, metavar="N", help=said)
    OPTIONS.add(parser, *WORKERS)


def run(args: argparse.Namespace) -> int:
    """Make the dataset; returns the exit status."""
    options = games.game(args.game).options.from_arguments(args)
    plan, manifest = planned(registry.split(args.agents), options, args.seed, args.games, args.shard)
    folder, kind = formats.paths(args.out, args.format)
    formats.check(kind, folder)  # before hours of play
    pool = make_pool(args.backend, args.workers)
    try:
        made = make(folder, plan, manifest, pool, sys.stderr)
    except KeyboardInterrupt:
        print("\nstopped; finished games are kept: the same command resumes", file=sys.stderr)
        return INTERRUPTED
    finally:
        pool.close()
    rows = sum(each.rows for each in made.shards)
    size = sum((folder / each.file).stat().st_size for each in made.shards)
    print(f"wrote {made.games} games, {rows:,} rows, {size / 1e6:,.1f} MB: {folder}")
    if kind != formats.SHARDS:
        path = formats.write_as(kind, Dataset(folder), Progress(sys.stderr, rows, things="rows"))
        print(f"wrote {path}")
    return 0
