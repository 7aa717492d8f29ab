"""The command line: `bloodrage COMMAND ...`.

A command is an entry point of the group `bloodrage.commands` that refers to a `Command`. Any installed package can add
commands. The module of a command is imported when the command is called.
"""

import argparse
import contextlib
import importlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, NoReturn

from . import __version__, games
from .errors import INTERRUPTED, UserError, interruptible
from .parsers import LateParser, add_command

GROUP: Final = "bloodrage.commands"


@dataclass(frozen=True)
class Command:
    """A command. Its `module` has `add_arguments(parser)`, and `run(args)`, which returns the exit status.

    `help` says what it does, in lower case and without a full stop; `example` is a command line that its help ends
    with. With `of_any_game`, the command has the argument `--game`, and its function is `add_arguments(parser, game)`.
    """

    help: str
    module: str
    of_any_game: bool = False
    example: str = ""

    def load(self) -> Any:
        """Return the module."""
        return importlib.import_module(self.module)


class _Parser(LateParser):
    """Reports a fault in one line. Options cannot be abbreviated: `--game` is not accepted for `--games`."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given, allow_abbrev=False)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what is unknown in the name of the command, which argparse leaves to the parser above."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Return the exit status: 0, 1 for a failure, 2 for a wrong command line. Errors are one line."""
    with contextlib.suppress(AttributeError, ValueError):  # ValueError: stdin has been read
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal may lack line drawing
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]  # or send what is no UTF-8
    if "_ARGCOMPLETE" in os.environ:
        complete()
    words = sys.argv[1:] if argv is None else list(argv)
    name = next((word for word in words if not word.startswith("-")), "")
    try:
        if not words:
            build_parser().print_help()
            return 0
        args = build_parser(name, game_in(words)).parse_args(words)
        _compile_at_once()
        with interruptible():
            status = int(args.run(args))
        sys.stdout.flush()
        return status
    except SystemExit as stop:
        return int(stop.code or 0)
    except BrokenPipeError:  # `bloodrage demo | head`: what would be flushed at exit goes nowhere
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        return _fail(name, f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except UserError as error:
        return _fail(name, str(error))


def complete() -> None:
    """Print how a shell can complete the command line in COMP_LINE, and end the process. Needs the extra `completion`.

    The shell calls the command so after `eval "$(register-python-argcomplete bloodrage)"`.
    """
    words = os.environ.get("COMP_LINE", "").split()[1:]
    name = next((word for word in words if word in commands()), "")
    with contextlib.suppress(ImportError, UserError):  # a shell shows nothing
        import argcomplete

        argcomplete.autocomplete(build_parser(name, game_in(words)))
    sys.exit(1)


def _compile_at_once() -> None:
    """Compile everything of a game as soon as anything is compiled, so that later commands start quickly."""
    from .commands.compile import load_used
    from .core.compile.decorators import compile_with

    compile_with(load_used)


def game_in(words: Sequence[str]) -> str:
    """Return the game that a command line names by `--game`; by default the first registered game."""
    looking = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    looking.add_argument("--game", default=games.FIRST)
    with contextlib.suppress(argparse.ArgumentError):
        found = str(looking.parse_known_args(list(words))[0].game)
        return found if found in games.all_names() else games.FIRST
    return games.FIRST


def _fail(command: str, message: str) -> int:
    line = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in " ".join(message.split()))
    print(f"bloodrage {command}: {line}", file=sys.stderr)  # a message can quote a file, which may steer a terminal
    return 1


def commands() -> dict[str, EntryPoint]:
    """Return the commands of all installed packages by name. Those of this project cannot be replaced."""
    ours_last = sorted(entry_points(group=GROUP), key=lambda point: point.value.startswith("bloodrage_"))
    return {point.name: point for point in ours_last}


def build_parser(name: str = "", game: str = games.FIRST) -> argparse.ArgumentParser:
    """Return the parser, with the options of the command `name` for a game. Other commands are not loaded.

    Raise UserError if that command cannot be loaded.
    """
    parser = _Parser(
        prog="bloodrage", description="The board games Blood Rage and Berserk for reinforcement learning and search."
    )
    parser.add_argument("--version", action="version", version=f"bloodrage {__version__}")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for each, point in sorted(commands().items()):
        try:
            command = point.load()
        except Exception as error:
            if each == name:
                raise UserError(f"the package of {point.value} can't be loaded: {error}") from error
            continue
        added = add_command(subparsers, each, command.help, command.example)
        if each == name:
            module = command.load()
            if command.of_any_game:
                module.add_arguments(added, game)
            else:
                module.add_arguments(added)
            added.set_defaults(run=module.run)
    return parser
