"""`bloodrage ladder`: measures how strength grows with the budget of a search, one agent against several of another.

Every budget is a tournament in mode "focus" with a store in one folder. All budgets play the same deals, so they differ
in the budget only. With a plug-in that is not trusted, no deal is played twice.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bloodrage_agents import parts, registry
from bloodrage_env import as_data, games
from bloodrage_env.arguments import add_game, check_output, whole_number
from bloodrage_env.errors import INTERRUPTED, UserError
from bloodrage_env.terminal.progress import Progress
from bloodrage_env.text import counted

from .options import OPTIONS, WORKERS
from .report.charts import clean, lines
from .report.columns import Column, aligned, count, difference, named, page_rows, records, seconds, share, texts
from .report.page import figure, number, page, percent, section, table, write
from .tasks import Pool
from .tournament import run as tournament
from .tournament.counted import forfeits_in
from .tournament.estimates import Estimate
from .tournament.plan import total_units
from .tournament.ratings import Tally
from .tournament.records import Plan, equal_share
from .tournament.store import Store
from .tournament.table import BOUNDS
from .tournament.trust import trusted
from .workers import make_pool

UNITS: Final = ("simulations", "ms")
STOPPED: Final = "\nstopped; what was played is stored: the same command resumes it"


@dataclass(frozen=True)
class Rung:
    """The results of one budget."""

    budget: int
    spec: str
    games: int
    forfeits: int  # its own
    win_share: Estimate
    elo: Estimate  # more than the opponent has
    elo_bound: str  # as `Ratings.elo_bound`
    decisions: int
    seconds: float  # thinking time

    @property
    def decisions_a_second(self) -> float:
        """Decisions per second of the agent."""
        return self.decisions / self.seconds if self.decisions and self.seconds else float("nan")


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """Add the options."""
    add_game(parser, game)
    default = registry.default(game)
    parser.add_argument("agent", metavar="SPEC", help="an agent that takes a budget, such as ismcts")
    parser.add_argument("--opponent", default=default, metavar="SPEC", help=f"the agent at all other seats ({default})")
    budgets = [50, 100, 200, 400, 800]
    said = "budgets per decision (50 100 200 400 800)"
    parser.add_argument("--budgets", type=whole_number(1, 10**9), nargs="+", default=budgets, metavar="N", help=said)
    parser.add_argument("--unit", choices=UNITS, default=UNITS[0], help="unit of the budgets (simulations)")
    OPTIONS.add(parser, "--deals", default=100, help="deals for each budget (%(default)s)")
    games.game(game).options.add_arguments(parser)
    OPTIONS.add(parser, "--seed", "--seconds-a-decision", "--trust", *WORKERS, "--html", "--json")
    OPTIONS.add(parser, "--store", required=True)


def run(args: argparse.Namespace) -> int:
    """Play what is missing, print the table and write the page. Return the exit status."""
    options = games.game(args.game).options.from_arguments(args)
    known = trusted(args.trust, [args.agent, args.opponent], args.game)
    wanted = Plan((), (), "focus", options, args.seed, args.seconds_a_decision, args.deals, trusted=known)
    budgets = sorted(set(args.budgets))
    folder = Path(args.store)
    wanted = chance_of(wanted, sorted(folder.glob("*.db")))
    plans = [make_plan(args.agent, args.unit, budget, args.opponent, wanted) for budget in budgets]
    stores = [folder / f"{args.unit}-{budget}.db" for budget in budgets]
    check_output(args.html, *map(str, stores), made=folder)
    for path, plan in zip(stores, plans, strict=True):
        check_store(path, plan)
    folder.mkdir(parents=True, exist_ok=True)
    rungs, given_up = [], 0
    hidden = [str(folder / f"{unit}-") for unit in UNITS]  # all budgets have the same deals
    try:
        for budget, plan, path in zip(budgets, plans, stores, strict=True):
            print(f"{plan.agents[0]} against {plan.agents[1]}: {path}", file=sys.stderr)
            given_up += play(path, plan, lambda: make_pool(args.backend, args.workers), hidden)
            rungs.append(rung(path, budget))
    except KeyboardInterrupt:
        print(STOPPED, file=sys.stderr)
        return INTERRUPTED
    if args.json:
        print(as_data.text(records(columns(args.unit), rungs)))
    else:
        print("\n".join([text_table(rungs, args.unit, args.opponent, args.game), *forfeits_in(stores)]))
    if args.html is not None:
        write(args.html, ladder_page(rungs, args.agent, args.unit, args.opponent, plans[0]))
        print(f"wrote {args.html}", file=sys.stderr)
    return status_of(given_up)


def make_plan(agent: str, unit: str, budget: int, opponent: str, wanted: Plan) -> Plan:
    """Return `wanted` for `agent` with this budget. Raise UserError if one of the agents is invalid."""
    return tournament.make_plan([with_argument(agent, unit, budget, wanted.options.game), opponent], wanted)


def chance_of(plan: Plan, stores: Sequence[Path]) -> Plan:
    """Return `plan` with the deals of the first existing store, unless a seed is given, so that the run continues."""
    for path in stores if plan.seed is None else ():
        if path.exists():
            with Store.open(path) as store:
                begun = store.plan()
            return replace(plan, seed=begun.seed, secret=begun.secret)
    return plan


def with_argument(spec: str, name: str, value: int, game: str) -> str:
    """Return a spec with one more argument: "ismcts" to "ismcts:simulations=100"."""
    bare = registry.canonical(spec, game)
    return f"{bare}{':' if bare == registry.parse(spec, game).name else ','}{name}={value}"


def status_of(given_up: int, hint: str = "; 'bloodrage tournament report' says why") -> int:
    """Print the number of units that were given up, with the hint. Return the exit status of the command: 1 if any."""
    if given_up:
        print(f"gave up {counted(given_up, 'unit')}, not counted{hint}", file=sys.stderr)
    return 1 if given_up else 0


def check_store(path: Path, plan: Plan) -> None:
    """Raise UserError for an existing store of another plan, or if an agent has changed.

    The number of deals can differ from that of the store.
    """
    if not path.exists():
        return
    with Store.open(path) as store:
        stored = store.plan()
    if stored.agents == plan.agents:
        tournament.check_agents(stored)
    if replace(stored, deals=plan.deals) != plan:
        raise UserError(f"{path} has other agents, options or another seed; choose another store or folder")


def play(path: Path, plan: Plan, make_pool: Callable[[], Pool], hidden: Sequence[str] = ()) -> int:
    """Play the deals of a plan that its store does not have yet. A missing store is created.

    Return the number of units that were given up. Raise UserError as `check_store` does.
    """
    check_store(path, plan)
    with Store.open(path, write=True) if path.exists() else Store.create(path, plan) as store:
        store.change_stop(replace(plan, deals=max(store.plan().deals or 0, plan.deals or 0)))
        for line in tournament.guard(plan):
            print(line, file=sys.stderr)
        store.join(tournament.versions(plan.options.game))
        whole = store.plan()
        progress = Progress(sys.stderr, total_units(whole) * plan.options.num_players, store.recorded())
        pool = make_pool()
        try:
            tournament.run(store, whole, pool, progress, hidden=hidden)
        finally:
            pool.close()
        return len(store.failures())


def rung(path: Path, budget: int) -> Rung:
    """Return the results in the store of a budget. The agent is the first of its plan."""
    with Store.open(path) as store:
        names = store.plan().agents
        tally, decisions, seconds = Tally(names), 0, 0.0
        for game in store.finished():
            tally.add(game)
            seat = game.line_up.index(names[0])
            decisions += game.decisions[seat]
            seconds += game.seconds[seat]
    ratings = tally.rate(anchor=names[1])
    return Rung(
        budget, names[0], ratings.games, int(ratings.forfeits[0]), ratings.win_share.at(0), ratings.ahead.at((0, 1)),
        ratings.elo_bound(0), decisions, seconds,
    )  # fmt: skip


def text_table(rungs: Sequence[Rung], unit: str, opponent: str, game: str) -> str:
    """Return the table for the terminal: a heading for held-out opponents, a head, and a line for each budget."""
    body = aligned(texts(columns(unit), rungs))
    notes = [f"Elo is the difference from {opponent}; in parentheses: 95 % intervals, over deals"]
    if any(each.elo_bound for each in rungs):
        notes.append(BOUNDS)
    return "\n".join([*held_out_heading(opponent, game), *body, "", *notes])


def held_out_heading(opponent: str, game: str) -> list[str]:
    """Return the heading of results against an agent that is never used in training; empty for others."""
    unknown = parts.table(game).held_out
    return [f"against {opponent}, which is held out from all training"] if opponent in unknown else []


def columns(unit: str) -> tuple[Column, ...]:
    """Return the columns of a table of budgets."""
    return (
        Column("budget", unit, lambda each: named(each.budget, str(each.budget))),
        Column("win_rate", "win rate", lambda each: share(each.win_share)),
        Column("elo_more", "Elo more", lambda each: difference(each.elo, each.elo_bound)),
        Column("decisions_a_second", "decisions/s", lambda each: named(each.decisions_a_second, _speed(each))),
        Column("seconds", "time a decision", lambda each: seconds(1 / each.decisions_a_second)),
        Column("games", "games", lambda each: count(each.games)),
        Column("forfeits", "forfeits", lambda each: count(each.forfeits)),
    )


def ladder_page(rungs: Sequence[Rung], agent: str, unit: str, opponent: str, plan: Plan) -> str:
    """Return the page: the plot, and the same numbers as a table."""
    equal = equal_share(plan.options.game, plan.options.num_players)
    chart = lines(
        [(each.budget, each.win_share) for each in rungs],
        f"Win rate of {agent} by its budget, with 95 % intervals",
        (f"{unit} a decision (logarithmic); below: decisions a second", "win rate"),
        notes=[f"{_speed(each)}/s" for each in rungs],
        percent=True,
        reference=equal,
    )
    same = "; all budgets play the same deals" if plan.paired else ""
    body = section(
        "ladder",
        ", ".join(["Strength by budget", *held_out_heading(opponent, plan.options.game)]),
        f"Each dot is the share of games that {agent} wins at this budget, with {opponent} at the other seats; the bar "
        f"is its 95 % interval. On the dashed line both are equally strong ({percent(equal, 0)}). {BOUNDS}.",
        figure(chart),
        table(f"{agent} against {opponent}{same}", *page_rows(columns(unit), rungs)),
    )
    title = f"Ladder of {agent}"
    deals = "At every seating of each deal" if plan.paired else "At every seat, each game with a deal of its own"
    lead = f"{deals}{'' if plan.seed is None else f'; seed {plan.seed}'}."
    return page(title, f'<header><h1>{clean(title)}</h1><p class="lead">{clean(lead)}</p></header>\n{body}')


def _speed(each: Rung) -> str:
    """Return decisions per second with about three digits."""
    return number(each.decisions_a_second, 0 if each.decisions_a_second >= 100 else 1)
