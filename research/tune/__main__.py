"""Tunes the constants of a search or the weights of a style by play."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
from msgspec import Meta

from bloodrage_agents.games.bloodrage.compiled.weights import STYLES
from bloodrage_env.arguments import whole_number
from bloodrage_env.core.engine.chance import MAX_SEED
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, MIN_SEATS
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.schema import decoded

from ..command_line import add_numbers
from .search import STEPS, Search
from .spsa import Reals, Subject, iterate
from .style import Style

Value = Annotated[float, Meta(ge=-1e9, le=1e9)]  # in a log
WITHOUT_SETS = range(MIN_SEATS, MAX_SEATS)  # numbers of players


def subject_of(given: argparse.Namespace) -> Subject:
    """Return the subject to tune. Raise UserError for a spec that cannot be tuned."""
    held = dict(given.hold)
    if given.agent in STYLES:
        return Style(given.agent, given.names, held, given.pairs or 40, given.deals or 12)
    return Search(given.agent, given.names, held, given.pairs or 1, given.deals or 1, max(given.seats))


def begun(subject: Subject, log: Path) -> tuple[int, Reals]:
    """Return the number of iterations in a log, and the values after them. Raise UserError for a damaged log, or one
    of other numbers.
    """
    numbers = subject.numbers
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    if not lines:
        return 0, numbers.values
    try:
        last = decoded(lines[-1], dict[str, Value])
    except UserError as error:
        raise UserError(f"{log}: its last line: {error}; name another file with --log") from None
    if last.keys() != {*numbers.names}:
        raise UserError(f"{log}: its last line is not of {', '.join(numbers.names)}; name another file with --log")
    return len(lines), np.array([last[name] for name in numbers.names], np.float64)


def run(given: argparse.Namespace) -> None:
    """Play the iterations that are not in the log, and print the result."""
    subject = subject_of(given)
    if not subject.numbers.names:
        raise UserError(f"nothing is left of {given.agent} to tune")
    done, values = begun(subject, given.log)
    start = time.monotonic()
    for k in range(done, given.iterations):
        values = iterate(subject, values, k, given.iterations, given.seats[k % len(given.seats)], given.seed)
        with given.log.open("a", encoding="utf-8") as log:
            log.write(as_json(dict(zip(subject.numbers.names, values.tolist(), strict=True))) + "\n")
        left = (time.monotonic() - start) / (k + 1 - done) * (given.iterations - k - 1)
        print(f"iteration {k + 1} of {given.iterations}, {left / 60:.1f} minutes to go", file=sys.stderr, flush=True)
    print(subject.as_text(values))


def held_number(text: str) -> tuple[str, float]:
    """Return `HUNT=1.0` as a name and a value. Raise ArgumentTypeError for another text."""
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not written as NAME=number") from None


def main(arguments: Sequence[str] | None = None) -> None:
    """Tune the constants of an ismcts, which plays against itself, or the numbers of a style, which plays others.

    With the same arguments, the run continues where its log ends. It prints the result: a spec, or a column of
    styles.csv.
    """
    parser = argparse.ArgumentParser(prog="python -m research.tune", description=main.__doc__)
    parser.add_argument("agent", metavar="AGENT", help=f"a spec of ismcts, or a style: {', '.join(STYLES)}")
    names = f"what to tune (all): {', '.join(STEPS)}; of a style weights and cards"
    parser.add_argument("names", nargs="*", metavar="NAME", help=names)
    held = "values that are fixed, not tuned"
    parser.add_argument("--hold", type=held_number, nargs="*", default=[], metavar="NAME=VALUE", help=held)
    number = whole_number(1, 10**6)
    add_numbers(parser, 1, 10**6, iterations=(200, "number of iterations"))
    parser.add_argument("--pairs", type=number, metavar="N", help="changes in an iteration (1; for a style 40)")
    parser.add_argument(
        "--deals", type=number, metavar="N", help="deals for each change, played both ways (1; for a style 12)"
    )
    seats = "numbers of players; iterations take them in turn (2 3 4)"
    flags, every = Options.facts()["num_players"].flags, [*WITHOUT_SETS]
    parser.add_argument(*flags, dest="seats", type=int, choices=every, nargs="+", default=every, help=seats)
    add_numbers(parser, 0, MAX_SEED, seed=(1, "seed of all random numbers"))
    parser.add_argument("--log", type=Path, required=True, metavar="FILE", help="a line of JSON for each iteration")
    given = parser.parse_args(arguments)
    try:
        run(given)
    except (UserError, OSError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
