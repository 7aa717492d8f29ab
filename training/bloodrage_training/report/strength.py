"""The part of a report about strength: ratings, and the agents pair by pair."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..tournament.estimates import Estimate
from ..tournament.ratings import Ratings
from ..tournament.records import equal_share
from ..tournament.table import columns, field_names, warnings, zero_text
from .charts import Outside, clean, dots, shorten
from .chosen import Choice, of_agent
from .columns import duration, page_rows
from .page import MISSING, Cell, Row, details, figure, interval, percent, section, signed, table
from .replays import anchor
from .summary import Results

MAX_MATRIX: Final = 25  # agents in a matrix of pairs; the strongest


def ratings_part(results: Results, shown: Sequence[Choice] = ()) -> str:
    """Return ratings, places and scores of all agents, with links to the games that the page shows."""
    ratings = results.ratings
    agents = dict(zip(ratings.names, results.summary.agents, strict=True))
    head, rows = page_rows(columns(ratings, results.spec.score), ratings.order)
    head += ["time a decision", *(["games"] if shown else [])]
    rows = [(name, [*cells, duration(agents[name].seconds_a_decision), *_links(shown, name)]) for name, cells in rows]
    equal = percent(equal_share(results.plan.options.game, results.summary.num_players), 0)
    warned = "".join(f"<li>{clean(each)}</li>" for each in warnings(ratings))
    who = f"<p>The field: {clean(field_names(ratings))}.</p>" if ratings.field.any() else ""
    return section(
        "ratings",
        "Ratings",
        "A dot is how far an agent is above the mean of the field, the bar its 95 % interval. 400 Elo more are odds of "
        f"10 to 1 of being placed before the other; {zero_text(ratings)} 0 Elo. The field are the agents that have won "
        "and lost often enough against each other; the distance of the others, drawn at the edge, is a bound. The "
        "leader is the strongest of the field. The section Pairs says whether two agents differ. The win rate is that "
        f"of a seat: with equal agents it is {equal}.",
        figure(strength_chart(ratings, ratings.names)) if ratings.field.any() else "",
        who + (f'<ul class="warnings">{warned}</ul>' if warned else ""),
        table("Agents, the strongest first; small: 95 % intervals", head, rows),
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


def _links(shown: Sequence[Choice], name: str) -> list[Cell]:
    """Return a cell with the games of an agent that the page shows; none if it shows no games."""
    links = [(f"#{anchor(each.game)}", each.kind, each.why) for each in of_agent(shown, name)]
    return [Cell("", text=True, links=links)] if shown else []


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
