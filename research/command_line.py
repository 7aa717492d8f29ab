"""The command lines of the tools in this folder."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from bloodrage_agents.network import SHIPPED
from bloodrage_env.arguments import Options, whole_number
from bloodrage_env.core.compile.decorators import compile_all
from bloodrage_env.errors import UserError

OPTIONS: Final = Options(
    {
        "out": {"type": Path, "metavar": "FILE", "help": "the file to write"},
        "files": {"nargs": "*", "metavar": "FILE", "help": f"policies (.npz or .pt; {SHIPPED})"},
        "--policy": {"default": SHIPPED, "metavar": "FILE", "help": "the policy that plays (%(default)s)"},
    }
)


class Tool:
    """The command line of a tool with several commands: `python -m research.NAME COMMAND`."""

    def __init__(self, name: str, what: str | None) -> None:
        self._parser = argparse.ArgumentParser(prog=f"python -m research.{name}", description=what)
        self._commands = self._parser.add_subparsers(required=True, metavar="COMMAND")

    def add(self, run: Callable[[argparse.Namespace], None]) -> argparse.ArgumentParser:
        """Add the command of a function `run_NAME`, whose docstring says what it does."""
        name, what = run.__name__.removeprefix("run_"), str(run.__doc__)
        parser = self._commands.add_parser(name, help=f"{what[0].lower()}{what[1:]}".rstrip("."), description=what)
        parser.set_defaults(run=run)
        return parser

    def run(self, arguments: Sequence[str] | None) -> None:
        """Run the command that the arguments choose. A fault ends it with one line."""
        given = self._parser.parse_args(arguments)
        compile_all()
        try:
            given.run(given)
        except (UserError, OSError) as error:
            self._parser.error(str(error))


def add_numbers(parser: argparse.ArgumentParser, low: int, high: int, **options: tuple[int, str]) -> None:
    """Add options for whole numbers from `low` to `high`: of each its default and what it says."""
    for name, (default, said) in options.items():
        flag, said = f"--{name.replace('_', '-')}", f"{said} ({default:,})"
        parser.add_argument(flag, type=whole_number(low, high), default=default, metavar="N", help=said)
