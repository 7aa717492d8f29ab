"""The part of a report about games: seats, scores, length, forfeits."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from bloodrage_env.language.transcript import Talk

from ..tournament.estimates import Shares
from ..tournament.records import equal_share
from .charts import dots, histograms
from .chosen import Choice
from .columns import share
from .page import MISSING, Cell, Row, figure, number, percent, section, table
from .replays import anchor
from .summary import Counts, Results, Summary

MAX_REASONS: Final = 30  # rows of the table of forfeits
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


def seats_part(results: Results) -> str:
    """Return the effect of the seats."""
    summary, equal = results.summary, equal_share(results.plan.options.game, results.summary.num_players)
    names = [f"seat {seat}" for seat in range(summary.num_players)]
    rows = [(name, summary.by_seat.share(seat)) for seat, name in enumerate(names)]
    return section(
        "seats",
        "Seats",
        "Win rate by seat, for all agents. An interval that holds the dashed line shows no advantage.",
        figure(dots(rows, "Win rate by seat", "win rate", percent=True, reference=equal)),
        place_table("By seat", names, summary.by_seat, summary.score_by_seat, results.spec.score),
    )


def place_table(caption: str, names: list[str], shares: Shares, scores: Counts, score: str) -> str:
    """Return win rates and mean scores of the seats; `scores` are their sums."""
    rows: list[Row] = [
        (
            name,
            [
                share(shares.share(n)).cell,
                number(float(scores[n] / shares.takes[n]), 1),
                number(float(shares.takes[n])),
            ],
        )
        for n, name in enumerate(names)
    ]
    return table(caption, ["place", "win rate", f"mean {score}", "games"], rows)


def scores_part(results: Results) -> str:
    """Return the distribution of scores."""
    score = results.spec.score
    agents = [(results.plan.agents[n], results.summary.agents[n].scores) for n in results.ratings.order]
    agents = [(name, scores) for name, scores in agents if scores]
    rows: list[Row] = [
        (name, [number(quantile(scores, part)) for part in QUANTILES] + [number(max(scores))])
        for name, scores in agents
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
        table(f"{score.capitalize()} at the end: the percentage of games that end with this much or less", head, rows),
    )


def quantile(counts: Counter[int], part: float) -> int:
    """Return the least number that is at least as large as the fraction `part` of the counted numbers."""
    left = part * counts.total() - 1e-9
    for value in sorted(counts):
        left -= counts[value]
        if left <= 0:
            break
    return value


def lengths_part(results: Results) -> str:
    """Return the lengths of games."""
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


def models_part(results: Results) -> str:
    """Return what language models took, and the classes of their refused answers."""
    agents = [(results.plan.agents[n], results.summary.agents[n].talk) for n in results.ratings.order]
    return section(
        "models",
        "Language models",
        "Of all games, forfeited ones too. An unreadable answer names no action, an illegal one an action that is not "
        "possible. A failed request had no answer of the endpoint and was repeated; it is no fault of the play.",
        talk_table([(name, talk) for name, talk in agents if talk.asked]),
    )


def talk_table(talks: Sequence[tuple[str, Talk]]) -> str:
    """Return a table of what language models took."""
    head = ["agent", "questions", "unreadable", "illegal", "failed requests", "tokens of prompts", "tokens of answers",
            "cost", "seconds a question"]  # fmt: skip
    rows: list[Row] = [
        (
            name,
            [
                number(talk.asked),
                *(Cell(number(count), percent(count / talk.asked)) for count in (talk.unreadable, talk.illegal)),
                *map(number, (talk.failed, talk.prompt_tokens, talk.answer_tokens)),
                number(talk.cost, 4) if talk.cost else MISSING,
                number(talk.seconds / talk.asked, 2),
            ],
        )
        for name, talk in talks
    ]
    return table("What language models took; small: per question", head, rows)


def forfeits_part(summary: Summary, shown: Sequence[Choice] = ()) -> str:
    """Return the forfeits and their reasons, with links to the games that the page shows."""
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
