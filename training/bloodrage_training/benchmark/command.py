"""`bloodrage benchmark`: measures an agent by a fixed protocol, verifies result files, and prints rows of tables."""

import argparse
import os
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bloodrage_agents import registry
from bloodrage_env import files, games
from bloodrage_env.arguments import add_game, check_output, whole_number
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import INTERRUPTED, UserError

from ..options import OPTIONS, WORKERS
from ..report.columns import aligned
from ..tournament import run as tournament
from ..tournament.codec import now
from ..tournament.trust import plug_ins, trusted
from ..workers import BACKENDS, make_pool
from . import language, language_page, rows
from .language_results import content, lines, results
from .play import check, in_folder, localized, play
from .protocols import TRACKS, Protocol, chosen, tracks
from .record import MAX_TEXT, Record, digest_of, read, write
from .verify import said_of, verify

FILE: Final = "benchmark.json"
TRIAL_FILE: Final = "trial.json"
MEASURES: Final = ("track", "games", "name", "stated", "out")  # options for an agent that is measured


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """Add the options."""
    add_game(parser, game)
    said = f"the agent to measure, such as network:path=FILE.npz; several with --track {language.TRACK}"
    parser.add_argument("agents", metavar="AGENT", nargs="*", help=said)
    known = ", ".join(tracks(game))
    said = f"tracks, of {known} (all except {TRACKS[-1]}, which trains a best response), or {language.TRACK} alone"
    parser.add_argument("--track", metavar="TRACK[,TRACK...]", help=said)
    said = f"with --track {language.TRACK}: measure each language model once more with this argument"
    parser.add_argument("--vary", action="append", type=_change, default=[], metavar="ARGUMENT=VALUE", help=said)
    OPTIONS.add(parser, "--html", help=f"with --track {language.TRACK}: write the results as a page")
    OPTIONS.add(parser, "--json", help=f"with --track {language.TRACK}: print the results as JSON")
    OPTIONS.add(parser, "--games", help="about N games of each track, as a trial: the results can't be compared")
    parser.add_argument("--name", type=_line, metavar="TEXT", help="the name of the agent in tables (AGENT)")
    said = "decisions, time and hardware of the training, for tables; it is not verified"
    parser.add_argument("--stated", type=_line, default="", metavar="TEXT", help=said)
    OPTIONS.add(parser, "--trust", *WORKERS)
    OPTIONS.add(parser, "--out", help="folder of the run; an existing run is resumed (runs/benchmark/AGENT)")
    said = "play the games of result files again and compare them"
    parser.add_argument("--verify", nargs="+", metavar="FILE", help=said)
    said = "with --verify: play N random deals of each track only"
    parser.add_argument("--sample", type=whole_number(1, 10**6), metavar="N", help=said)
    said = f"print result files as rows of a table: {' or '.join(rows.FORMS)}, and the files"
    parser.add_argument("--row", nargs="+", metavar=("FORM", "FILE"), help=said)


def run(args: argparse.Namespace) -> int:
    """Carry out the command. Return the exit status."""
    if bool(args.agents) + (args.verify is not None) + (args.row is not None) != 1:
        raise UserError("name an agent to measure, or give --verify FILE, or --row FORM FILE")
    if args.track != language.TRACK or not args.agents:
        _check_track(args)
    ignored = ["sample"] if args.agents else [*MEASURES, *(["trust", "sample"] if args.row else [])]
    for option in ignored:
        if getattr(args, option):
            raise UserError(f"--{option} has no effect here; leave it out")
    if args.row is not None:
        return _rows(*args.row)
    try:
        if args.verify is not None:
            return _verify(args)
        return _language(args) if args.track == language.TRACK else _measure(args)
    except KeyboardInterrupt:
        kept = "" if args.verify else "; what was played is stored: the same command resumes it"
        print(f"\nstopped{kept}", file=sys.stderr)
        return INTERRUPTED


def _check_track(args: argparse.Namespace) -> None:
    """Raise UserError for what only the language track can do."""
    if len(args.agents) > 1:
        raise UserError(f"only --track {language.TRACK} measures several agents; name one")
    for name, given in (("--vary", args.vary), ("--html", args.html), ("--json", args.json)):
        if given:
            raise UserError(f"{name} is for --track {language.TRACK}")


def _measure(args: argparse.Namespace) -> int:
    game = str(args.game)
    wanted = chosen(game, args.track)
    spec = registry.canonical(args.agents[0], game)
    _check_trust(args, spec, game)
    name = args.name or spec
    folder = folder_of(args, name)
    folder.mkdir(parents=True, exist_ok=True)
    agent, policy = localized(spec, game, folder)
    digest = digest_of(agent, game, policy)
    deals = [_deals(each, agent, args.games) for each in wanted]
    file = folder / (FILE if deals == [each.deals for each in wanted] else TRIAL_FILE)
    _check_result(file, [each.track for each in wanted])
    with in_folder(folder, agent, game):
        for each, count in zip(wanted, deals, strict=True):
            check(each, agent, count, folder)
        found = [
            play(each, agent, count, folder, lambda: make_pool(args.backend, args.workers))
            for each, count in zip(wanted, deals, strict=True)
        ]
    record = Record(
        game, agent, name, digest, args.stated, now(), tournament.versions(game), policy, tuple(found)
    )  # fmt: skip
    write(record, file)
    print("\n".join(aligned(rows.table([record]))))
    print(f"wrote {os.path.relpath(file)}")
    return 0


def _check_result(file: Path, wanted: Sequence[str]) -> None:
    """Raise UserError if a result can't be written, or has a track that the new one would lack."""
    check_output(str(file))
    lost = (
        [each for each in (track.protocol.track for track in read(file).tracks) if each not in wanted]
        if file.exists()
        else []
    )
    if lost:
        raise UserError(
            f"{os.path.relpath(file)} has the track {lost[0]} too; add it to --track, or name another --out"
        )


def _language(args: argparse.Namespace) -> int:
    """The track for agents whose games can't be played again, such as language models."""
    if args.backend != BACKENDS[0]:
        raise UserError(f"--backend {args.backend} has no effect on the track {language.TRACK}; leave it out")
    if args.name and len(args.agents) > 1:
        raise UserError("--name names one agent; leave it out")
    make: language.MakeTrack = games.spec(args.game).load("language_track")
    entrants = language.entrants([registry.canonical(each, args.game) for each in args.agents], args.vary, args.game)
    for each in entrants:
        _check_trust(args, each.spec, args.game)
    track = make(args.games, language.PART if args.games else 1)
    folder = folder_of(args, language.TRACK if len(args.agents) > 1 else args.name or entrants[0].spec)
    own = [folder / name for name in (language.ANSWERS_FILE, language.FILE, language.TRIAL_FILE)]
    check_output(args.html, *map(str, own), made=folder)
    for file in own[1:]:
        check_output(str(file), made=folder)
    workers = args.workers or os.cpu_count() or 1
    answers = language.ask_all(track, entrants, own[0], workers, sys.stderr)
    found = results(track, entrants, answers)
    text = as_json(content(found, args.stated, args.name), indent=1)
    file = own[1] if found.comparable else own[2]
    files.write(file, f"{text}\n".encode())
    print(text if args.json else "\n".join(lines(found)))
    written = [file]
    if args.html is not None:
        language_page.write_page(found, args.html)
        written.append(Path(args.html))
    for path in written:
        print(f"wrote {os.path.relpath(path)}", file=sys.stderr if args.json else sys.stdout)
    failed = [each for each in found.standings if each.failure]
    for one in failed:
        print(f"{one.agent}: {one.missing} items have no answer: {one.failure}; the same command asks again",
              file=sys.stderr)  # fmt: skip
    return 1 if failed else 0


def folder_of(args: argparse.Namespace, name: str) -> Path:
    """Return the folder of a run."""
    return Path(args.out or f"runs/benchmark/{re.sub(r'[^A-Za-z0-9=.]+', '-', name).strip('-.')}").absolute()


def _deals(wanted: Protocol, agent: str, count: int | None) -> int:
    """Return the number of deals: that of the protocol, or one for about `count` games."""
    if count is None:
        return wanted.deals
    return min(wanted.deals, -(-count // (wanted.options.num_players * len(wanted.others(agent)))))


def _verify(args: argparse.Namespace) -> int:
    status = 0
    records = [(file, read(Path(file))) for file in args.verify]
    for file, record in records:
        _check_trust(args, record.agent, record.game)
        if record.policy is None:
            registry.check_granted([record.agent], args.trust, record.game, file, "--trust")
        found = verify(record, lambda: make_pool(args.backend, args.workers), args.sample, random.SystemRandom())
        print(f"{file}: {found or said_of(record, args.sample)}")
        status |= found is not None
    return status


def _rows(form: str, *names: str) -> int:
    if form not in rows.FORMS or not names:
        raise UserError(f"--row needs {' or '.join(rows.FORMS)}, and one file or more")
    print("\n".join(rows.rows_as(form, [read(Path(name)) for name in names])))
    return 0


def _check_trust(args: argparse.Namespace, agent: str, game: str) -> None:
    """Raise UserError for a plug-in that is not trusted: all its deals are public."""
    strangers = {*plug_ins([agent], game)} - {*trusted(args.trust, [agent], game)}
    if strangers:
        raise UserError(
            f"the deals of a benchmark are public, and {agent} could know them; if you trust it, add --trust"
        )


def _change(text: str) -> str:
    name, _, value = text.partition("=")
    if not name.isidentifier() or not value or "," in value or not value.isprintable():
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not one argument, which is written NAME=VALUE")
    return text


def _line(text: str) -> str:
    if not text.isprintable() or len(text) > MAX_TEXT:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a line of at most {MAX_TEXT} characters")
    return text
