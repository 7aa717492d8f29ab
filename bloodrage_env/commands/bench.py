"""`bloodrage bench`: measures speed and memory, with aims, and compares with other libraries in the same run."""

import argparse
import importlib
import os
import platform
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final

from ..arguments import OPTIONS, add_game
from ..encoding import as_json
from ..errors import MissingPackageError
from . import agent_measures, measures, peers
from .measures import Figure

THREADS: Final = (1, 2, 4, 8)


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """Add the options."""
    add_game(parser, game)
    OPTIONS.add(parser, "--json")
    parser.add_argument("--peers", action="store_true", help="also measure other libraries that are installed")
    parser.add_argument("--cold", action="store_true", help="also measure the first start (compiles everything)")
    instead = parser.add_mutually_exclusive_group()
    for option, said in (
        ("--agents", "measure the agents instead: games per minute, simulations per second"),
        ("--train", "measure the learner instead: decisions per second, and their parts"),
        ("--gpu", "measure batches of games on a GPU instead, of several sizes"),
    ):
        instead.add_argument(option, action="store_true", help=said)
    parser.add_argument("--quick", action="store_true", help="shorter runs, less exact figures")
    parser.add_argument(
        "--threads",
        type=_counts,
        default=THREADS,
        metavar="N,N",
        help=f"numbers of threads of a batch, at most the number of cores ({','.join(map(str, THREADS))})",
    )


def _counts(text: str) -> tuple[int, ...]:
    """Read integers from 1 on, separated by commas."""
    numbers = text.split(",")
    if not all(each.isdecimal() and int(each) for each in numbers):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers from 1 on, such as 1,2")
    return tuple(map(int, numbers))


def run(args: argparse.Namespace) -> int:
    """Measure and print. The current measurement is shown on stderr."""
    effort = measures.QUICK if args.quick else measures.FULL
    others: list[Figure] = []
    if args.train or args.gpu:
        figures = _measured(_training("gpu" if args.gpu else "train").figures(args.game, effort))
    elif args.agents:
        figures = _measured(agent_measures.figures(args.game, effort))
    else:
        threads = [each for each in args.threads if 1 < each <= _cores()]
        compared = effort._replace(yardstick=peers.yardstick()) if args.peers else effort
        figures = _measured(measures.figures(args.game, compared, args.cold, threads))
    if args.peers:
        others = _measured(peers.figures(effort))
    if args.json:
        print(
            as_json(
                {"game": args.game, "machine": _machine(), "figures": _plain(figures), "peers": _plain(others)},
                indent=2,
            )
        )
        return 0
    print("\n".join(_table(figures)))
    if others:
        print("\nOther libraries, in the same run: decisions/s with mask and observation, called from Python")
        print("\n".join(_table(others)))
    return 0


def _training(option: str) -> Any:
    """Return the measurements of the learner, or of a GPU. Raise UserError without PyTorch or numba-cuda."""
    modules = {"train": "bloodrage_training.learn.measures", "gpu": "bloodrage_training.learn.gpu_measures"}
    try:
        return importlib.import_module(modules[option])
    except ModuleNotFoundError as error:
        extra = "gpu" if str(error.name).startswith("numba") else "train"
        raise MissingPackageError(f"--{option}", error.name, extra) from error


def _measured(figures: Iterable[tuple[str, Callable[[], Figure]]]) -> list[Figure]:
    """Yield each figure. In a terminal, stderr shows a line of progress."""
    done = []
    live = sys.stderr.isatty()
    begin, end = ("\r\x1b[K", "") if live else ("", "\n")
    for name, measure in figures:
        print(f"{begin}measuring {name} ...", end=end, file=sys.stderr, flush=True)
        done.append(measure())
    print(begin, end="", file=sys.stderr, flush=True)
    return done


def _table(figures: list[Figure]) -> list[str]:
    """Return lines of equal columns without empty columns; figures with ratios come first."""
    rows = [_row(figure) for figure in figures]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, *cells in rows:
        aligned = [f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True) if width]
        lines.append("   ".join([f"{name:{widths[0]}}", *aligned]).rstrip())
    return lines


def _row(figure: Figure) -> tuple[str, ...]:
    value = figure.note if figure.value is None else f"{_number(figure.value)} {figure.unit}"
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f} x {figure.against}"
    spread = "" if figure.spread is None else " to ".join(map(_number, figure.spread))
    memory = "" if figure.bytes is None else f"{_number(figure.bytes)} bytes each"
    verdict = {None: "", True: "ok", False: "missed"}[figure.met]
    aim = f"{'at least' if figure.more_is_better else 'at most'} {_number(figure.aim or 0)}" if verdict else ""
    return figure.name, ratio, value, spread, memory, aim, verdict


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _plain(figures: list[Figure]) -> list[dict[str, object]]:
    return [{**figure._asdict(), "met": figure.met} for figure in figures]


def _cores() -> int:
    """Return the cores that this process can use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _machine() -> dict[str, object]:
    import numba
    import numpy as np

    return {
        "processor": platform.processor() or platform.machine(),
        "cores": _cores(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }
