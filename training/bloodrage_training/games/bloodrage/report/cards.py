"""The part of a report about cards: the drafts of each agent, and the cards that occur with wins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bloodrage_env.games.bloodrage.engine import NUM_CARDS, TYPE, CardType
from bloodrage_env.games.bloodrage.notation.words import face

from ....report.charts import dots, shorten
from ....report.columns import share
from ....report.page import Cell, Row, details, figure, number, percent, section, signed, table
from ....report.summary import Results, Summary
from ....tournament.estimates import Estimate
from .counts import MIN_TAKES, CardCounts, Details, details_of, mean_rounds, par

MOST_DRAFTED: Final = 8  # shown for each agent
BEST: Final = 12  # cards at the upper end of a chart ...
WORST: Final = 6  # ... and at the lower end


@dataclass(frozen=True)
class CardLine:
    """One card of a comparison; `par` is the win rate of the agents that took it, over all their games."""

    card: int
    takes: int
    share: Estimate
    par: float

    @property
    def more(self) -> Estimate:
        """The win rate above par. Par is treated as known."""
        return Estimate(self.share.value - self.par, self.share.low - self.par, self.share.high - self.par)


def card_lines(summary: Summary, counts: CardCounts, min_takes: int = 1) -> list[CardLine]:
    """Return the cards that were taken often enough, the best one compared with par first."""
    takes = counts.by_agent.sum(axis=0)
    found = [
        CardLine(card, int(takes[card]), counts.shares.share(card), par(summary, counts, card))
        for card in range(NUM_CARDS)
        if takes[card] >= min_takes
    ]
    return sorted(found, key=lambda line: (-round(line.more.value, 9), line.card))


def type_name(card: int) -> str:
    """Return the type of a card: "battle", "quest", "clan"."""
    return CardType(TYPE[card]).name.lower()


def drafts_part(results: Results) -> str:
    """Return the drafts of each agent."""
    summary, details = results.summary, details_of(results)
    tables = [_drafted_by(summary, details, agent) for agent in results.ratings.order if summary.agents[agent].finished]
    return section(
        "drafts",
        "Most drafted cards",
        "Per game: how many copies of the card an agent drafts in a game. Round: in which round of the draft, on "
        "average; early means wanted. Taken: how often it takes a copy that it sees in a pack.",
        f'<div class="columns">{"".join(tables)}</div>',
    )


def _drafted_by(summary: Summary, details: Details, agent: int) -> str:
    taken, rounds = details.drafted.by_agent[agent], mean_rounds(details.kept[agent])
    seen = details.seen[agent].sum(axis=(0, 1))
    best = sorted((card for card in range(NUM_CARDS) if taken[card]), key=lambda card: (-taken[card], card))
    rows = [
        (
            face(card),
            [
                number(taken[card] / summary.agents[agent].finished, 2),
                number(rounds[card], 1),
                percent(taken[card] / seen[card], 0),
            ],
        )
        for card in best[:MOST_DRAFTED]
    ]
    name = shorten(summary.names[agent], 60)
    if not rows:
        return ""
    return f"<div>{table(name, ['card', 'per game', 'round', 'taken'], rows)}</div>"


def winners_part(results: Results) -> str:
    """Return the cards that occur with wins."""
    summary, details = results.summary, details_of(results)
    return section(
        "cards",
        "Cards that win",
        "A dot is how much more often those who took the card win than they do over all of their games (par), with its "
        "95 % interval. Right of the dashed line those who took the card win more often than usual; the card "
        "need not be the cause. One interval in twenty misses the line by chance alone.",
        _comparison(summary, details.drafted, "Drafted", "kept in the draft"),
        _comparison(
            summary,
            details.used,
            "Used",
            "put on the clan sheet (upgrades), committed to (quests) or shown in a battle",
        ),
    )


def _comparison(summary: Summary, counts: CardCounts, heading: str, meaning: str) -> str:
    found = card_lines(summary, counts, MIN_TAKES)
    title = f"<h3>{heading}</h3><p>Cards {meaning}, at least {MIN_TAKES} times.</p>"
    if not found:
        return f"{title}<p>No card has been taken so often yet.</p>"
    chosen = found if len(found) <= BEST + WORST else [*found[:BEST], *found[-WORST:]]
    left_out = len(found) - len(chosen)
    chart = dots(
        [(face(line.card), line.more) for line in chosen],
        f"{heading} cards: win rate less par, with intervals, for the {len(chosen)} cards farthest from par",
        "win rate less par, percentage points",
        percent=True,
        reference=0,
    )
    note = f"<p>The best {BEST} and the last {WORST}; {left_out} between them are in the table.</p>" if left_out else ""
    return title + note + figure(chart) + details(f"All {len(found)} cards", _card_table(heading, found))


def _card_table(heading: str, found: Sequence[CardLine]) -> str:
    head = ["card", "type", "times", "win rate", "par", "difference"]
    rows: list[Row] = [
        (
            face(line.card),
            [
                type_name(line.card),
                number(line.takes),
                share(line.share).cell,
                percent(line.par),
                Cell(signed(f"{100 * line.more.value:+.1f}"), shade=4 * line.more.value),
            ],
        )
        for line in found
    ]
    return table(f"{heading} cards; the difference from par is in percentage points", head, rows)
