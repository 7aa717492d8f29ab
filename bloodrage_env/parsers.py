"""A parser of the command line that adds its arguments when it parses."""

import argparse
from collections.abc import Callable
from typing import Any


class LateParser(argparse.ArgumentParser):
    """A parser whose arguments are added when it parses. A subcommand can load a game for them."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._late: list[Callable[[], None]] = []

    def when_used(self, add: Callable[[], None]) -> None:
        """Call `add` before parsing."""
        self._late.append(add)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Add the arguments and parse."""
        while self._late:
            self._late.pop(0)()
        return super().parse_known_args(args, namespace)
