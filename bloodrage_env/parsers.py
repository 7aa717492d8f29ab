"""A parser of the command line whose arguments are added when they are needed."""

import argparse
from collections.abc import Callable
from typing import Any


class LateParser(argparse.ArgumentParser):
    """A parser with arguments that are added once it parses: those of a subcommand, which may load a game."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._late: list[Callable[[], None]] = []

    def when_used(self, add: Callable[[], None]) -> None:
        """Call `add` before it parses."""
        self._late.append(add)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, with all arguments."""
        while self._late:
            self._late.pop(0)()
        return super().parse_known_args(args, namespace)
