"""The command line: `bloodrage COMMAND ...`. What a command does is in `commands/`, loaded when it is called."""

import argparse
import contextlib
import importlib
import os
import re
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from .commands import evaluate, ladder, tournament, train
from .commands.arguments import MAX_SEED, number
from .errors import UserError

INTERRUPTED: Final = 130  # as shells have it

# Each is a module of `commands/` with a function `run(args) -> int`.
_MODULES: Final = {
    "demo": "demo",
    "play": "play",
    "serve": "serve",
    "replay": "watch",
    "bench": "bench",
    "cards": "cards",
    "compile": "warm",
    "check": "check",
    "tournament": "tournament",
    "train": "train",
    "evaluate": "evaluate",
    "ladder": "ladder",
}


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Returns the exit status: 0, 1 for a failure, 2 for a wrong command line, each with one line."""
    with contextlib.suppress(AttributeError):
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal may lack line drawing
    try:
        args = build_parser().parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        command = importlib.import_module(f".commands.{_MODULES[args.command]}", __package__)
        status = int(command.run(args))
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # `bloodrage demo | head`: what would be flushed at exit goes nowhere
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        return _fail(args.command, f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except UserError as error:
        return _fail(args.command, str(error))


def _fail(command: str, message: str) -> int:
    print(f"bloodrage {command}: {' '.join(message.split())}", file=sys.stderr)
    return 1


def build_parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    parser = _Parser(prog="bloodrage", description="Blood Rage for reinforcement learning: play, watch, measure.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    demo = commands.add_parser("demo", help="play a game at random and tell it")
    _add_game(demo, seed=1)
    demo.add_argument("--quiet", action="store_true", help="the result only")
    _add_html(demo)
    _add_save(demo)
    _add_colour(demo)

    play = commands.add_parser("play", help="play against agents in the terminal")
    _add_game(play, seed=None)
    play.add_argument("--seat", type=_seat, default=0, metavar="SEAT", help="yours: 0 to 3, or wolf, bear ... (0)")
    opponents = "agents: one for all, or one for each other seat, in clockwise order from the first (balanced)"
    play.add_argument("--opponents", metavar="SPEC[,SPEC...]", help=opponents)
    _add_save(play)
    _add_colour(play)

    serve = commands.add_parser("serve", help="play in the browser, against agents and each other")
    serve.add_argument("--host", default="127.0.0.1", metavar="HOST", help="address to listen at (127.0.0.1)")
    serve.add_argument("--port", type=number(0, 65535), default=8017, metavar="N", help="port (8017; 0: a free one)")
    serve.add_argument("--agents", metavar="SPEC[,SPEC...]", help="agents on offer (all that come with the project)")
    serve.add_argument("--games", metavar="FOLDER", help="where games are kept (with the user's data)")
    serve.add_argument("--pace", type=_seconds, default=0.6, metavar="S", help="seconds an agent's move takes (0.6)")

    replay = commands.add_parser("replay", help="tell, check or show a saved game")
    replay.add_argument("file", metavar="FILE", help="a replay (.brz)")
    replay.add_argument("--to", type=number(0, 10**6), metavar="K", help="stop after K actions")
    replay.add_argument("--verify", action="store_true", help="only check that it plays, and ends as it says")
    replay.add_argument("--board", action="store_true", help="only show the board where it stops")
    replay.add_argument("--seat", type=_seat, metavar="SEAT", help="tell only what this seat may see")
    _add_html(replay)
    _add_colour(replay)

    bench = commands.add_parser("bench", help="measure decisions a second")
    bench.add_argument("--json", action="store_true", help="figures as JSON")
    bench.add_argument("--peers", action="store_true", help="measure other libraries too, where installed")
    bench.add_argument("--cold", action="store_true", help="measure the first start too (compiles everything)")
    bench.add_argument("--agents", action="store_true", help="measure the agents instead: games and simulations")
    bench.add_argument("--quick", action="store_true", help="shorter runs, rougher figures")

    cards = commands.add_parser("cards", help="list the cards, or show one")
    cards.add_argument("name", nargs="*", metavar="NAME", help="a title or the beginning of one")

    commands.add_parser("compile", help="compile the engine for this machine, once")

    check = commands.add_parser("check", help="play random games and look at every law after every decision")
    check.add_argument("--games", type=number(1, 10**9), default=10_000, metavar="N", help="how many (10000)")
    check.add_argument("--seed", type=number(0, 2**62), default=0, metavar="N", help="of the first game (0)")

    tournament.add_parser(commands)
    train.add_parser(commands)
    evaluate.add_parser(commands)
    ladder.add_parser(commands)
    return parser


def _add_game(parser: argparse.ArgumentParser, seed: int | None) -> None:
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=4, help="how many clans (4)")
    said = "drawn anew each time" if seed is None else seed
    parser.add_argument("--seed", type=number(0, MAX_SEED), default=seed, metavar="N", help=f"of the game ({said})")
    parser.add_argument("--first-game", action="store_true", help="no draft in Age 1: eight cards each")


def _add_save(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--save", metavar="FILE", help="save the game as a replay (.brz)")


def _add_html(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--html", metavar="FILE", help="write the whole game as a page to watch in a browser")


def _add_colour(parser: argparse.ArgumentParser) -> None:
    choices = ("auto", "always", "never")
    parser.add_argument("--colour", "--color", choices=choices, default="auto", help="colours (auto: in a terminal)")


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,3})?", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds from 0 to 99")
    return float(text)


def _seat(text: str) -> int:
    from .notation.words import CLANS

    names = [name.lower() for name in CLANS]
    if text.lower() in names:
        return names.index(text.lower())
    if text in {str(seat) for seat in range(len(names))}:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no seat: 0 to 3, or {', '.join(names)}")
