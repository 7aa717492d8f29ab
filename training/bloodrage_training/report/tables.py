"""The numbers of a report as CSV files, for a spreadsheet or a data frame. docs/report.md describes the columns.

Unknown numbers are empty. A text that a spreadsheet would read as a formula gets an apostrophe in front.
"""

import csv
import io
import math
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, TextIO

from ..tournament.estimates import Estimate
from ..tournament.ratings import places_and_wins
from ..tournament.records import StoredGame
from .summary import Results, Rows, Value

ENDS: Final = ("", "_low", "_high")
TALK: Final = ("asked", "unreadable", "illegal", "failed", "prompt_tokens", "answer_tokens", "cost")


def write_csv(results: Results, games: Iterable[StoredGame], directory: str | os.PathLike[str]) -> None:
    """Write games.csv, agents.csv, pairs.csv and the game's tables into a directory, which is created. Raises
    OSError.
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    tables = {
        "games.csv": game_rows(games, results.spec.score),
        "agents.csv": agent_rows(results),
        "pairs.csv": pair_rows(results),
    }
    if results.report is not None:
        tables |= {name: rows(results) for name, rows in results.report.tables.items()}
    for name, rows in tables.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            _write_rows(file, rows)


def csv_text(rows: Iterable[Sequence[Value]]) -> str:
    """Return a table as the text of a CSV file."""
    text = io.StringIO(newline="")
    _write_rows(text, rows)
    return text.getvalue()


def _write_rows(file: TextIO, rows: Iterable[Sequence[Value]]) -> None:
    csv.writer(file, lineterminator="\n").writerows([_written(value) for value in row] for row in rows)


def game_rows(games: Iterable[StoredGame], score: str) -> Rows:
    """Yield a row for each seat of each game. The first row here and below contains the names of the columns."""
    result = (score, "place", "victory")
    yield ("game", "deal", "seating", "seed", "seat", "agent", *result, "decisions", "seconds", "forfeit")
    for game in games:
        places, victories = places_and_wins(game)
        for seat, agent in enumerate(game.line_up):
            fault = (game.forfeit_reason or "no reason given") if game.forfeit_seat == seat else ""
            yield (
                game.id, game.deal, game.seating, game.seed, seat, agent, game.scores[seat], places[seat],
                victories[seat], game.decisions[seat], game.seconds[seat], fault,
            )  # fmt: skip


def agent_rows(results: Results) -> Rows:
    """Yield a row for each agent, the strongest first."""
    ratings = results.ratings
    measured = ("from_field", "from_leader", "win_share", "mean_place", "mean_score")
    more = {} if results.report is None else results.report.agent_columns(results)
    named = [name + end for name in measured for end in ENDS]
    yield (
        "agent",
        "fingerprint",
        "elo",
        "group",
        "in_field",
        *named,
        "seats",
        "forfeits",
        "decisions",
        "seconds",
        *TALK,
        *more,
    )
    for n in results.ratings.order:
        counts = results.summary.agents[n]
        talk = [getattr(counts.talk, name) if counts.talk.asked else None for name in TALK]
        means = (ratings.win_share, ratings.mean_place, ratings.mean_score)
        estimates = (ratings.from_field.at(n), ratings.from_leader(n), *(each.at(n) for each in means))
        ends = [value for each in estimates for value in three(each)]
        yield (
            results.plan.agents[n], results.plan.fingerprints[n], float(ratings.elo[n]),
            int(ratings.group[n]), int(ratings.field[n]), *ends, counts.seats, int(ratings.forfeits[n]),
            counts.decisions, counts.seconds, *talk, *(values[n] for values in more.values()),
        )  # fmt: skip


def pair_rows(results: Results) -> Rows:
    """Yield a row for each ordered pair of agents."""
    ratings = results.ratings
    yield ("agent", "opponent", "better", *("placed_before" + end for end in ENDS))
    for n in results.ratings.order:
        for m in results.ratings.order:
            if n != m:
                better = float(ratings.better[n, m]) if ratings.deals > 1 else None
                yield ratings.names[n], ratings.names[m], better, *three(ratings.pair_share.at((n, m)))


def three(each: Estimate) -> tuple[float, float, float]:
    """Return a value and the ends of its interval, in columns named by ENDS."""
    return each.value, each.low, each.high


def _written(value: Value) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(("=", "+", "-", "@")) else value
    return str(value) if isinstance(value, int) else f"{value:.9g}"
