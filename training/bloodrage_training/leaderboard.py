"""`bloodrage leaderboard`: all agents at fixed budgets, each against every style, in one table.

Each agent has a store in one folder: a tournament in mode "focus", with the agent at one seat and one style at all
others. All stores have the same deals, except that a plug-in that is not trusted plays no deal twice. Before the table
is made, every stored game is replayed and compared.
"""

import argparse
import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Final

import numpy as np

from bloodrage_agents import parts, registry
from bloodrage_env import as_data, games
from bloodrage_env.arguments import add_game, check_output
from bloodrage_env.core.engine.options import GameOptions
from bloodrage_env.errors import INTERRUPTED, UserError
from bloodrage_env.terminal.progress import Progress
from bloodrage_env.text import counted

from . import ladder, markdown
from .learn.bounds import STORE, Bound, bound_of, gain_text
from .learn.exploit import check_sampled, opponent_of, styles_of
from .options import OPTIONS, WORKERS
from .report.columns import Column, Shown, aligned, count, difference, filled, label, page_rows, seconds, share, texts
from .report.page import MISSING, Cell, Row, page, percent, section, table, write
from .tournament import run as tournament
from .tournament.counted import forfeits_in
from .tournament.estimates import Estimate, Shares
from .tournament.ratings import Ratings, Tally, places_and_wins
from .tournament.records import Plan, equal_share, seats_text
from .tournament.store import Store
from .tournament.trust import trusted
from .tournament.verify import faults
from .workers import make_pool

GROUPS: Final = ("trained with", "held out")


@dataclass(frozen=True)
class Entry:
    """The results of one agent's store, and its rating among all agents."""

    spec: str
    deals: int  # as the option says: for each style, each played at all seats
    paired: bool  # whether a deal is played at all seats, and against all styles
    games: int
    groups: tuple[Estimate, Estimate]  # win rate against the styles of each of GROUPS; NaN without one
    against: Mapping[str, Estimate]  # win rate against each style but itself
    elo: Estimate  # from the mean of the field
    elo_bound: str  # as `Ratings.field_bound`
    seconds: float  # thinking time for a decision
    bounds: Mapping[int, Bound]  # by the number of players, the greatest gain of a best response

    @property
    def weakest(self) -> str:
        """The style against which the agent has its lowest win rate."""
        return min(self.against, key=lambda name: (self.against[name].value, name))


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """Add the options of the command."""
    add_game(parser, game)
    OPTIONS.add(parser, "--agents", help=f"agents and their budgets ({', '.join(parts.table(game).leaderboard)})")
    OPTIONS.add(parser, "--deals", default=10)
    games.game(game).options.add_arguments(parser)
    OPTIONS.add(parser, "--seed", "--seconds-a-decision", "--trust", *WORKERS, "--html", "--json")
    OPTIONS.add(parser, "--store", required=True)
    exploits = (
        "a run of 'bloodrage exploit', shown beside its agent by the number of seats; can be repeated, and the "
        "greatest gain is shown"
    )
    parser.add_argument("--exploit", action="append", default=[], metavar="FOLDER", dest="exploits", help=exploits)
    parser.add_argument("--markdown", metavar="FILE", help="write the table into this file, in Markdown")


def run(args: argparse.Namespace) -> int:
    """Play what is missing, verify the stores and print the table. Return the exit status."""
    game = str(args.game)
    listed = registry.split(args.agents) if args.agents else parts.table(game).leaderboard
    specs = [registry.canonical(spec, game) for spec in listed]
    options = games.game(game).options.from_arguments(args)
    bounds = greatest([Path(folder) for folder in args.exploits], specs, options)
    folder = Path(args.store)
    known = trusted(args.trust, specs, game)
    wanted = Plan((), (), "focus", options, args.seed, args.seconds_a_decision, args.deals, trusted=known)
    wanted = ladder.chance_of(wanted, sorted(folder.glob("*.db")))
    names: dict[Path, str] = {}
    for spec in specs:
        other = names.setdefault(folder / file_name(spec), spec)
        if other != spec:
            raise UserError(f"{other} and {spec} would have one store, {file_name(spec)}; rename one of them")
    plans = {path: make_plan(spec, wanted) for path, spec in names.items()}
    files = [each for each in (args.markdown, args.html) if each is not None]
    for number, file in enumerate(files):
        check_output(file, *map(str, plans), *files[:number], made=folder)
    for path, plan in plans.items():
        ladder.check_store(path, plan)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        given_up = sum(
            _play(path, plan, args.backend, args.workers, [*map(str, plans)]) for path, plan in plans.items()
        )
    except KeyboardInterrupt:
        print(ladder.STOPPED, file=sys.stderr)
        return INTERRUPTED
    entries = measure(list(plans), bounds)
    explained = notes(entries, wanted)
    if args.json:
        print(as_data.text(entries))
    else:
        print("\n".join([*aligned(texts(columns(entries), entries)), "", *explained, *forfeits_in(plans)]))
    said = f"{'. '.join(each[0].upper() + each[1:] for each in explained)}."
    if args.markdown is not None:
        head, *rows = texts(columns(entries), entries)
        lines = markdown.table(head, rows, coded=0)
        write(args.markdown, "\n".join([*lines, "", *wrap(markdown.escaped(said), 120), ""]))
    if args.html is not None:
        write(args.html, leaderboard_page(entries, said, styles_of(game)))
    for file in files:
        print(f"wrote {file}", file=sys.stderr)
    return ladder.status_of(given_up)


def _play(path: Path, plan: Plan, backend: str, workers: int | None, hidden: Sequence[str]) -> int:
    """Play what a store does not have yet, and verify it. Return the number of units that were given up."""
    print(f"{plan.agents[0]}: {path}", file=sys.stderr)
    given_up = ladder.play(path, plan, lambda: make_pool(backend, workers), hidden)
    verify(path)
    return given_up


def file_name(spec: str) -> str:
    """Return the name of the store of an agent."""
    return f"{re.sub(r'[^A-Za-z0-9=.]+', '-', spec).strip('-.')}.db"


def make_plan(spec: str, wanted: Plan) -> Plan:
    """Return `wanted` for an agent against every style but itself. Raise UserError if the agent is invalid."""
    return tournament.make_plan([spec, *(style for style in styles_of(wanted.options.game) if style != spec)], wanted)


def verify(path: Path) -> None:
    """Replay all games of a store. Raise UserError if one differs from the store."""
    with Store.open(path) as store:
        found = faults(store, Progress(sys.stderr, store.recorded(), things="games verified").update)
    if found:
        raise UserError(f"{path}: {len(found)} games do not play again as they are stored; the first: {found[0]}")


def greatest(folders: Sequence[Path], specs: Sequence[str], options: GameOptions) -> dict[str, dict[int, Bound]]:
    """Return the greatest gains that runs of `bloodrage exploit` have found, by agent and number of players.

    The games of responders are replayed. Raise UserError as `bound_of` and `verify` do, and for an agent that is not
    in `specs`.
    """
    found: dict[str, dict[int, Bound]] = {spec: {} for spec in specs}
    named = {_named(spec, options.game): spec for spec in specs}
    for folder in folders:
        agent, players, bound = bound_of(folder, options, specs)
        spec = named.get(agent) or named.get(_named(agent, options.game))
        if spec is None:
            raise UserError(f"{folder} is of {agent}, which is not in the table; add it to --agents")
        if (folder / STORE).exists():
            verify(folder / STORE)
        known = found[spec].setdefault(players, bound)
        if (bound.gain.value, bound.gain.low) > (known.gain.value, known.gain.low):
            found[spec][players] = bound
    return found


def measure(stores: Sequence[Path], bounds: Mapping[str, Mapping[int, Bound]]) -> list[Entry]:
    """Return the results of the stores, the strongest agent first. `bounds` are those of `greatest`."""
    plans = []
    for path in stores:
        with Store.open(path) as store:
            plans.append(store.plan())
    tally, known = Tally(tuple(dict.fromkeys(name for plan in plans for name in plan.agents))), set[str]()
    for path in stores:
        with Store.open(path) as store:
            for game in store.finished():
                if game.id not in known:  # with two seats the stores of two styles can have the same game
                    known.add(game.id)
                    tally.add(game)
    ratings = tally.rate()
    entries = [_entry(path, plan, ratings, bounds) for path, plan in zip(stores, plans, strict=True)]
    return sorted(entries, key=lambda entry: ratings.order.index(ratings.names.index(entry.spec)))


def _entry(path: Path, plan: Plan, ratings: Ratings, bounds: Mapping[str, Mapping[int, Bound]]) -> Entry:
    spec, *opponents = plan.agents
    unknown = parts.table(plan.options.game).held_out
    shares, deal = Shares(len(GROUPS) + len(opponents)), -1
    count, decisions, seconds = 0, 0, 0.0
    with Store.open(path) as store:
        for game in store.finished():  # deal by deal
            if game.deal != deal and count:
                shares.end_deal()
            deal, count, seat = game.deal, count + 1, game.line_up.index(spec)
            (opponent,) = {*game.line_up} - {spec}
            won = places_and_wins(game)[1][seat]
            things = np.array([int(opponent in unknown), len(GROUPS) + opponents.index(opponent)])
            shares.add(things, np.array([won, won]))
            decisions += game.decisions[seat]
            seconds += game.seconds[seat]
    if count:
        shares.end_deal()
    number = ratings.names.index(spec)
    return Entry(
        spec,
        -(-count // (len(opponents) * plan.options.num_players)),
        plan.paired,
        count,
        (shares.share(0), shares.share(1)),
        {name: shares.share(len(GROUPS) + place) for place, name in enumerate(opponents)},
        ratings.from_field.at(number),
        ratings.field_bound(number),
        seconds / decisions if decisions else math.nan,
        bounds.get(spec, {}),
    )


def _named(spec: str, game: str) -> str:
    """Return an agent as the run of a learner names it; the spec of an agent that a learner cannot play against."""
    try:
        check_sampled(spec, game)
        return opponent_of(spec, game)
    except UserError:
        return spec


# ---- the table


def columns(entries: Sequence[Entry]) -> list[Column]:
    """Return the columns of the table that have values."""
    seats = sorted({players for entry in entries for players in entry.bounds})
    known = [
        Column("agent", "agent", lambda each: label(each.spec)),
        Column("elo", "Elo", lambda each: difference(each.elo, each.elo_bound)),
        *(Column(name, name, _group(at)) for at, name in enumerate(GROUPS)),
        Column("lowest", "lowest", _lowest),
        *(Column(f"gain_{n}", f"exploitable, {n} seats", _gain(n)) for n in seats),
        Column("seconds", "a decision", lambda each: seconds(each.seconds)),
        Column("games", "games", lambda each: count(each.games)),
    ]
    return filled(known, entries)


def _lowest(entry: Entry) -> Shown:
    """Show the win rate against the style against which it is lowest."""
    return label(f"{percent(entry.against[entry.weakest].value)} against {entry.weakest}")


def _group(at: int) -> Callable[[Entry], Shown]:
    return lambda entry: share(entry.groups[at])


def _gain(players: int) -> Callable[[Entry], Shown]:
    return lambda entry: gain_shown(entry.bounds.get(players))


def gain_shown(bound: Bound | None) -> Shown:
    """Show the gain of a best response: "+12.3 points (+10.1 to +14.5) by a learner after 5,000 decisions"."""
    if bound is None:
        return label(MISSING)
    text = gain_text(bound.gain)
    value, _, ends = text.partition(" (")
    return Shown(bound.gain, f"{text} by {bound.by}", Cell(f"{value} by {bound.by}", ends.removesuffix(")")))


def notes(entries: Sequence[Entry], plan: Plan) -> list[str]:
    """Return explanations of the figures, one per line."""
    game, players = plan.options.game, plan.options.num_players
    unknown, styles = parts.table(game).held_out, styles_of(game)
    deals = sorted({entry.deals for entry in entries})  # a store may have more than others
    held = (f"{deals[0]} to " if len(deals) > 1 else "") + counted(deals[-1], "deal")
    said = [
        f"{seats_text(game, players)} of each style, at all seats of {held}; equal players win "
        f"{percent(equal_share(game, players), 0)}",
        f"{GROUPS[0]}: {', '.join(name for name in styles if name not in unknown)}, which a training run may meet",
    ]
    if unknown:
        said.append(f"{GROUPS[1]}: {', '.join(unknown)}, which none meets")
    said.append(
        "a style is not measured against itself; Elo is the difference from the mean of the field, by all games"
    )
    others = [entry.spec for entry in entries if not entry.paired]
    if others:
        said.append(f"each game with a deal of its own, since a plug-in may remember deals: {', '.join(others)}")
    said.append("in parentheses: 95 % intervals, over deals")
    if any(entry.bounds for entry in entries):
        said.append(
            "exploitable: what a best response at one seat won more than its share, the greatest found, a lower bound "
            "('bloodrage exploit')"
        )
    return said


def leaderboard_page(entries: Sequence[Entry], said: str, styles: Sequence[str]) -> str:
    """Return the page: the table, explanations of its figures, and all win rates."""
    every: list[Row] = [
        (entry.spec, [share(entry.against[name]).cell if name in entry.against else MISSING for name in styles])
        for entry in entries
    ]
    body = section(
        "leaderboard",
        "Agents",
        said,
        table("Agents at fixed budgets, the strongest first", *page_rows(columns(entries), entries)),
    ) + section(
        "pairs",
        "Against each style",
        "Win rates of the agent of the row; small: 95 % intervals.",
        table("Win rate against each style", ["agent", *styles], every, matrix=True),
    )
    title = "Leaderboard"
    return page(title, f"<header><h1>{title}</h1></header>\n{body}")
