"""The numbers of a report that only Blood Rage has. docs/report.md describes the columns."""

from collections.abc import Sequence

import numpy as np

from bloodrage_env.games.bloodrage.engine import Card, Option, Source, cards_of
from bloodrage_env.games.bloodrage.notation.words import face

from ....report.columns import ENDS, ends
from ....report.summary import Results, Rows, Value
from .cards import type_name
from .counts import CardCounts, details_of, mean_rounds, par


def source_columns(results: Results) -> dict[str, list[Value]]:
    """Return columns of agents.csv: the mean glory of each agent by source, None without a finished game."""
    details, agents = details_of(results), results.summary.agents
    return {
        f"glory_{source.name.lower()}": [
            float(details.glory_from[n, source]) / counts.finished if counts.finished else None
            for n, counts in enumerate(agents)
        ]
        for source in Source
    }


def card_rows(results: Results) -> Rows:
    """Return a row for each card."""
    details = details_of(results)
    kinds = (("drafted", details.drafted), ("used", details.used))
    named = [f"{kind}{end}" for kind, _ in kinds for end in ("", *("_share" + end for end in ENDS), "_par")]
    yield ("card", "name", "type", *named)
    for card in cards_of(results.plan.options.numbers()[Option.SETS]):
        measured = [value for _, counts in kinds for value in _card(results, counts, card)]
        yield (Card(card).name, face(card), type_name(card), *measured)


def _card(results: Results, counts: CardCounts, card: int) -> Sequence[Value]:
    times = int(counts.by_agent[:, card].sum())
    return times, *ends(counts.shares.share(card)), par(results.summary, counts, card)


def draft_rows(results: Results) -> Rows:
    """Return a row for each agent and card."""
    summary, details = results.summary, details_of(results)
    yield ("agent", "card", "games", "seen", "drafted", "mean_round", "used")
    for n in results.ratings.order:
        rounds, seen = mean_rounds(details.kept[n]), details.seen[n].sum(axis=(0, 1))
        for card in cards_of(results.plan.options.numbers()[Option.SETS]):
            drafted = int(details.drafted.by_agent[n, card])
            yield (
                summary.names[n],
                Card(card).name,
                summary.agents[n].finished,
                int(seen[card]),
                drafted,
                float(rounds[card]) if drafted else None,
                int(details.used.by_agent[n, card]),
            )


def pick_rows(results: Results) -> Rows:
    """Return a row for each agent, Age, round and card that lay before it."""
    details = details_of(results)
    yield ("agent", "age", "round", "card", "seen", "drafted")
    for n in results.ratings.order:
        for age, turn, card in np.argwhere(details.seen[n]).tolist():
            seen, kept = (int(counts[n, age, turn, card]) for counts in (details.seen, details.kept))
            yield (results.summary.names[n], age + 1, turn + 1, Card(card).name, seen, kept)
