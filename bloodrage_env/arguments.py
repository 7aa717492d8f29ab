"""Arguments of the command line that several commands share."""

import argparse
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from . import games
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


def check_page(page: str | None, made: Path | None = None, store: str | None = None) -> None:
    """Raise UserError, before long work, unless there is a folder for a page; `made` is one that the work makes.

    The page must not be the file `store`, either, which it would replace.
    """
    if page is None:
        return
    if store is not None and Path(page).resolve() == Path(store).resolve():
        raise UserError(f"{page} is the store; give the page another name")
    folder, to_come = Path(page).absolute().parent, [] if made is None else [made.absolute(), *made.absolute().parents]
    if not folder.is_dir() and folder not in to_come:
        raise UserError(f"there is no folder {Path(page).parent} for {Path(page).name}")


def add_colour(parser: argparse.ArgumentParser) -> None:
    """Add `--colour`."""
    choices = ("auto", "always", "never")
    parser.add_argument(
        "--colour", "--color", choices=choices, default="auto", help="use colours (auto: in a terminal only)"
    )
