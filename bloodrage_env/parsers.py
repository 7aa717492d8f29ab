"""Parsers of the command line: arguments that are added when they are needed, and help that ends with an example."""

import argparse
from collections.abc import Callable
from typing import Any


class LateParser(argparse.ArgumentParser):
    """A parser whose arguments are added when it parses. A subcommand can load a game for them.

    The help begins with the description. It ends with `example`, a command line, if one is given.
    """

    def __init__(self, *, example: str = "", **given: Any) -> None:
        super().__init__(**given)
        self.example = example
        self._late: list[Callable[[], None]] = []

    def format_help(self) -> str:
        """Return the description, the usage, the arguments and the example."""
        description, self.description = self.description, None
        try:
            text = super().format_help()
        finally:
            self.description = description
        parts = [f"{description}\n"] if description else []
        parts.append(text)
        if self.example:
            parts.append(f"example:\n  {self.example}\n")
        return "\n".join(parts)

    def when_used(self, add: Callable[[], None]) -> None:
        """Call `add` before parsing."""
        self._late.append(add)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Add the arguments and parse."""
        while self._late:
            self._late.pop(0)()
        return super().parse_known_args(args, namespace)


def add_command(actions: Any, name: str, what: str, example: str, **given: Any) -> LateParser:
    """Add the command `name` to `actions`, what `add_subparsers` returned, and return its parser.

    `what` says what the command does, in lower case and without a full stop; `example` is a command line that works.
    """
    parser = actions.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.", example=example, **given)
    assert isinstance(parser, LateParser)
    return parser
