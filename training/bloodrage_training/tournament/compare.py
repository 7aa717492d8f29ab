"""What changed between two stores: the same agents in both, with intervals of the differences.

A deal that is in both stores, by its seed, is one cluster of both, so its effect cancels in the difference (a paired
comparison). Other deals are clusters of their own.
"""

import hashlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TextIO

import numpy as np
import numpy.typing as npt

from bloodrage_env import games
from bloodrage_env.errors import UserError
from bloodrage_env.text import counted

from ..report.columns import aligned, share
from ..report.page import MISSING
from .counted import games_of_results
from .estimates import Estimate, quantile
from .ratings import places_and_wins
from .records import Plan, StoredGame
from .store import Store

EMPTY: Final = "no game is stored yet"
Sums = npt.NDArray[np.float64]  # of a deal: seats, wins, places, finished seats, their scores
_SEATS, _WINS, _PLACES, _FINISHED, _SCORES = 0, 1, 2, 3, 4
_COLUMNS: Final = ((_WINS, _SEATS), (_PLACES, _SEATS), (_SCORES, _FINISHED))  # sums that are divided by other sums


@dataclass
class Side:
    """The games of one store."""

    plan: Plan
    versions: tuple[dict[str, str], ...]
    missing: str
    count: int = 0
    sums: dict[str, dict[int, Sums]] = field(default_factory=dict)  # by agent, and by the seed of the deal
    went: dict[str, bytes] = field(default_factory=dict)  # by the id of a game: a hash of its course

    @classmethod
    def of(cls, store: Store, progress: TextIO | None) -> "Side":
        """Read a store; `progress` as in `games_of_results`. Raise StoreError."""
        found, missing = games_of_results(store, progress)
        side = cls(store.plan(), store.versions(), missing)
        for game in found:
            side._add(game)
        return side

    @property
    def deals(self) -> set[int]:
        """The seeds of the deals."""
        return {seed for agent in self.sums.values() for seed in agent}

    def _add(self, game: StoredGame) -> None:
        self.count += 1
        course = repr((game.actions, game.scores, game.forfeit_seat)).encode()
        self.went[game.id] = hashlib.sha256(course).digest()[:16]
        places, wins = places_and_wins(game)
        for seat, agent in enumerate(game.line_up):
            sums = self.sums.setdefault(agent, {}).setdefault(game.seed, np.zeros(5))
            sums[[_SEATS, _WINS, _PLACES]] += 1, wins[seat], places[seat]
            if game.forfeit_seat is None:
                sums[[_FINISHED, _SCORES]] += 1, game.scores[seat]


def comparison(before: Store, after: Store, progress: TextIO | None = None) -> list[str]:
    """Compare two stores: the same agents in both, with intervals of the differences.

    Parameters
    ----------
    before, after : Store
        Open stores.
    progress : TextIO, optional
        A stream on which progress is drawn, such as `sys.stderr`.

    Returns
    -------
    list of str
        Lines for the terminal. Raises StoreError, and UserError for stores of different games.

    Examples
    --------
    >>> from bloodrage_training.tournament.compare import comparison
    >>> from bloodrage_training.tournament.store import Store
    >>> with Store.open("games.sqlite") as store:
    ...     comparison(store, store)[0]
    'games.sqlite: 8 games of 4 deals'
    """
    sides = _sides(before, after, progress)
    paths = [str(store.path) for store in (before, after)]
    lines = []
    for path, side in zip(paths, sides, strict=True):
        lines.append(f"{path}: {counted(side.count, 'game')} of {counted(len(side.deals), 'deal')}")
    lines += [side.missing for side in sides if side.missing]
    if both := _in_both(*sides):
        lines += ["", *_table(both, *sides), "", "in parentheses: 95 % intervals, over deals"]
    return [*lines, *_differences(paths, *sides)]


def comparison_rows(before: Store, after: Store, progress: TextIO | None = None) -> Iterator[dict[str, object]]:
    """Yield a row for each agent of both stores: the win rates, and the changes with intervals. Raise as `comparison`
    does.
    """
    sides = _sides(before, after, progress)
    for agent in _in_both(*sides):
        old, new = (side.sums.get(agent, {}) for side in sides)
        changes = (change(old, new, above, below) for above, below in _COLUMNS)
        rates = {"win_rate_before": rate(old).value, "win_rate_after": rate(new).value}
        yield {"agent": agent, **rates, **dict(zip(("change", "place", "score"), changes, strict=True))}


def _sides(before: Store, after: Store, progress: TextIO | None) -> tuple[Side, Side]:
    sides = Side.of(before, progress), Side.of(after, progress)
    named = [side.plan.options.game for side in sides]
    if named[0] != named[1]:
        raise UserError(f"{before.path} is of {named[0]} and {after.path} of {named[1]}; give two stores of one game")
    for store in (before, after):
        if not store.recorded():
            raise UserError(f"{store.path}: {EMPTY}, so that there is nothing to compare")
    return sides


def _in_both(before: Side, after: Side) -> list[str]:
    return [agent for agent in before.plan.agents if agent in after.plan.agents]


def _table(agents: list[str], before: Side, after: Side) -> list[str]:
    """Return a table with a row for each agent: the win rates, and the changes."""
    score = games.spec(before.plan.options.game).score
    rows: list[tuple[str, ...]] = [("agent", "win rate before", "after", "change", "place", score)]
    for agent in agents:
        old, new = before.sums.get(agent, {}), after.sums.get(agent, {})
        win, place, points = (change(old, new, above, below) for above, below in _COLUMNS)
        rates = [share(rate(each)).text for each in (old, new)]
        rows.append((agent, *rates, _text(win, 100, 1, " points"), _text(place, 1, 2), _text(points, 1, 1)))
    return aligned(rows)


def rate(sums: Mapping[int, Sums]) -> Estimate:
    """Return wins per seat, without an interval; NaN without a seat."""
    total = sum(sums.values(), np.zeros(5))
    return Estimate(total[_WINS] / total[_SEATS] if total[_SEATS] else math.nan, math.nan, math.nan)


def change(before: Mapping[int, Sums], after: Mapping[int, Sums], above: int, below: int) -> Estimate:
    """Return the change of a ratio of two sums, with the interval of Student's distribution over deals.

    The arguments are sums by deal. The variance is that of a difference of ratios of sums over clusters. Without data
    in one of them the value is NaN. Below two deals in one of them, and without spread, there is no interval.
    """
    value = 0.0
    terms: dict[int, float] = {}
    for sign, sums in ((-1, before), (1, after)):
        deals = {seed: (each[above], each[below]) for seed, each in sums.items() if each[below]}
        total = sum(under for _, under in deals.values())
        if not total:
            return Estimate(math.nan, math.nan, math.nan)
        ratio = sum(over for over, _ in deals.values()) / total
        value += sign * ratio
        scale = math.sqrt(len(deals) / (len(deals) - 1)) if len(deals) > 1 else math.nan
        for seed, (over, under) in deals.items():
            terms[seed] = terms.get(seed, 0.0) + sign * scale * (over - ratio * under) / total
    variance = sum(term**2 for term in terms.values())
    if not variance > 1e-12:  # or it is NaN
        return Estimate(value, math.nan, math.nan)
    paired = len(terms) < len(before) + len(after)
    half = float(quantile(max(len(terms) - (1 if paired else 2), 1))) * math.sqrt(variance)
    return Estimate(value, value - half, value + half)


def _text(change: Estimate, factor: float, digits: int, unit: str = "") -> str:
    """Return a change: "+1.2 (-0.3 to +2.7)"."""
    if not change.known:
        return MISSING
    value, low, high = (f"{factor * each + 0.0:+.{digits}f}" for each in (change.value, change.low, change.high))
    return f"{value}{unit} ({low} to {high})" if change.bounded else f"{value}{unit}"


def _differences(paths: list[str], before: Side, after: Side) -> list[str]:
    """Return lines on what differs beside the results: deals, games, agents, options and versions."""
    shared = before.deals & after.deals
    lines = [
        f"{counted(len(shared), 'deal')} in both stores: the changes are paired" if shared else
        "no deal is in both stores: the changes are not paired (--seed)"
    ]  # fmt: skip
    same = before.went.keys() & after.went.keys()
    if same:
        other = sum(before.went[key] != after.went[key] for key in same)
        lines.append(f"{counted(len(same), 'game')} with the same seed and seats in both; {other} went differently")
    prints = [dict(zip(side.plan.agents, side.plan.fingerprints, strict=True)) for side in (before, after)]
    changed = [agent for agent, own in prints[0].items() if prints[1].get(agent, own) != own]
    lines += [f"{agent} has another fingerprint" for agent in changed]
    for path, own, others in ((paths[0], *prints), (paths[1], *prints[::-1])):
        only = [agent for agent in own if agent not in others]
        if only:
            lines.append(f"only in {path}: {', '.join(only)}")
    if prints[0].keys() != prints[1].keys() or before.plan.mode != after.plan.mode:
        lines.append("the line-ups differ: a change of an agent includes that of its opponents")
    if before.plan.options != after.plan.options:
        lines.append(f"the options differ: {before.plan.options} and {after.plan.options}")
    found = [_versions(side) for side in (before, after)]
    if found[0] != found[1]:
        lines.append(f"the versions differ: {', '.join(sorted(found[0]))} and {', '.join(sorted(found[1]))}")
    return lines


def _versions(side: Side) -> set[str]:
    return {f"{name} {version}" for each in side.versions for name, version in each.items()}
