"""`bloodrage tournament ...`: the parser is in `bloodrage_env.commands.tournament`, which calls `run`."""

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from agents import registry
from agents.base import GameOptions
from bloodrage_env.errors import UserError
from bloodrage_env.replay import Replay

from . import tournament
from .plan import total_units
from .progress import Progress
from .ratings import rate
from .records import Plan
from .store import Store
from .table import table
from .verify import faults
from .workers import LocalPool, Pool

INTERRUPTED: Final = 130  # as shells have it
_SHOWN: Final = 10  # faults, or units given up, that are named


def run(args: argparse.Namespace) -> int:
    """Carry out a subcommand; returns the exit status."""
    return _ACTIONS[args.action](args)


def _run(args: argparse.Namespace) -> int:
    if args.deals is None and args.minutes is None and args.until_width is None:
        raise UserError("say when to stop: --deals, --minutes or --until-width")
    _check_folder(args.html)
    _check_anchor(args.anchor, [registry.canonical(spec) for spec in registry.split(args.agents)])
    options = GameOptions(args.seats, args.first_game, not args.ask_forced)
    stop = {"deals": args.deals, "until_width": args.until_width}
    wanted = Plan((), (), args.mode, options, args.seed, args.seconds_a_decision, **stop)  # the agents are filled in
    plan = tournament.make_plan(registry.split(args.agents), wanted)
    Path(args.store).parent.mkdir(parents=True, exist_ok=True)
    with Store.create(args.store, plan) as store:
        return _play(args, store, plan)


def _resume(args: argparse.Namespace) -> int:
    _check_folder(args.html)
    with Store.open(args.store, write=True) as store:
        plan = store.plan()
        _check_anchor(args.anchor, plan.agents)
        tournament.check_agents(plan)
        changed = replace(plan, deals=args.deals or plan.deals, until_width=args.until_width or plan.until_width)
        if changed.deals is None and changed.until_width is None and args.minutes is None:
            raise UserError(f"{args.store} has no number of deals; say when to stop: --deals, --minutes, --until-width")
        if changed != plan:
            store.change_stop(changed)
        return _play(args, store, changed)


def _play(args: argparse.Namespace, store: Store, plan: Plan) -> int:
    """Play, and show the ratings; Ctrl-C leaves a store that can be resumed."""
    for line in tournament.guard(plan):
        print(line, file=sys.stderr)
    store.join(tournament.versions())
    total = None if plan.deals is None else total_units(plan) * plan.options.num_players
    progress = Progress(sys.stderr, total, store.recorded(), args.minutes and 60 * args.minutes)
    pool: Pool | None = None
    try:
        pool = _pool(args, plan)
        outcome = tournament.run(store, plan, pool, progress, args.minutes)
    except KeyboardInterrupt:
        games = store.recorded()
        print(f"\nstopped; {games} games are stored. To go on: {_resume_command(args.store)}", file=sys.stderr)
        return INTERRUPTED
    finally:
        if pool is not None:
            pool.close()
    print(f"{outcome.reason}\n")
    _show(store, plan, args.anchor)
    if args.html is not None:
        _write_html(args)
    if not outcome.complete:
        print(f"to play on: {_resume_command(args.store)}")
    return 1 if store.failures() else 0


def _pool(args: argparse.Namespace, plan: Plan) -> Pool:
    if args.backend == "ray":
        from .ray_backend import RayPool

        return RayPool(plan, args.workers, [args.store])
    return LocalPool(plan, args.workers or os.cpu_count() or 1, [args.store])


def _report(args: argparse.Namespace) -> int:
    with Store.open(args.store) as store:
        _check_anchor(args.anchor, store.plan().agents)
        _show(store, store.plan(), args.anchor)
    if args.html is not None:
        _write_html(args)
    if args.csv is not None:
        from .report import export_csv

        export_csv(args.store, args.csv, _anchor(args.anchor))
        print(f"wrote {args.csv}")
    return 0


def _verify(args: argparse.Namespace) -> int:
    with Store.open(args.store) as store:
        progress = Progress(sys.stderr, store.recorded())
        found = faults(store, progress.tell)
        progress.end()
    for fault in found[:_SHOWN]:
        print(fault)
    if len(found) > _SHOWN:
        print(f"... and {len(found) - _SHOWN} more")
    print(f"{args.store}: {len(found)} faults" if found else f"{args.store}: every game plays as stored")
    return 1 if found else 0


def _export(args: argparse.Namespace) -> int:
    with Store.open(args.store) as store:
        game = store.game(args.game)
    options = game.options
    replay = Replay(
        game.seed, options.num_players, options.first_game, options.skip_forced, game.actions, glory=game.glory
    )
    replay.save(args.file)
    print(f"wrote {args.file}: {', '.join(game.line_up)} ('bloodrage replay' tells it)")
    return 0


def _show(store: Store, plan: Plan, anchor: str | None) -> None:
    ratings = rate(plan.agents, store.finished(), _anchor(anchor))
    print(table(ratings) if ratings.games else "no deal has been played whole yet, so that there are no ratings")
    given_up = store.failures()
    if given_up:
        print(f"\n{len(given_up)} units were given up, and count for nothing:")
    for number, reason in given_up[:_SHOWN]:
        print(f"unit {number}: {reason}")


def _write_html(args: argparse.Namespace) -> None:
    from .report import write_report

    write_report(args.store, args.html, _anchor(args.anchor))
    print(f"wrote {args.html}")


def _anchor(spec: str | None) -> str | None:
    """The agent that `--anchor` names, as plans name it."""
    return None if spec is None else registry.canonical(spec)


def _check_anchor(spec: str | None, agents: Sequence[str]) -> None:
    """A tournament must not end with a table that can't be made."""
    if spec is not None and _anchor(spec) not in agents:
        raise UserError(f"--anchor {spec} is none of the agents: {', '.join(agents)}")


def _check_folder(html: str | None) -> None:
    """A tournament must not end with a page that can't be written."""
    if html is not None and not Path(html).absolute().parent.is_dir():
        raise UserError(f"there is no folder {Path(html).parent} for the page")


def _resume_command(store: str) -> str:
    return f"bloodrage tournament resume {shlex.quote(store)}"


_ACTIONS: Final = {"run": _run, "resume": _resume, "report": _report, "verify": _verify, "export": _export}
