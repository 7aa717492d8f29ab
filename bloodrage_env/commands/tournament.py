"""`bloodrage tournament`: agents against each other, with ratings. The work is done by the package `training`."""

import argparse
from typing import Any, Final

from .arguments import MAX_SEED, SEED, number, positive

MODES: Final = ("round-robin", "focus", "random")  # `training.records.Mode`


def run(args: argparse.Namespace) -> int:
    """Hand over to `training`, which comes with the repository, not with the environment alone."""
    from .opponents import repository_module

    return int(repository_module("training.cli").run(args))


def add_parser(commands: Any) -> None:
    """Add the command and its subcommands."""
    tournament = commands.add_parser("tournament", help="play agents against each other, and rate them")
    actions = tournament.add_subparsers(dest="action", required=True, metavar="ACTION")

    start = actions.add_parser("run", help="begin a tournament")
    start.add_argument("--agents", required=True, metavar="SPEC,SPEC...", help="such as random,balanced,ismcts:ms=50")
    start.add_argument("--mode", choices=MODES, default=MODES[0], help="who meets; focus: the first all others")
    start.add_argument("--seats", type=int, choices=(2, 3, 4), default=4, help="of each game (4)")
    start.add_argument("--first-game", action="store_true", help="no draft in Age 1: eight cards each")
    start.add_argument("--ask-forced", action="store_true", help="ask questions with one legal answer too")
    start.add_argument("--seed", type=number(0, MAX_SEED), metavar="N", help=SEED)
    limit = "a plug-in that takes longer forfeits the game (60)"
    start.add_argument("--seconds-a-decision", type=positive, default=60.0, metavar="S", help=limit)
    start.add_argument("--store", required=True, metavar="FILE", help="a file that is not there yet")
    _add_play(start)

    resume = actions.add_parser("resume", help="go on with a tournament that was stopped, or killed")
    _add_store(resume)
    _add_play(resume)

    report = actions.add_parser("report", help="show the ratings; write a page or tables")
    _add_store(report)
    report.add_argument("--html", metavar="FILE", help="write the report as a page")
    report.add_argument("--csv", metavar="FOLDER", help="write games and ratings as tables")
    _add_anchor(report)

    verify = actions.add_parser("verify", help="play every stored game again and compare")
    _add_store(verify)

    export = actions.add_parser("export", help="save one game as a replay")
    _add_store(export)
    export.add_argument("game", metavar="GAME", help="its id, or the beginning of it")
    export.add_argument("file", metavar="FILE", help="the replay to write (.brz)")


def _add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="STORE", help="the file of the tournament")


def _add_anchor(parser: argparse.ArgumentParser) -> None:
    anchor = "the agent with 0 Elo: it moves the scale, not the intervals (the best-connected one)"
    parser.add_argument("--anchor", metavar="SPEC", help=anchor)


def _add_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--deals", type=number(1, 10_000_000), metavar="N", help="stop after so many deals in all")
    parser.add_argument("--minutes", type=positive, metavar="M", help="stop after so many minutes")
    width = "stop when the interval of the leader's difference from the field is at most so many Elo wide"
    parser.add_argument("--until-width", type=positive, metavar="ELO", help=width)
    parser.add_argument("--workers", type=number(1, 1024), metavar="N", help="processes (one a core)")
    backend = "where they run: here, or on a Ray cluster (needs the extra ray)"
    parser.add_argument("--backend", choices=("local", "ray"), default="local", help=backend)
    parser.add_argument("--html", metavar="FILE", help="write the report as a page at the end")
    _add_anchor(parser)
