"""`bloodrage analyse FILE`: each decision of a stored game, evaluated by a network and its search."""

import argparse
import sys
from collections.abc import Iterator
from typing import Final

from bloodrage_agents.review import Reviewer

from .. import as_data, games
from ..arguments import OPTIONS, check_output, whole_number
from ..core.api.replay import Replay, ReplayError
from ..errors import INTERRUPTED, UserError
from ..language import transcript
from ..study import SIMULATIONS, Judged, Study
from ..terminal.progress import Progress
from ..terminal.text import save_replay
from .replay import save_page, studied

MOST: Final = 100_000  # simulations


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("file", metavar="FILE", help="a replay (.brz)")
    parser.add_argument(
        "--simulations", type=whole_number(1, MOST), default=SIMULATIONS, metavar="N",
        help=f"simulations of the search per decision ({SIMULATIONS})",
    )  # fmt: skip
    parser.add_argument(
        "--agent", default="network", metavar="SPEC", help="the network: network:path=FILE (the shipped one)"
    )
    OPTIONS.add(parser, "--html", "--json")
    OPTIONS.add(parser, "--save", help="save the game with the network's probabilities in it (.brz)")


def run(args: argparse.Namespace) -> int:
    """Analyse, print, and write the page."""
    check_output(args.html, args.file, args.save, str(transcript.beside(args.file)))
    check_output(args.save)
    talk = transcript.load(args.file) if args.html else ()
    known = studied(args.file)
    replay = load(args.file)
    reviewer = Reviewer(known.analyst(args.agent), replay, args.simulations)
    decisions: list[Judged] = []
    try:
        decisions.extend(watched(reviewer, len(replay)))
    except KeyboardInterrupt:
        done = f"interrupted after {len(decisions)} of {len(replay)} decisions; nothing was written"
        print(f"\nbloodrage analyse: {done}", file=sys.stderr)
        return INTERRUPTED
    study = Study(decisions, reviewer.result())
    print(as_data.text(decisions) if args.json else "\n".join(known.lines(replay, study)))
    if args.html:
        save_page(replay, args.html, study, talk)
    if args.save:
        thought = [None if judged.analysis is None else judged.analysis.probabilities for judged in decisions]
        save_replay(replay.with_probabilities(thought), args.save)
    return 0


def load(path: str) -> Replay:
    """Return a valid replay with at least one action. Raise UserError for another file, OSError if it cannot
    be read.
    """
    replay = games.replays(games.of_replay(path)).load(path)
    try:
        replay.verify()
    except ReplayError as error:
        raise UserError(f"{path}: {error}") from None
    if not len(replay):
        raise UserError(f"{path} has no action to analyse")
    return replay


def watched(reviewer: Reviewer, count: int) -> Iterator[Judged]:
    """Yield the decisions and shows progress on stderr."""
    progress = Progress(sys.stderr, count, things="decisions")
    for number, judged in enumerate(reviewer.decisions(), 1):
        yield judged
        progress.update(number)
    progress.end()
