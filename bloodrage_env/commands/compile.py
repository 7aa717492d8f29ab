"""`bloodrage compile`: compiles all functions of a game and stores them, so that later starts are quick."""

import argparse
import importlib
import pkgutil
import time
from pathlib import Path

from .. import games
from ..arguments import add_game
from ..core.compile import kept
from ..core.compile.decorators import compile_all
from ..errors import UserError


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """Add the options."""
    add_game(parser, game)
    parser.add_argument("--all", action="store_true", help="compile all games")
    into = "store everything in this folder, for other processes with NUMBA_CACHE_DIR=FOLDER (beside the sources)"
    parser.add_argument("--into", metavar="FOLDER", type=Path, help=into)


def run(args: argparse.Namespace) -> int:
    """Compile what is not stored yet."""
    began = time.perf_counter()
    if args.into:
        args.into.mkdir(parents=True, exist_ok=True)
        kept.keep_alone(args.into.absolute())
        if kept.lock_folder() is None:
            raise UserError(f"{args.into} can't be written to; choose another folder")
    for game in games.all_names() if args.all else (args.game,):
        load_all(game)
    count = compile_all()
    print(f"{count} compiled functions ready after {time.perf_counter() - began:.1f} s.")
    return 0


def load_all(game: str) -> None:
    """Import every module of a game that has compiled entries."""
    for name in games.spec(game).compiled:
        module = importlib.import_module(name.removesuffix(".*"))
        if name.endswith(".*"):
            for each in pkgutil.iter_modules(module.__path__, f"{module.__name__}."):
                importlib.import_module(each.name)


def load_used() -> None:
    """Do as `load_all` for each game that this process has loaded."""
    for game in games.in_use():
        load_all(game)
