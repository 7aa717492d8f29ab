"""`bloodrage bench`: figures of merit, each with its aim beside it, and those of other libraries in the same run."""

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterable

from ..arguments import add_game
from ..encoding import as_json
from . import agent_measures, measures, peers
from .measures import Figure


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """The options."""
    add_game(parser, game)
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    parser.add_argument("--peers", action="store_true", help="measure other libraries too, where installed")
    parser.add_argument("--cold", action="store_true", help="measure the first start too (compiles everything)")
    parser.add_argument("--agents", action="store_true", help="measure the agents instead: games and simulations")
    parser.add_argument("--quick", action="store_true", help="shorter runs, rougher figures")


def run(args: argparse.Namespace) -> int:
    """Measure and print; what is being measured is said on stderr."""
    effort = measures.QUICK if args.quick else measures.FULL
    if args.agents:
        figures = _measured(agent_measures.figures(args.game, effort))
    else:
        figures = _measured(measures.figures(args.game, effort, args.cold))
    others = _measured(peers.figures(effort)) if args.peers else []
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


def _measured(figures: Iterable[tuple[str, Callable[[], Figure]]]) -> list[Figure]:
    """Each figure, with a line of progress that is overwritten where stderr is a terminal."""
    done = []
    live = sys.stderr.isatty()
    begin, end = ("\r\x1b[K", "") if live else ("", "\n")
    for name, measure in figures:
        print(f"{begin}measuring {name} ...", end=end, file=sys.stderr, flush=True)
        done.append(measure())
    print(begin, end="", file=sys.stderr, flush=True)
    return done


def _table(figures: list[Figure]) -> list[str]:
    width = max(len(figure.name) for figure in figures)
    lines = []
    for figure in figures:
        value = figure.note if figure.value is None else f"{_number(figure.value)} {figure.unit}"
        aim = (
            "" if figure.aim is None else f"{'at least' if figure.more_is_better else 'at most'} {_number(figure.aim)}"
        )
        verdict = {None: "", True: "ok", False: "missed"}[figure.met]
        lines.append(f"{figure.name:{width}}  {value:>24}   {aim:20}{verdict}".rstrip())
    return lines


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _plain(figures: list[Figure]) -> list[dict[str, object]]:
    return [{**figure._asdict(), "met": figure.met} for figure in figures]


def _machine() -> dict[str, object]:
    import numba
    import numpy as np

    return {
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }
