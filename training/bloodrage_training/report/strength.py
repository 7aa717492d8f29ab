"""The part of a report about strength: ratings, and the agents pair by pair."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..tournament.estimates import Estimate
from ..tournament.ratings import Ratings
from ..tournament.records import equal_share
from ..tournament.table import field_names, warnings, zero_text
from .charts import Outside, clean, dots, shorten
from .chosen import Choice, of_agent
from .page import MISSING, Cell, Row, details, figure, interval, number, percent, section, share_cell, signed, table
from .replays import anchor
from .summary import Results

MAX_MATRIX: Final = 25  # agents in a matrix of pairs; the strongest


def ratings_part(results: Results, shown: Sequence[Choice] = ()) -> str:
    """Return ratings, places and scores of all agents, with links to the games that the page shows."""
    ratings = results.ratings
    head = [
        "agent", f"Elo; {zero_text(ratings)} 0", "from the field", "from the leader", "win rate",
        "mean place", f"mean {results.spec.score}", "seats played", "forfeits", "time a decision",
        *(["games"] if shown else []),
    ]  # fmt: skip
    warned = "".join(f"<li>{clean(each)}</li>" for each in warnings(ratings))
    who = f"<p>The field: {clean(field_names(ratings))}.</p>" if ratings.field.any() else ""
    return section(
        "ratings",
        "Ratings",
        "A dot is how far an agent is above the mean of the field, the bar its 95 % interval. 400 Elo more are odds of "
        "10 to 1 of being placed before the other. The field are the agents that have won and lost often enough "
        "against each other; the distance of the others, drawn at the edge, is a bound. The leader is the strongest "
        "of the field. The section Pairs says whether two agents differ. The win rate is that of a seat: with "
        f"equal agents it is {percent(equal_share(results.plan.options.game, results.summary.num_players), 0)}.",
        figure(strength_chart(ratings, ratings.names)) if ratings.field.any() else "",
        who + (f'<ul class="warnings">{warned}</ul>' if warned else ""),
        table(
            "Agents, the strongest first; small: 95 % intervals",
            head,
            [_agent_row(results, n, shown) for n in ratings.order],
        ),
        _fingerprints(results),
    )


def strength_chart(ratings: Ratings, names: Sequence[str]) -> str:
    """Return differences from the field as an SVG chart. Agents outside the field are at the edge."""
    rows = [(names[n], _place(ratings, n)) for n in ratings.order]
    label = "How far each agent is above the mean of the field, with its 95 % interval"
    return dots(rows, label, "Elo above the mean of the field", reference=0)


def _place(ratings: Ratings, agent: int) -> Estimate | Outside:
    """Return the position of an agent in the chart."""
    difference = ratings.from_field.at(agent)
    if ratings.field[agent]:
        return difference
    if not difference.known:
        return Outside("(no field)", False)
    kind = {">": "or more", "<": "or less", "~": "(too few comparisons)"}[ratings.field_bound(agent)]
    return Outside(f"{signed(f'{difference.value:+.0f}')} {kind}", difference.value > 0)


def _agent_row(results: Results, agent: int, shown: Sequence[Choice]) -> Row:
    ratings, counts = results.ratings, results.summary.agents[agent]
    links = [(f"#{anchor(each.game)}", each.kind, each.why) for each in of_agent(shown, ratings.names[agent])]
    return ratings.names[agent], [
        Cell(ratings.elo_bound(agent) + signed(f"{ratings.elo[agent]:.0f}")),
        difference_cell(ratings.from_field.at(agent), ratings.field_bound(agent)),
        _leader_cell(ratings, agent),
        share_cell(ratings.win_share.at(agent)),
        _mean_cell(ratings.mean_place.at(agent), 2),
        _mean_cell(ratings.mean_score.at(agent), 1),
        number(counts.seats),
        number(int(ratings.forfeits[agent])),
        duration(counts.seconds_a_decision),
        *([Cell("", text=True, links=links)] if shown else []),
    ]


def _leader_cell(ratings: Ratings, agent: int) -> Cell:
    if agent in ratings.leaders:
        return Cell("leader")
    return difference_cell(ratings.from_leader(agent)) if ratings.field[agent] else Cell(MISSING)


def difference_cell(difference: Estimate, bound: str = "") -> Cell:
    """Return a difference in Elo with its interval. `bound` precedes a bound (`Ratings.field_bound`)."""
    if not difference.known:
        return Cell(MISSING)
    value, low, high = (signed(f"{each:+.0f}") for each in (difference.value, difference.low, difference.high))
    return Cell(bound + value, f"{low} to {high}" if difference.bounded else "")


def _fingerprints(results: Results) -> str:
    plan = results.plan
    rows: list[Row] = [
        (plan.agents[n], [Cell(plan.agents[n], text=True), Cell(plan.fingerprints[n], text=True)])
        for n in results.ratings.order
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
    """Return every agent against every other one."""
    ratings, order = results.ratings, results.ratings.order[:MAX_MATRIX]
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
    chance = float(ratings.better[row, column])
    if row == column or ratings.deals < 2 or np.isnan(chance):
        return Cell(MISSING)
    says = f"{ratings.names[row]} is better than {ratings.names[column]} with probability {probability(chance)}"
    return Cell(probability(chance), shade=2 * chance - 1, says=says)


def _pair_cell(ratings: Ratings, row: int, column: int) -> Cell:
    share = ratings.pair_share.at((row, column))
    if row == column or not share.known:
        return Cell(MISSING)
    says = f"{ratings.names[row]} is placed before {ratings.names[column]} in {percent(share.value)} of their meetings"
    return Cell(percent(share.value), interval(share), 2 * share.value - 1, says)


def probability(chance: float) -> str:
    """Return a probability in percent; one so close to 0 or 1 that it depends on the tail is shown as a bound."""
    if chance > 0.999:
        return "> 99.9 %"
    return "< 0.1 %" if chance < 0.001 else percent(chance)


def _mean_cell(mean: Estimate, digits: int) -> Cell:
    bounds = f"{mean.low:.{digits}f} to {mean.high:.{digits}f}" if mean.bounded else ""
    return Cell(number(mean.value, digits), bounds)


def duration(seconds: float) -> str:
    """Return a time as "1.2 s", "3.4 ms" or "56 µs"."""
    if not np.isfinite(seconds):
        return MISSING
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"
