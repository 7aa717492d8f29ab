"""The part of a report about the order of play and the sources of glory."""

from typing import Final

from bloodrage_env.games.bloodrage.engine import Source
from bloodrage_env.games.bloodrage.notation.words import SOURCES

from ....report.charts import dots, legend, stacked
from ....report.games import place_table
from ....report.page import Row, figure, number, section, table
from ....report.summary import Results
from .counts import details_of

ORDINALS: Final = ("1st", "2nd", "3rd", "4th", "5th")


def turns_part(results: Results) -> str:
    """Return the effect of the order of play."""
    details, count = details_of(results), results.summary.num_players
    names = [f"{place} to play" for place in ORDINALS[:count]]
    rows = [(name, details.by_turn.share(turn)) for turn, name in enumerate(names)]
    return section(
        "turns",
        "Order of play",
        "Win rate by the order of play of the first Age, for all agents. Who begins is drawn with the deal, so that "
        "seats as such should all be alike.",
        figure(dots(rows, "Win rate by order of play", "win rate", percent=True, reference=1 / count)),
        place_table("By order of play", names, details.by_turn, details.glory_by_turn, results.spec.score),
    )


def sources_part(results: Results) -> str:
    """Return the sources of glory."""
    names = [SOURCES[source] for source in Source]
    means = [
        (results.plan.agents[n], [float(x) / finished for x in details_of(results).glory_from[n]])
        for n in results.ratings.order
        if (finished := results.summary.agents[n].finished)
    ]
    rows: list[Row] = [(name, [*(number(part, 1) for part in parts), number(sum(parts), 1)]) for name, parts in means]
    return section(
        "sources",
        "Glory by source",
        "Mean glory of a game by where it came from. What cards take away is negative, and is drawn left of the "
        "line. Valhalla: cards that bring glory when figures are released; stats: the glory of high stats at the end.",
        legend(names),
        figure(stacked(means, names, "Mean glory by source, a bar for each agent", "mean glory of a game")),
        table("Mean glory by source", ["agent", *names, "all"], rows),
    )
