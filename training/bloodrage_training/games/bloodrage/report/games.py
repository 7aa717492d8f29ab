"""The part of a report that is about games: seats, scores, where glory came from, length, forfeits."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from bloodrage_env.games.bloodrage.engine import Source
from bloodrage_env.games.bloodrage.notation.words import SOURCES

from ....report.charts import dots, histograms, legend, stacked
from ....report.chosen import Choice
from ....report.page import Cell, Row, figure, number, percent, section, share_cell, table
from ....report.replays import anchor
from ....report.summary import Results, Summary
from ....tournament.estimates import Shares
from ..replayed import Counts

MAX_REASONS: Final = 30  # rows of the table of forfeits
ORDINALS: Final = ("1st", "2nd", "3rd", "4th", "5th")
TURNS: Final = (
    " The order of play is that of the first Age: who begins is drawn with the deal, so that seats as such should "
    "all be alike."
)
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


def seats_part(results: Results) -> str:
    """How much the place at the table matters."""
    summary, score = results.summary, results.listing.score
    count = summary.num_players
    turns = [f"{place} to play" for place in ORDINALS[:count]]
    names = [f"seat {seat}" for seat in range(count)]
    rows = [(name, summary.by_turn.share(turn)) for turn, name in enumerate(turns) if summary.detailed]
    rows += [(name, summary.by_seat.share(seat)) for seat, name in enumerate(names)]
    return section(
        "seats",
        "Seats",
        "Win rate by place at the table, whoever sits there. An interval that holds the dashed line shows no "
        f"advantage.{TURNS if summary.detailed else ''}",
        figure(dots(rows, "Win rate by seat", "win rate", percent=True, reference=1 / count)),
        '<div class="columns">',
        _seat_table("By order of play", turns, summary.by_turn, summary.glory_by_turn, score)
        if summary.detailed
        else "",
        _seat_table("By seat", names, summary.by_seat, summary.glory_by_seat, score),
        "</div>",
    )


def _seat_table(caption: str, names: list[str], shares: Shares, glory: Counts, score: str) -> str:
    rows: list[Row] = [
        (
            name,
            [share_cell(shares.share(n)), number(float(glory[n] / shares.takes[n]), 1), number(float(shares.takes[n]))],
        )
        for n, name in enumerate(names)
    ]
    return table(caption, ["place", "win rate", f"mean {score}", "games"], rows)


def scores_part(results: Results) -> str:
    """How scores are spread."""
    score = results.listing.score
    agents = [(results.plan.agents[n], results.summary.agents[n].glory) for n in results.ratings.order]
    agents = [(name, glory) for name, glory in agents if glory]
    rows: list[Row] = [
        (name, [number(quantile(glory, part)) for part in QUANTILES] + [number(max(glory))]) for name, glory in agents
    ]
    head = ["agent", *(percent(part, 0) if part != 0.5 else "median" for part in QUANTILES), "most"]
    return section(
        "scores",
        "Scores",
        f"How often an agent ends with how much {score}: one row of bars for each, all on the same axis, each as tall "
        "as its most frequent score; the upright line is the mean.",
        figure(
            histograms(agents, f"{score.capitalize()} at the end, a histogram for each agent", f"{score} at the end")
        ),
        table(f"{score.capitalize()} at the end: so many percent of the games end with this much or less", head, rows),
    )


def quantile(counts: Counter[int], part: float) -> int:
    """The least number that at least `part` of the counted ones don't exceed."""
    left = part * counts.total() - 1e-9
    for value in sorted(counts):
        left -= counts[value]
        if left <= 0:
            break
    return value


def sources_part(results: Results) -> str:
    """Where glory came from."""
    names = [SOURCES[source] for source in Source]
    means = [
        (results.plan.agents[n], [float(x) / counts.finished for x in counts.glory_from])
        for n in results.ratings.order
        if (counts := results.summary.agents[n]).finished
    ]
    rows: list[Row] = [(name, [*(number(part, 1) for part in parts), number(sum(parts), 1)]) for name, parts in means]
    return section(
        "sources",
        "Glory by source",
        "Mean glory of a game by where it came from. What cards take away counts below zero, and stands left of the "
        "line. Valhalla: cards that bring glory when figures are released; stats: the glory of high stats at the end.",
        legend(names),
        figure(stacked(means, names, "Mean glory by source, a bar for each agent", "mean glory of a game")),
        table("Mean glory by source", ["agent", *names, "all"], rows),
    )


def lengths_part(results: Results) -> str:
    """How long games are."""
    counts = results.summary.lengths
    forced = (
        " Questions are not asked where all can see the one answer."
        if getattr(results.plan.options, "skip_forced", False)
        else ""
    )
    mean = sum(length * count for length, count in counts.items()) / counts.total()
    return section(
        "lengths",
        "Length of games",
        f"Decisions of a game, all seats together: {number(mean)} on average, {number(min(counts))} to "
        f"{number(max(counts))}.{forced}",
        figure(histograms([("games", counts)], "Decisions of a game, a histogram", "decisions")),
    )


def forfeits_part(summary: Summary, shown: Sequence[Choice] = ()) -> str:
    """Who forfeited, and why, with links to the games of them that the page shows."""
    if not summary.forfeits:
        return section("forfeits", "Forfeits", "No game was forfeited.")
    most = sorted(summary.forfeits.items(), key=lambda each: (-each[1], each[0]))[:MAX_REASONS]
    rows: list[Row] = [
        (agent, [number(count), Cell(reason, text=True, links=_forfeited(shown, agent, reason))])
        for (agent, reason), count in most
    ]
    left_out = len(summary.forfeits) - len(rows)
    return section(
        "forfeits",
        "Forfeits",
        f"{number(summary.forfeits.total())} of {number(summary.games)} games. Who forfeits is last; the others are "
        "not compared with each other, and the game counts for nothing else on this page."
        + (f" The {len(rows)} most frequent of {len(summary.forfeits)} reasons." if left_out else ""),
        table("Forfeits by agent and reason, the most frequent first", ["agent", "games", "reason"], rows),
    )


def _forfeited(shown: Sequence[Choice], agent: str, reason: str) -> list[tuple[str, str, str]]:
    games = [each.game for each in shown if (each.kind, each.agent, each.why) == ("forfeit", agent, reason)]
    return [(f"#{anchor(game)}", f"game {game[:8]}", "the forfeited game") for game in games]
