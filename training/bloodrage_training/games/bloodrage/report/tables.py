"""The numbers of a report as CSV files, for a spreadsheet or a data frame; docs/report.md describes the columns.

Numbers that nobody knows are empty. A text that a spreadsheet would take for a formula gets an apostrophe in front.
"""

import csv
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from bloodrage_env.games.bloodrage.engine import Card, Option, Source, cards_of
from bloodrage_env.games.bloodrage.notation.words import face

from ....report.summary import CardCounts, Results
from ....tournament.estimates import Estimate
from ....tournament.ratings import places_and_wins
from ....tournament.records import StoredGame
from .cards import type_name

Value = str | int | float | None
Rows = Iterator[Sequence[Value]]
_ENDS: Final = ("", "_low", "_high")


def write_csv(results: Results, games: Iterable[StoredGame], directory: str | os.PathLike[str]) -> None:
    """Write games.csv, agents.csv and pairs.csv into a directory, which is made; of Blood Rage also cards.csv and
    drafts.csv. Raises OSError.
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    tables = {
        "games.csv": game_rows(games, results.listing.score),
        "agents.csv": agent_rows(results),
        "pairs.csv": pair_rows(results),
    }
    if results.summary.detailed:
        tables |= {"cards.csv": card_rows(results), "drafts.csv": draft_rows(results)}
    for name, rows in tables.items():
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([_written(value) for value in row] for row in rows)


def game_rows(games: Iterable[StoredGame], score: str) -> Rows:
    """A row for each seat of each game; the first row here and below names the columns."""
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
    """A row for each agent, the strongest first."""
    ratings = results.ratings
    measured = ("from_field", "from_leader", "win_share", "mean_place", "mean_score")
    sources = [f"glory_{source.name.lower()}" for source in Source] if results.summary.detailed else []
    named = [name + end for name in measured for end in _ENDS]
    yield ("agent", "fingerprint", "elo", "in_field", *named, "seats", "forfeits", "decisions", "seconds", *sources)
    for n in results.ratings.order:
        counts = results.summary.agents[n]
        means = (ratings.win_share, ratings.mean_place, ratings.mean_score)
        estimates = (ratings.from_field.at(n), ratings.from_leader(n), *(each.at(n) for each in means))
        ends = [value for each in estimates for value in _three(each)]
        glory = [float(x) / counts.finished if counts.finished else None for x in counts.glory_from[: len(sources)]]
        yield (
            results.plan.agents[n], results.plan.fingerprints[n], float(ratings.elo[n]),
            int(ratings.field[n]), *ends, counts.seats, int(ratings.forfeits[n]),
            counts.decisions, counts.seconds, *glory,
        )  # fmt: skip


def pair_rows(results: Results) -> Rows:
    """A row for each ordered pair of agents."""
    ratings = results.ratings
    yield ("agent", "opponent", "better", *("placed_before" + end for end in _ENDS))
    for n in results.ratings.order:
        for m in results.ratings.order:
            if n != m:
                better = float(ratings.better[n, m]) if ratings.deals > 1 else None
                yield ratings.names[n], ratings.names[m], better, *_three(ratings.pair_share.at((n, m)))


def card_rows(results: Results) -> Rows:
    """A row for each card."""
    summary = results.summary
    kinds = (("drafted", summary.drafted), ("used", summary.used))
    named = [f"{kind}{end}" for kind, _ in kinds for end in ("", *("_share" + end for end in _ENDS), "_par")]
    yield ("card", "name", "type", *named)
    for card in cards_of(results.plan.options.numbers()[Option.SETS]):
        measured = [value for _, counts in kinds for value in _card(results, counts, card)]
        yield (Card(card).name, face(card), type_name(card), *measured)


def _card(results: Results, counts: CardCounts, card: int) -> Sequence[Value]:
    times = int(counts.by_agent[:, card].sum())
    return times, *_three(counts.shares.share(card)), results.summary.par(counts, card)


def draft_rows(results: Results) -> Rows:
    """A row for each agent and card."""
    summary = results.summary
    yield ("agent", "card", "games", "seen", "drafted", "mean_round", "used")
    for n in results.ratings.order:
        for card in cards_of(results.plan.options.numbers()[Option.SETS]):
            drafted = int(summary.drafted.by_agent[n, card])
            yield (
                summary.names[n],
                Card(card).name,
                summary.agents[n].finished,
                int(summary.draft_seen[n, card]),
                drafted,
                float(summary.draft_rounds[n, card]) / drafted if drafted else None,
                int(summary.used.by_agent[n, card]),
            )


def _three(each: Estimate) -> tuple[float, float, float]:
    return each.value, each.low, each.high


def _written(value: Value) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(("=", "+", "-", "@")) else value
    return str(value) if isinstance(value, int) else f"{value:.9g}"
