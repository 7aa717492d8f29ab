"""The part of a report that is about strength: ratings, and the agents pair by pair."""

from typing import Final

import numpy as np

from .charts import dots, shorten
from .estimates import Estimate
from .page import MISSING, Cell, Row, details, figure, interval, number, percent, section, share_cell, table
from .ratings import Interval, Ratings
from .summary import Results

MAX_MATRIX: Final = 25  # agents in a matrix of pairs; the strongest


def ratings_part(results: Results) -> str:
    """Ratings, places and glory of all agents."""
    ratings, order = results.ratings, results.order
    rows = [
        (ratings.names[n], Estimate(*(float(x[n]) for x in (ratings.elo, ratings.low, ratings.high)))) for n in order
    ]
    chart = dots(
        rows, "Rating of each agent with its 95 % interval", f"Elo; {shorten(ratings.anchor)} has 0", reference=0
    )
    head = ["agent", "rating", "win share", "mean place", "mean glory", "seats played", "forfeits", "time a decision"]
    return section(
        "ratings",
        "Ratings",
        "A dot is an agent's rating, the bar its 95 % interval. 400 Elo more are odds of 10 to 1 of being placed "
        "before the other. All are measured from the anchor, so that the bars move together: whether two agents differ "
        "is told by the section Pairs. The win share is that of a seat: with equal agents it is "
        f"{percent(1 / results.plan.options.num_players, 0)}.",
        figure(chart),
        table("Agents, the strongest first; small: 95 % intervals", head, [_agent_row(results, n) for n in order]),
        _fingerprints(results),
    )


def _agent_row(results: Results, agent: int) -> Row:
    ratings, counts = results.ratings, results.summary.agents[agent]
    rating = Estimate(*(float(ends[agent]) for ends in (ratings.elo, ratings.low, ratings.high)))
    bounds = f"{number(rating.low)} to {number(rating.high)}" if rating.bounded else ""
    if ratings.unbeaten[agent] or ratings.beaten[agent]:
        bounds = f"{'won' if ratings.unbeaten[agent] else 'lost'} everything"
    if ratings.names[agent] == ratings.anchor:
        bounds = "fixed"
    return ratings.names[agent], [
        Cell(number(rating.value), bounds),
        share_cell(estimate(ratings.win_share, agent)),
        _mean_cell(estimate(ratings.mean_place, agent), 2),
        _mean_cell(estimate(ratings.mean_glory, agent), 1),
        number(counts.seats),
        number(int(ratings.forfeits[agent])),
        duration(counts.seconds_a_decision),
    ]


def _fingerprints(results: Results) -> str:
    plan = results.plan
    rows: list[Row] = [
        (plan.agents[n], [Cell(plan.agents[n], text=True), Cell(plan.fingerprints[n], text=True)])
        for n in results.order
    ]
    return details(
        "Agents in full, and fingerprints",
        table(
            "What decides an agent's play: its sources, its arguments, the rules",
            ["agent", "in full", "fingerprint"],
            rows,
        ),
    )


def pairs_part(results: Results) -> str:
    """Every agent against every other one."""
    ratings, order = results.ratings, results.order[:MAX_MATRIX]
    names = [shorten(ratings.names[n]) for n in order]
    surer: list[Row] = [(names[row], [_better_cell(ratings, n, m) for m in order]) for row, n in enumerate(order)]
    shares: list[Row] = [(names[row], [_pair_cell(ratings, n, m) for m in order]) for row, n in enumerate(order)]
    left_out = len(ratings.names) - len(order)
    return section(
        "pairs",
        "Pairs",
        "Read a row: blue where its agent is ahead of that of the column, orange where it is behind, pale where it is "
        "close." + (f" Only the {MAX_MATRIX} strongest agents; the CSV export has all pairs." if left_out > 0 else ""),
        table("Probability that the agent of the row is the better one", ["better than", *names], surer, matrix=True),
        table(
            "How often the agent of the row is placed before that of the column when both are at the table (ties half)",
            ["placed before", *names],
            shares,
            matrix=True,
        ),
    )


def _better_cell(ratings: Ratings, row: int, column: int) -> Cell:
    if row == column or ratings.deals < 2:
        return Cell(MISSING)
    chance = float(ratings.better[row, column])
    says = f"{ratings.names[row]} is better than {ratings.names[column]} with probability {probability(chance)}"
    return Cell(probability(chance), shade=2 * chance - 1, says=says)


def _pair_cell(ratings: Ratings, row: int, column: int) -> Cell:
    share = estimate(ratings.pair_share, (row, column))
    if row == column or not share.known:
        return Cell(MISSING)
    says = f"{ratings.names[row]} is placed before {ratings.names[column]} in {percent(share.value)} of their meetings"
    return Cell(percent(share.value), interval(share), 2 * share.value - 1, says)


def estimate(of: Interval, place: int | tuple[int, int]) -> Estimate:
    """One element of an interval of arrays."""
    return Estimate(float(of.value[place]), float(of.low[place]), float(of.high[place]))


def probability(chance: float) -> str:
    """The bootstrap has a thousand replicates, so that it can't tell a very small chance from none."""
    if chance > 0.999:
        return "> 99.9 %"
    return "< 0.1 %" if chance < 0.001 else percent(chance)


def _mean_cell(mean: Estimate, digits: int) -> Cell:
    bounds = f"{mean.low:.{digits}f} to {mean.high:.{digits}f}" if mean.bounded else ""
    return Cell(number(mean.value, digits), bounds)


def duration(seconds: float) -> str:
    """A time as "1.2 s", "3.4 ms" or "56 µs"."""
    if not np.isfinite(seconds):
        return MISSING
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"
