"""Runs a tournament: claims games of a plan, lets a pool play them and stores them, until a stop rule applies."""

import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numba
import numpy as np

import bloodrage_env
from bloodrage_agents import registry, sandbox
from bloodrage_agents.isolated import Isolated
from bloodrage_env import games
from bloodrage_env.errors import UserError
from bloodrage_env.terminal.progress import Progress

from ..tasks import Died, Done, Event, Pool, Refused, Result
from ..workers import Job, Work
from .plan import check_plan, total_units
from .ratings import rate
from .records import Plan, PlannedGame, StoredGame
from .store import SILENCE, Store
from .trust import plug_ins
from .workers import check_fingerprint, play_unit

MIN_DEALS: Final = 20  # before the width of an interval is believed
_BEAT: Final = SILENCE / 10
_RATING_PAUSE: Final = 5.0  # seconds between two ratings, and this multiple of the time of a rating:
_RATING_SHARE: Final = 20
MAX_FAILED: Final = 5  # units in a row without a game between them


@dataclass(frozen=True)
class Outcome:
    """The reason why a tournament stopped, as a line, and whether it is complete.

    Examples
    --------
    >>> from bloodrage_training.tournament.run import Outcome
    >>> Outcome("all deals are played", complete=True).reason
    'all deals are played'
    """

    reason: str
    complete: bool


def make_plan(specs: Sequence[str], plan: Plan) -> Plan:
    """Return a plan for some agents.

    Parameters
    ----------
    specs : sequence of str
        The agents.
    plan : Plan
        The other fields. Plug-ins in `plan.trusted` are trusted.

    Returns
    -------
    Plan
        The plan. Raises UserError for an invalid agent.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> from bloodrage_training.tournament.records import Plan
    >>> from bloodrage_training.tournament.run import make_plan
    >>> options = games.options_from("bloodrage", num_players=2)
    >>> plan = make_plan(["random", "greedy"], Plan((), (), "round-robin", options, seed=1, deals=1))
    >>> plan.agents
    ('random', 'greedy')
    """
    game = plan.options.game
    agents = tuple(registry.canonical(spec, game) for spec in specs)
    prints = tuple(registry.fingerprint(spec, game) for spec in agents)
    strangers = set(plug_ins(agents, game))
    trusted = tuple(name for name in plan.trusted if name in strangers)
    made = replace(plan, agents=agents, fingerprints=prints, trusted=trusted, paired=strangers <= {*trusted})
    check_plan(made)
    for spec in agents:
        try_agent(spec, made)
    return made


def check_agents(plan: Plan) -> None:
    """Raise UserError if the fingerprint of an agent is not that of the plan."""
    for spec in plan.agents:
        check_fingerprint(plan, spec)


def guard(plan: Plan) -> list[str]:
    """Protect this process before plug-ins play, and print which restrictions the platform supports."""
    if all(registry.is_shipped(spec, plan.options.game) for spec in plan.agents):
        return []
    sandbox.hide_memory()
    missing = sandbox.lacking()
    lines = [f"plug-ins are kept from {what}" for what in (sandbox.PROCESSES, sandbox.FILES) if what not in missing]
    lines += [f"this platform can't keep plug-ins from {what}: let only those play that you trust" for what in missing]
    if plan.seed is not None and not plan.paired:  # with trusted plug-ins, as in a benchmark, nobody guesses
        lines.append("a plug-in may guess a seed that was given, and with it all cards: for strangers leave out --seed")
    if plan.paired:
        lines.append(f"trusted: {', '.join(plan.trusted)}; each deal is played at all seats")
    else:
        lines.append("each game has a deal of its own, since a plug-in may remember deals (--trust)")
    return lines


def forfeited(game: PlannedGame, reason: str) -> StoredGame | None:
    """Return the game as forfeited by its plug-in before the first decision; None unless one plug-in plays in it."""
    strangers = {spec for spec in game.line_up if not registry.is_shipped(spec, game.options.game)}
    if len(strangers) != 1:
        return None
    options, nothing = game.options, (0,) * game.options.num_players
    rules = games.game(options.game)
    scores = tuple(rules.play.scores(rules.new_game(game.seed, options), 0).tolist())
    seat = game.line_up.index(strangers.pop())
    return StoredGame(
        game.id, game.deal, game.seating, game.seed, game.line_up, options, (), scores, seat, reason, nothing, nothing
    )


def versions(game: str) -> dict[str, str]:
    """Return the versions that reproducing the games can depend on."""
    return {
        "bloodrage": bloodrage_env.__version__,
        "rules": games.game(game).rules_version,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }


def run(
    store: Store, plan: Plan, pool: Pool, progress: Progress, minutes: float | None = None, hidden: Sequence[str] = ()
) -> Outcome:
    """Play until a stop rule applies, then complete the units in progress. The caller closes pool and store.

    Parameters
    ----------
    store : Store
        A store that has been joined.
    plan : Plan
        Its plan.
    pool : Pool
        Workers.
    progress : Progress
        Shows how many games are stored.
    minutes : float, optional
        A stop rule.
    hidden : sequence of str
        Beginnings of paths that plug-ins cannot read, as they cannot read the store.

    Returns
    -------
    Outcome
        Why it stopped. Raises UserError if an agent cannot play or the store cannot be written.

    Examples
    --------
    >>> from bloodrage_env import games
    >>> from bloodrage_training.tournament.records import Plan
    >>> from bloodrage_training.tournament.run import make_plan
    >>> options = games.options_from("bloodrage", num_players=2)
    >>> plan = make_plan(["random", "greedy"], Plan((), (), "round-robin", options, seed=1, deals=1))
    >>> import sys
    >>> from bloodrage_env.terminal.progress import Progress
    >>> from bloodrage_training.tournament.run import run, versions
    >>> from bloodrage_training.tournament.store import Store
    >>> from bloodrage_training.workers import make_pool
    >>> pool = make_pool("local", 1)
    >>> with Store.create("new.sqlite", plan) as store:
    ...     store.join(versions("bloodrage"))
    ...     outcome = run(store, plan, pool, Progress(sys.stderr, 2))
    >>> pool.close()
    >>> outcome.complete
    True
    """
    return _Run(store, plan, pool, progress, minutes, (str(store.path), *hidden)).play()


class _Run:
    """The part of a tournament that one process plays."""

    def __init__(
        self, store: Store, plan: Plan, pool: Pool, progress: Progress, minutes: float | None, hidden: tuple[str, ...]
    ) -> None:
        self._store, self._plan, self._progress = store, plan, progress
        self._work = Work(pool, play_unit, attempts=1)  # the store counts the attempts at a unit
        self._hidden = hidden
        self._deadline = None if minutes is None else time.monotonic() + 60 * minutes
        self._games = store.recorded()
        self._playing: dict[int, dict[str, PlannedGame]] = {}  # the games of each unit that have not been reported
        self._failed = 0  # units in a row
        self._stop: str | None = None  # the reason to begin no more units
        self._next_beat = self._next_rating = time.monotonic() + _BEAT
        self._width = ""

    def play(self) -> Outcome:
        """Play."""
        self._work.carry_out(self._next_unit, self._take)
        self._games = self._store.recorded()
        self._progress.update(self._games)
        self._progress.end()
        complete = self._store.settled() >= total_units(self._plan)
        if complete:
            return Outcome("all deals are played", True)
        return Outcome(self._stop or "all that is left is being played by other processes", False)

    def _next_unit(self) -> Job | None:
        """Claim a unit; return its task, or None if there is none."""
        if self._stop is None:
            self._stop = self._stop_rule()
        unit = self._store.claim(self._plan) if self._stop is None else None
        if unit is None:
            return None
        self._playing[unit.number] = {game.id: game for game in unit.games}
        return unit.number, (self._plan, self._hidden, unit)

    def _take(self, events: Sequence[Event]) -> None:
        """Store what new events of the pool report."""
        for event in events:
            if isinstance(event, Result):
                self._store.record(event.number, event.value)
                del self._playing[event.number][event.value.id]
                self._games += 1
                self._failed = 0
                continue
            left = self._playing.pop(event.number)
            if isinstance(event, Done):
                self._store.finish(event.number)
            elif isinstance(event, Refused):
                raise UserError(event.reason)
            elif isinstance(event, Died):
                self._fail(event, list(left.values()))
        self._beat()
        self._progress.update(self._games, self._width)

    def _fail(self, event: Died, left: Sequence[PlannedGame]) -> None:
        """Store that a worker died at a unit of which these games are left."""
        forfeit = forfeited(left[0], event.reason) if event.ended and left else None
        if self._store.fail(event.number, event.reason, forfeit):
            self._failed += 1
        if self._failed >= MAX_FAILED:
            raise UserError(f"{self._failed} units in a row can't be played; the last: {event.reason}")

    def _beat(self) -> None:
        if time.monotonic() >= self._next_beat:
            self._store.beat()
            self._next_beat = time.monotonic() + _BEAT

    def _stop_rule(self) -> str | None:
        """Return the reason to begin no more units, if there is one."""
        now = time.monotonic()
        if self._deadline is not None and now >= self._deadline:
            return "the time is up"
        goal = self._plan.until_width
        if goal is None or now < self._next_rating:
            return None
        ratings = rate(self._plan.agents, self._store.finished())
        after = time.monotonic()
        self._next_rating = after + max(_RATING_PAUSE, _RATING_SHARE * (after - now))
        width = ratings.leader_width()
        if ratings.field.any():
            self._width = f", the leader's interval is {width:.0f} Elo wide"
        if ratings.deals >= MIN_DEALS and width <= goal:
            return f"the leader's interval is {width:.0f} Elo wide, the goal was {goal:g}"
        if ratings.deals >= MIN_DEALS and not ratings.field.any() and self._plan.deals is self._deadline is None:
            # It might never have a width: with another stop rule that would do no harm.
            return (
                "no two agents both win and lose often enough to have an interval; to play on say --deals or --minutes"
            )
        return None


def try_agent(spec: str, plan: Plan) -> None:
    """Make an agent once, so that an error is raised before the first game. Raise UserError for a person, too."""
    game = plan.options.game
    if registry.parse(spec, game).name == "human":
        raise UserError("a person can't play these games; 'bloodrage play' is for people")
    if registry.is_shipped(spec, game):
        registry.make(spec, game)
        return
    with Isolated(spec, plan.seconds_a_decision, game=game) as plug_in:
        plug_in.start()
