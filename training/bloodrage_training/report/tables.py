"""The numbers of a report as CSV files, for a spreadsheet or a data frame. docs/report.md describes the columns.

Unknown numbers are empty. A text that a spreadsheet would read as a formula gets an apostrophe in front.
"""

import csv
import io
import math
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from bloodrage_env import files
from bloodrage_env.language.transcript import Talk

from ..tournament.estimates import Estimate
from ..tournament.ratings import places_and_wins
from ..tournament.records import StoredGame
from ..tournament.table import columns
from .columns import Column, Shown, csv_rows
from .page import Cell
from .summary import Results, Rows, Value

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
        files.write(folder / name, csv_text(rows).encode())


def csv_text(rows: Iterable[Sequence[Value]]) -> str:
    """Return a table as the text of a CSV file."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([_written(value) for value in row] for row in rows)
    return text.getvalue()


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
    ratings, plan, agents = results.ratings, results.plan, results.summary.agents
    more = {} if results.report is None else results.report.agent_columns(results)
    _, *rated = columns(ratings, results.spec.score)
    return csv_rows(
        [
            _column("agent", lambda n: plan.agents[n]),
            _column("fingerprint", lambda n: plan.fingerprints[n]),
            *rated,
            _column("group", lambda n: int(ratings.group[n])),
            _column("in_field", lambda n: int(ratings.field[n])),
            _column("decisions", lambda n: agents[n].decisions),
            _column("seconds", lambda n: agents[n].seconds),
            *(_column(name, lambda n, name=name: _talked(agents[n].talk, name)) for name in TALK),
            *(_column(name, values.__getitem__) for name, values in more.items()),
        ],
        ratings.order,
    )


def _column(name: str, value: Callable[..., Value | Estimate]) -> Column:
    """A column of this file alone."""
    return Column(name, name, lambda n: Shown(value(n), "", Cell("")))


def _talked(talk: Talk, name: str) -> Value:
    return getattr(talk, name) if talk.asked else None


def pair_rows(results: Results) -> Rows:
    """Yield a row for each ordered pair of agents."""
    ratings, order = results.ratings, results.ratings.order
    return csv_rows(
        [
            _column("agent", lambda pair: ratings.names[pair[0]]),
            _column("opponent", lambda pair: ratings.names[pair[1]]),
            _column("better", lambda pair: float(ratings.better[pair]) if ratings.deals > 1 else None),
            _column("placed_before", ratings.pair_share.at),
        ],
        [(n, m) for n in order for m in order if n != m],
    )


def _written(value: Value) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(("=", "+", "-", "@")) else value
    return str(value) if isinstance(value, int) else f"{value:.9g}"
