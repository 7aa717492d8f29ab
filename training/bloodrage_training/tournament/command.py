"""`bloodrage tournament ...`: begin, resume, report, verify, export and compare."""

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from bloodrage_agents import registry
from bloodrage_env import as_data, games
from bloodrage_env.arguments import add_game, check_output, positive_number
from bloodrage_env.errors import INTERRUPTED, UserError
from bloodrage_env.language import transcript
from bloodrage_env.parsers import add_command
from bloodrage_env.terminal.progress import Progress
from bloodrage_env.text import counted

from ..options import OPTIONS, WORKERS
from ..tasks import Pool
from ..workers import make_pool
from . import run as tournament
from .compare import EMPTY, comparison, comparison_rows
from .counted import Forfeits, games_of_results
from .export import FORMATS, format_of, write_games
from .plan import ALONE, total_units
from .ratings import Ratings, rate
from .records import MODES, Plan
from .store import Store
from .table import rating_rows, table
from .trust import plug_ins, trusted
from .verify import faults

_PROG: Final = "bloodrage tournament"
_EXAMPLE: Final = "runs/first.sqlite"  # a store, in examples
_STORE: Final[dict[str, Any]] = {"metavar": "STORE", "help": "the store of the tournament"}
_SHOWN: Final = 10  # faults, or units given up, that are named


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """Add the subcommands and their options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    start = add_command(
        actions,
        "run",
        "start a tournament",
        f"{_PROG} run --agents random,balanced --deals 10 --store {_EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    start.when_used(lambda: _add_run(start, game))

    resume = add_command(actions, "resume", "resume a tournament that was interrupted", f"{_PROG} resume {_EXAMPLE}")
    resume.add_argument("store", **_STORE)
    allow = (
        "an agent of the store that runs code, or uses a file or the network; can be repeated. Without it the store "
        "may name only agents that do neither"
    )
    resume.add_argument("--allow", action="append", default=[], metavar="SPEC", help=allow)
    _add_play(resume)

    report = add_command(
        actions, "report", "print the ratings; write a page or tables", f"{_PROG} report {_EXAMPLE} --html report.html"
    )
    report.add_argument("store", **_STORE)
    report.add_argument("--csv", metavar="FOLDER", help="write games and ratings as tables")
    OPTIONS.add(report, "--html", "--json", "--anchor")

    verify = add_command(
        actions, "verify", "replay every stored game and compare the results", f"{_PROG} verify {_EXAMPLE}"
    )
    verify.add_argument("store", **_STORE)

    export = add_command(
        actions, "export", "write all games as a table, or one game as a replay", f"{_PROG} export {_EXAMPLE} games.csv"
    )
    export.add_argument("store", **_STORE)
    export.add_argument("game", nargs="?", metavar="GAME", help="id of one game, or its beginning (all games)")
    export.add_argument("file", metavar="FILE", help="the table (.csv, .json, .parquet), or the replay (.brz, .bsk)")
    export.add_argument("--format", choices=FORMATS, help="of the table (that of the ending)")

    compare = add_command(
        actions,
        "compare",
        "show what changed between two stores, with intervals",
        f"{_PROG} compare runs/before.sqlite runs/after.sqlite",
    )
    for name in ("before", "after"):
        compare.add_argument(name, metavar=name.upper(), help="a store")
    OPTIONS.add(compare, "--json")


def _add_run(start: argparse.ArgumentParser, game: str) -> None:
    """Add the options of `run` for a game. Other subcommands read the game from the store."""
    start.epilog = f"agents and their arguments:\n{registry.help_text(game)}"
    OPTIONS.add(start, "--agents", required=True)
    start.add_argument(
        "--mode",
        choices=MODES,
        default=MODES[0],
        help="which line-ups play (round-robin); focus: the first agent against each other agent",
    )
    add_game(start, game)
    games.game(game).options.add_arguments(start)
    OPTIONS.add(start, "--seed", "--seconds-a-decision", "--trust")
    OPTIONS.add(start, "--store", required=True, metavar="FILE", help="the file to create")
    _add_play(start)


def _add_play(parser: argparse.ArgumentParser) -> None:
    OPTIONS.add(parser, "--deals", help="stop after N deals in total")
    parser.add_argument("--minutes", type=positive_number, metavar="M", help="stop after M minutes")
    width = "stop when the interval of the leader's difference from the field is at most ELO wide"
    parser.add_argument("--until-width", type=positive_number, metavar="ELO", help=width)
    OPTIONS.add(parser, *WORKERS, "--html", "--json", "--anchor")


def run(args: argparse.Namespace) -> int:
    """Carry out a subcommand. Return the exit status."""
    return _ACTIONS[args.action](args)


def _run(args: argparse.Namespace) -> int:
    if args.deals is None and args.minutes is None and args.until_width is None:
        raise UserError("say when to stop: --deals, --minutes or --until-width")
    agents = registry.split(args.agents)
    _check_anchor(args.anchor, [registry.canonical(spec, args.game) for spec in agents], args.game)
    more = {"deals": args.deals, "until_width": args.until_width, "trusted": trusted(args.trust, agents, args.game)}
    options = games.game(args.game).options.from_arguments(args)
    wanted = Plan((), (), args.mode, options, args.seed, args.seconds_a_decision, **more)  # the agents are filled in
    if options.num_players == 1:
        raise UserError(ALONE)
    plan = tournament.make_plan(agents, wanted)
    sources = [str(registry.source_of(spec, args.game)) for spec in plug_ins(plan.agents, args.game)]
    check_output(args.html, args.store, *sources, made=Path(args.store).parent)
    Path(args.store).parent.mkdir(parents=True, exist_ok=True)
    with Store.create(args.store, plan) as store:
        return _play(args, store, plan)


def _resume(args: argparse.Namespace) -> int:
    with Store.open(args.store, write=True) as store:
        plan = store.plan()
        registry.check_granted(plan.agents, args.allow, plan.options.game, args.store)
        check_output(args.html, args.store)
        _check_anchor(args.anchor, plan.agents, plan.options.game)
        tournament.check_agents(plan)
        changed = replace(plan, deals=args.deals or plan.deals, until_width=args.until_width or plan.until_width)
        if changed.deals is None and changed.until_width is None and args.minutes is None:
            raise UserError(f"{args.store} has no number of deals; say when to stop: --deals, --minutes, --until-width")
        if changed != plan:
            store.change_stop(changed)
        return _play(args, store, changed)


def _play(args: argparse.Namespace, store: Store, plan: Plan) -> int:
    """Play and print the ratings. After Ctrl-C, the store can be resumed."""
    for line in tournament.guard(plan):
        print(line, file=sys.stderr)
    store.join(tournament.versions(plan.options.game))
    total = None if plan.deals is None else total_units(plan) * plan.options.num_players
    progress = Progress(sys.stderr, total, store.recorded(), args.minutes and 60 * args.minutes)
    pool: Pool | None = None
    try:
        pool = make_pool(args.backend, args.workers)
        outcome = tournament.run(store, plan, pool, progress, args.minutes)
    except KeyboardInterrupt:
        games = store.recorded()
        print(f"\nstopped; {games} games are stored. To go on: {_resume_command(args, plan)}", file=sys.stderr)
        return INTERRUPTED
    except UserError as error:
        raise UserError(f"{error}. To go on: {_resume_command(args, plan)}") from None
    finally:
        if pool is not None:
            pool.close()
    print(f"{outcome.reason}\n", file=sys.stderr if args.json else sys.stdout)
    _show(args, store, plan)
    if not outcome.complete:
        print(f"to play on: {_resume_command(args, plan)}", file=sys.stderr if args.json else sys.stdout)
    return 1 if store.failures() else 0


def _report(args: argparse.Namespace) -> int:
    with Store.open(args.store) as store:
        plan = store.plan()
        if plan.options.num_players == 1:
            raise UserError(f"{args.store} has games of a single player, which only 'bloodrage benchmark' reports")
        _check_anchor(args.anchor, plan.agents, plan.options.game)
        check_output(args.html, args.store)
        if args.csv is not None and os.path.exists(args.csv) and not os.path.isdir(args.csv):
            raise UserError(f"{args.csv} is not a folder; name a folder for the tables")
        _show(args, store, plan)
    return 0


def _verify(args: argparse.Namespace) -> int:
    with Store.open(args.store) as store:
        if not store.recorded():
            raise UserError(f"{args.store}: {EMPTY}, so that there is nothing to verify")
        progress = Progress(sys.stderr, store.recorded())
        found = faults(store, progress.update)
        progress.end()
    for fault in found[:_SHOWN]:
        print(fault)
    if len(found) > _SHOWN:
        print(f"... and {len(found) - _SHOWN} more")
    print(f"{args.store}: {len(found)} faults" if found else f"{args.store}: every game plays as stored")
    return 1 if found else 0


def _export(args: argparse.Namespace) -> int:
    check_output(args.file, args.store)
    if args.game is None:
        return _export_table(args)
    if args.format is not None:
        raise UserError("--format is for the table of all games; leave out the id of a game, or --format")
    with Store.open(args.store) as store:
        game = store.game(args.game)
    replay = games.replays(game.options.game)
    replay(game.seed, game.options, game.actions, game.scores, tuple(game.line_up)).save(args.file)
    transcript.save((), args.file)  # removes that of an earlier game
    print(f"wrote {args.file}: {', '.join(game.line_up)} ('bloodrage replay' prints it)")
    return 0


def _export_table(args: argparse.Namespace) -> int:
    kind = format_of(args.file, args.format)
    with Store.open(args.store) as store:
        print(f"wrote {write_games(store, args.file, kind, sys.stderr)} rows: {args.file}")
    return 0


def _compare(args: argparse.Namespace) -> int:
    with Store.open(args.before) as before, Store.open(args.after) as after:
        if args.json:
            print(as_data.text(comparison_rows(before, after, sys.stderr)))
        else:
            print("\n".join(comparison(before, after, sys.stderr)))
    return 0


def _show(args: argparse.Namespace, store: Store, plan: Plan) -> None:
    """Print the results of a store, and write its page and its tables. Each game is read once, for tables twice."""
    anchor = _anchor(args.anchor, plan.options.game)
    csv = getattr(args, "csv", None)
    if args.html is None and csv is None:
        found, missing = games_of_results(store, sys.stderr)
        forfeits = Forfeits()
        ratings = rate(plan.agents, forfeits.of(found), anchor)
    else:
        from ..report.summary import Results  # which loads what is drawn

        results = Results.of(store, anchor, sys.stderr)
        ratings, forfeits, missing = results.ratings, results.forfeits, results.missing
    if args.json:
        rows = rating_rows(ratings, games.spec(plan.options.game).score)
        print(as_data.text({**row, "language_model": forfeits.talks.get(str(row["agent"]))} for row in rows))
    else:
        _print_results(store, plan, ratings, forfeits, missing)
    if args.html is not None:
        from ..report.write import write_page

        write_page(results, store, args.html, sys.stderr)
        print(f"wrote {args.html}", file=sys.stderr)
    if csv is not None:
        from ..report.tables import write_csv

        write_csv(results, games_of_results(store, sys.stderr)[0], csv)
        print(f"wrote {csv}", file=sys.stderr)


def _print_results(store: Store, plan: Plan, ratings: Ratings, forfeits: Forfeits, missing: str) -> None:
    if not ratings.games:
        print(f"{EMPTY}, so that there are no ratings")
    else:
        print("\n".join([table(ratings, games.spec(plan.options.game).score), *forfeits.lines()]))
    if missing:
        print(missing)
    given_up = store.failures()
    if given_up:
        print(f"\ngave up {counted(len(given_up), 'unit')}, not counted:")
    for number, reason in given_up[:_SHOWN]:
        print(f"unit {number}: {reason}")


def _anchor(spec: str | None, game: str) -> str | None:
    """Return the agent that `--anchor` names, as plans name it."""
    return None if spec is None else registry.canonical(spec, game)


def _check_anchor(spec: str | None, agents: Sequence[str], game: str) -> None:
    """Raise UserError, before the tournament, for an anchor that the table could not use."""
    if spec is not None and _anchor(spec, game) not in agents:
        raise UserError(f"--anchor {spec} is none of the agents: {', '.join(agents)}")


def _resume_command(args: argparse.Namespace, plan: Plan) -> str:
    """Return the command that goes on with a tournament, with the options that its store does not have."""
    endless = plan.deals is None and plan.until_width is None
    given = {"minutes": args.minutes if endless else None, "html": args.html, "anchor": args.anchor}
    more = "".join(f" --{name} {shlex.quote(str(value))}" for name, value in given.items() if value is not None)
    asking = [spec for spec in plan.agents if registry.parse(spec, plan.options.game).asks]
    allowed = "".join(f" --allow {shlex.quote(spec)}" for spec in asking)
    return f"bloodrage tournament resume {shlex.quote(args.store)}{allowed}{more}"


_ACTIONS: Final = {
    "run": _run,
    "resume": _resume,
    "report": _report,
    "verify": _verify,
    "export": _export,
    "compare": _compare,
}
