"""The table of ratings: its columns, its text, and warnings."""

from collections.abc import Iterator, Sequence

from bloodrage_env.text import counted

from ..report.columns import (
    Column,
    Shown,
    aligned,
    count,
    difference,
    elo,
    label,
    mean,
    records,
    share,
    texts,
)
from ..report.page import MISSING, Cell
from .ratings import FEW, Ratings

# What stands before a difference of two agents
BOUNDS = (
    f"> and <: won or lost all but {FEW - 1} comparisons or fewer, so that the Elo is a bound; ~: too few comparisons"
)


def columns(ratings: Ratings, score: str) -> tuple[Column, ...]:
    """Return the columns of ratings, whose rows are agents. `score` is the game's name for its score.

    They are those of the printed table, of `--json`, of the page, of agents.csv, and of `bloodrage evaluate --json`.
    """
    return (
        Column("agent", "agent", lambda agent: label(ratings.names[agent])),
        Column("elo", "Elo", lambda agent: elo(float(ratings.elo[agent]), ratings.elo_bound(agent))),
        Column("from_field", "from the field", lambda agent: _from_field(ratings, agent)),
        Column("from_leader", "from the leader", lambda agent: _from_leader(ratings, agent)),
        Column("win_rate", "win rate", lambda agent: share(ratings.win_share.at(agent))),
        Column("place", "place", lambda agent: mean(ratings.mean_place.at(agent), 2)),
        Column("score", score, lambda agent: mean(ratings.mean_score.at(agent), 1)),
        Column("seats", "seats", lambda agent: count(int(ratings.seats_taken[agent]))),
        Column("forfeits", "forfeits", lambda agent: count(int(ratings.forfeits[agent]))),
    )


def table(ratings: Ratings, score: str) -> str:
    """Return the table: a head, a line for each agent from the best to the worst, and explanations of the figures."""
    lines = aligned(texts(columns(ratings, score), ratings.order))
    notes = [
        f"{counted(ratings.games, 'game')} of {counted(ratings.deals, 'deal')}; {zero_text(ratings)} 0 Elo",
        "in parentheses: 95 % intervals, over deals",
    ]
    if ratings.field.any():
        notes.append(f"the field, from whose mean the differences are: {field_names(ratings)}")
    return "\n".join([*lines, "", *notes, *warnings(ratings)])


def rating_rows(ratings: Ratings, score: str) -> Iterator[dict[str, object]]:
    """Yield the ratings of each agent, the strongest first. Estimates have a value and the ends of its interval."""
    return records(columns(ratings, score), ratings.order)


def _from_field(ratings: Ratings, agent: int) -> Shown:
    return difference(ratings.from_field.at(agent), ratings.field_bound(agent))


def _from_leader(ratings: Ratings, agent: int) -> Shown:
    found = ratings.from_leader(agent)
    if agent in ratings.leaders:
        return Shown(found, "leader", Cell("leader"))
    return difference(found) if ratings.field[agent] else Shown(found, MISSING, Cell(MISSING))


def above_anchor(ratings: Ratings, agent: int) -> Shown:
    """Show the Elo of an agent above the anchor: "+25 (-3 to +51)", or a bound, ">+1205"."""
    ahead = ratings.ahead.at((agent, ratings.names.index(ratings.zeros[agent])))
    return difference(ahead, ratings.elo_bound(agent))


def zero_text(ratings: Ratings) -> str:
    """Return who has 0 Elo, with the verb: "a has", or "a and c have" if groups are rated apart."""
    names = ratings.anchors
    return f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'}"


def field_names(ratings: Ratings) -> str:
    """Return the agents of the field of each group, the strongest first."""
    fields = [[agent for agent in agents if ratings.field[agent]] for agents in ratings.groups]
    return _listed(ratings, [agents for agents in fields if agents])


def _listed(ratings: Ratings, groups: Sequence[Sequence[int]]) -> str:
    return "; ".join(", ".join(ratings.names[agent] for agent in agents) for agents in groups)


def warnings(ratings: Ratings) -> list[str]:
    """Return a line for groups that are rated apart, and for each agent outside the field why its rating is a bound.

    Without a field there is one line for all. Each agent without a finished game has a line.
    """
    lines, groups = [], ratings.groups
    if len(groups) > 1:
        lines.append(f"no games connect these groups, so that each is rated apart: {_listed(ratings, groups)}")
    if not ratings.field.any():
        return [
            *lines,
            f"no two agents have {FEW} comparisons against the order of strength: all ratings are bounds that "
            "the prior sets",
            *(_warning(ratings, agent) for agent in ratings.order if not ratings.finished[agent]),
        ]
    return [*lines, *(_warning(ratings, agent) for agent in ratings.order if not ratings.field[agent])]


def _warning(ratings: Ratings, agent: int) -> str:
    """Return the reason why the rating of an agent outside the field is a bound."""
    name, compared = ratings.names[agent], int(ratings.compared[agent])
    if not ratings.finished[agent]:
        return f"{name}: none of its games was played to the end, so that it has no rank"
    not_lost, not_won = int(ratings.not_lost[agent]), int(ratings.not_won[agent])
    if min(not_lost, not_won) >= FEW:
        why = f"fewer than {FEW} comparisons between it and the field went against the order"
    elif max(not_lost, not_won) < FEW:
        return f"{name}: its {compared} comparisons are too few for a rating"
    elif not_lost < FEW:
        why = f"lost {_all_but(not_lost, compared)}"
    else:
        why = f"won {_all_but(not_won, compared)}"
    return f"{name}: {why}, so that its rating is a bound that the prior sets"


def _all_but(exceptions: int, of: int) -> str:
    return f"all but {exceptions} of {of} comparisons" if exceptions else f"all {of} comparisons"
