"""`bloodrage replay FILE`: prints, checks or shows a saved game, or writes it as a page."""

import argparse
import sys
from collections.abc import Sequence

from bloodrage_agents import parts

from .. import files, games
from ..arguments import OPTIONS, add_colour, check_output, seat_of, whole_number
from ..core.api.replay import Replay, ReplayError
from ..errors import UserError
from ..language import transcript
from ..render.plain import replay_page_of
from ..render.talk import with_talk
from ..study import Studied, Study
from ..terminal.text import print_events, result, wants_colour


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("file", metavar="FILE", help="a replay (.brz, .bsk)")
    parser.add_argument(
        "--game", choices=games.all_names(), help="refuse a replay of another game (default: accept any)"
    )
    parser.add_argument("--to", type=whole_number(0, 10**6), metavar="K", help="stop after K actions")
    parser.add_argument("--verify", action="store_true", help="only check that the replay ends with the stored result")
    parser.add_argument(
        "--board", action="store_true", help="only print the board after the last action, or after K actions"
    )
    parser.add_argument("--seat", metavar="SEAT", help="print only what this seat can see")
    OPTIONS.add(parser, "--html")
    parser.add_argument(
        "--explain",
        metavar="SPEC",
        help="with --html: show the probabilities of this network: network, or network:path=FILE",
    )
    add_colour(parser)


def run(args: argparse.Namespace) -> int:
    """Load and show the game."""
    _refuse_ignored(args)
    check_output(args.html, args.file, str(transcript.beside(args.file)))
    name = games.of_replay(args.file)
    shown = games.presentation(name)
    if args.game not in (None, name):
        raise UserError(f"{args.file} is a game of {games.spec(name).title}, not of {games.spec(args.game).title}")
    if args.explain and not games.spec(name).has("study"):
        raise UserError(f"{games.spec(name).title} has no network to --explain; 'bloodrage analyse' uses its rules")
    replay = games.replays(name).load(args.file)
    try:
        end = replay.verify()
    except ReplayError as error:
        raise UserError(f"{args.file}: {error}") from None
    seat = _seat(args, name, replay)
    stop = len(replay) if args.to is None else args.to
    if stop > len(replay):
        raise UserError(f"{args.file} has {len(replay)} actions, not {stop}")
    if args.verify:
        print(_summary(replay, args.file, bool(end[0].over)))
        return 0
    if args.html:
        talk = transcript.load(args.file)
        study = explained(replay, args.explain) if args.explain else None
        save_page(replay, args.html, study, talk)
        return 0
    colour = wants_colour(args.colour)
    if args.board:
        print(shown.board_text(replay.at(stop), 0, seat, colour))
        return 0
    walk = replay.states()
    states = next(walk)
    print_events(shown.opening_events(states, seat), shown, colour)
    for action, after in zip(replay.actions[:stop], walk, strict=False):
        print_events(shown.events(states, action, seat), shown, colour)
        states = after
    print(f"\n{result(states, shown, colour)}")
    return 0


def _refuse_ignored(args: argparse.Namespace) -> None:
    """Raise UserError for options that would have no effect. A page has all hands and all actions."""
    if args.explain and not args.html:
        raise UserError("--explain is for a page: give --html FILE too")
    used = "--verify" if args.verify else "--html" if args.html else None
    given = {"--html": args.html, "--to": args.to is not None, "--board": args.board, "--seat": args.seat}
    for option in (each for each in given if used not in (None, each) and given[each]):
        raise UserError(f"{used} is of the whole game, without {option}: leave out one of them")


def _seat(args: argparse.Namespace, name: str, replay: Replay) -> int | None:
    """Return the seat that `--seat` names. The names depend on the game of the file."""
    if args.seat is None:
        return None
    try:
        seat = seat_of(name)(args.seat)
    except argparse.ArgumentTypeError as error:
        raise UserError(f"--seat: {error}") from None
    if seat >= replay.options.num_players:
        seats = games.presentation(name).seats
        raise UserError(f"{seats[seat]} is not in {args.file}: it has {replay.options.num_players} players")
    return seat


def studied(path: str) -> Studied:
    """Return the `Studied` of the game of a replay. Raise UserError without an analyst, OSError if it cannot
    be read.
    """
    try:
        return parts.study(games.of_replay(path))
    except UserError as error:
        raise UserError(f"{path} can't be studied: {error}") from None


def explained(replay: Replay, spec: str) -> Study:
    """Return a network's evaluation of each decision, without a search."""
    from bloodrage_agents.review import Reviewer

    reviewer = Reviewer(parts.study(replay.game.name).analyst(spec), replay, 0)
    return Study(list(reviewer.decisions()), reviewer.result())


def save_page(replay: Replay, path: str, study: Study | None = None, talk: Sequence[transcript.Line] = ()) -> None:
    """Write the page of a replay, with a transcript if there is one, and print its path on stderr."""
    name = replay.game.name
    title = f"{games.spec(name).title}, seed {replay.seed}"
    players = replay.players or None
    if study is None:
        text = replay_page_of(name)(replay, title, players)
    else:
        text = parts.study(name).replay_page(replay, title, players, study)
    text = with_talk(text, talk, games.presentation(name).seats)
    content = text.encode(errors="replace")  # a transcript may have half a surrogate pair, which UTF-8 lacks
    files.write(path, content)
    print(f"wrote {path}: a page for the browser, {len(content) // 1024} KB", file=sys.stderr)


def save_talk(talk: Sequence[transcript.Line], path: str) -> None:
    """Write the transcript of a game beside its replay, if there is one, and print its path on stderr."""
    written = transcript.save(talk, path)
    if written is not None:
        print(f"saved {written}: {len(talk)} decisions of language models", file=sys.stderr)


def _summary(replay: Replay, name: str, over: bool) -> str:
    return (
        f"{name}: {replay.options}, seed {replay.seed}, {len(replay)} actions, "
        f"rules version {replay.game.rules_version}: plays {'to the end' if over else 'so far, the game is not over'}"
    )
