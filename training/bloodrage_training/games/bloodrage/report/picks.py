"""The part of a report about the picks of the strongest agents, by Age and round of the draft."""

from typing import Final

from bloodrage_env.games.bloodrage.engine import DRAFT_ROUNDS, NUM_AGES
from bloodrage_env.games.bloodrage.notation.words import face
from bloodrage_env.text import counted

from ....report.page import MISSING, Cell, Row, percent, section, table
from ....report.summary import Counts, Results
from .counts import details_of

MOST_PICKED: Final = 15  # cards shown for each Age


def picks_part(results: Results) -> str:
    """Return how often the strongest agents take a card that lies before them, by Age and round."""
    details, leaders = details_of(results), [n for n in results.ratings.leaders if results.summary.agents[n].finished]
    if not leaders:
        return ""
    kept, seen = details.kept[leaders].sum(axis=0), details.seen[leaders].sum(axis=0)
    games = sum(results.summary.agents[n].finished for n in leaders)
    names = " and ".join(results.summary.names[n] for n in leaders)
    tables = [_age(age, kept[age], seen[age], results.summary.num_players) for age in range(NUM_AGES)]
    return section(
        "picks",
        "What the strongest agents draft",
        f"In {counted(games, 'game')} (seats played to the end) of {names}: how often a copy of the card was taken "
        "from a pack in which it lay, in all rounds and in each round of the draft; below it how often it was taken, "
        f"and how often it lay there. For each Age the {MOST_PICKED} cards that were taken most.",
        *tables,
    )


def _age(age: int, kept: Counts, seen: Counts, num_players: int) -> str:
    taken = kept.sum(axis=0)
    best = sorted(taken.nonzero()[0].tolist(), key=lambda card: (-taken[card], card))[:MOST_PICKED]
    rounds = range(int(DRAFT_ROUNDS[num_players]))
    rows: list[Row] = [
        (
            face(card),
            [
                _rate(int(taken[card]), int(seen[:, card].sum())),
                *(_rate(int(kept[turn, card]), int(seen[turn, card])) for turn in rounds),
            ],
        )
        for card in best
    ]
    if not rows:
        return ""
    return table(f"Age {age + 1}", ["card", "all rounds", *(f"round {turn + 1}" for turn in rounds)], rows)


def _rate(taken: int, seen: int) -> Cell:
    if not seen:
        return Cell(MISSING)
    return Cell(percent(taken / seen, 0), f"{taken:,} of {seen:,}", shade=taken / seen)
