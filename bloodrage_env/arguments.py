"""Arguments of the command line that several commands share."""

import argparse
import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from . import files, games
from .core.engine.chance import MAX_SEED
from .errors import UserError


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Read a whole number from `low` to `high`."""

    def parse(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 20 or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return parse


def positive_number(text: str) -> float:
    """Read a number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return value


def seconds(text: str) -> float:
    """Read a number of seconds from 0 to 99."""
    if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,3})?", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to 99")
    return float(text)


def seat_of(game: str) -> Callable[[str], int]:
    """Read a seat of a game, by number or by the last word of its name."""
    names = [name.lower().split()[-1] for name in games.presentation(game).seats]

    def parse(text: str) -> int:
        if text.lower() in names:
            return names.index(text.lower())
        if text in {str(seat) for seat in range(len(names))}:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} is not a seat: 0 to {len(names) - 1}, or {', '.join(names)}")

    return parse


def add_game(parser: argparse.ArgumentParser, game: str) -> None:
    """Add `--game`. The command line has read it before, because the other options depend on the game."""
    parser.add_argument("--game", choices=games.all_names(), default=game, help=f"the game ({games.FIRST})")


class Options(dict[str, dict[str, Any]]):
    """Options that several commands share, by flag: the keyword arguments of `add_argument`."""

    def add(self, parser: argparse._ActionsContainer, *flags: str, **changes: Any) -> None:
        """Add options to a command. `changes` replace keyword arguments of the table."""
        for flag in flags:
            parser.add_argument(flag, **self[flag] | changes)


OPTIONS: Final = Options(
    {
        "--seed": {"type": whole_number(0, MAX_SEED), "metavar": "N", "help": "seed of the game (%(default)s)"},
        "--save": {"metavar": "FILE", "help": "save the game as a replay (.brz)"},
        "--html": {"metavar": "FILE", "help": "write the whole game as a page to watch in a browser"},
        "--json": {"action": "store_true", "help": "print the table as JSON; unknown numbers are null"},
    }
)


def check_output(path: str | None, *needed: str | None, made: Path | None = None) -> None:
    """Raise UserError, before long work, for a file that cannot be written, or that is one of `needed`.

    `made` is a folder that the work creates.
    """
    if path is None:
        return
    if os.path.realpath(path) in [os.path.realpath(other) for other in needed if other is not None]:
        raise UserError(f"can't write {path}: the command needs this file; name another")
    target, last = (Path(os.path.abspath(each)) for each in (path, made or "."))
    folders = [last, *last.parents]  # there will be
    if target in folders or os.path.isdir(path):
        raise UserError(f"{path} is a folder; name a file")
    if os.path.isdir(target.parent):
        try:
            files.check_place(path)
        except OSError as error:
            raise UserError(f"can't write {path}: {error.strerror}") from None
    elif target.parent not in folders:
        raise UserError(f"there is no folder {Path(path).parent} for {Path(path).name}")


def add_colour(parser: argparse.ArgumentParser) -> None:
    """Add `--colour`."""
    choices = ("auto", "always", "never")
    parser.add_argument(
        "--colour", "--color", choices=choices, default="auto", help="use colours (auto: in a terminal only)"
    )
