"""`bloodrage replay FILE`: a saved game printed, checked, shown, or made into a page."""

import argparse
import sys

from .. import files
from ..arguments import add_colour, add_html, seat_number, whole_number
from ..errors import UserError
from ..notation import CLANS, events, opening_events
from ..render.ansi import board_text
from ..replay import Replay, ReplayError
from ..study import Study
from ..terminal.text import check_save, result_table, tell, wants_colour


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("file", metavar="FILE", help="a replay (.brz)")
    parser.add_argument("--to", type=whole_number(0, 10**6), metavar="K", help="stop after K actions")
    parser.add_argument("--verify", action="store_true", help="only check that it replays to the stored result")
    parser.add_argument("--board", action="store_true", help="only show the board where it stops")
    parser.add_argument("--seat", type=seat_number, metavar="SEAT", help="print only what this seat may see")
    add_html(parser)
    parser.add_argument(
        "--explain", metavar="SPEC", help="with --html: show what this network thinks: network, or network:path=FILE"
    )
    add_colour(parser)


def run(args: argparse.Namespace) -> int:
    """Load and show."""
    check_save(args.html)
    if args.explain and not args.html:
        raise UserError("--explain is for a page: give --html FILE too")
    replay = Replay.load(args.file)
    try:
        end = replay.verify()
    except ReplayError as error:
        raise UserError(f"{args.file}: {error}") from None
    if args.seat is not None and args.seat >= replay.options.num_players:
        raise UserError(f"{CLANS[args.seat]} is not in {args.file}: it has {replay.options.num_players} players")
    stop = len(replay) if args.to is None else args.to
    if stop > len(replay):
        raise UserError(f"{args.file} has {len(replay)} actions, not {stop}")
    if args.verify:
        print(_summary(replay, args.file, bool(end[0].over)))
        return 0
    if args.html:
        save_page(replay, args.html, explained(replay, args.explain) if args.explain else None)
        return 0
    colour = wants_colour(args.colour)
    if args.board:
        print(board_text(replay.at(stop), 0, args.seat, colour))
        return 0
    walk = replay.states()
    states = next(walk)
    tell(opening_events(states, args.seat), colour)
    for action, after in zip(replay.actions[:stop], walk, strict=False):
        tell(events(states, action, args.seat), colour)
        states = after
    print(f"\n{result_table(states, colour)}")
    return 0


def explained(replay: Replay, spec: str) -> Study:
    """What a network thinks of each decision, without a search."""
    from bloodrage_agents.analysis import Analyst
    from bloodrage_agents.review import Reviewer

    reviewer = Reviewer(Analyst.of(spec), replay, 0)
    return Study(list(reviewer.decisions()), reviewer.result())


def save_page(replay: Replay, path: str, study: Study | None = None) -> None:
    """Write the page of a replay and say so on stderr."""
    from ..render.replay_page import replay_page

    text = replay_page(replay, f"Blood Rage, seed {replay.seed}", replay.players or None, study=study)
    files.write(path, text.encode())
    print(f"wrote {path}: a page for the browser, {len(text.encode()) // 1024} KB", file=sys.stderr)


def _summary(replay: Replay, name: str, over: bool) -> str:
    return (
        f"{name}: {replay.options}, seed {replay.seed}, {len(replay)} actions, "
        f"rules version {replay.game.rules_version}: plays {'to the end' if over else 'so far, the game is not over'}"
    )
