"""The end of the command lines of the tools in this folder that have several commands."""

import argparse
from collections.abc import Sequence

from bloodrage_env.core.compile.decorators import compile_all
from bloodrage_env.errors import UserError


def run_chosen(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> None:
    """Run the command that the arguments choose, the default `run` of its parser. A fault ends it with one line."""
    given = parser.parse_args(arguments)
    compile_all()
    try:
        given.run(given)
    except (UserError, OSError) as error:
        parser.error(str(error))
