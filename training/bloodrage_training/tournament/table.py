"""The ratings as a table for the terminal, with warnings."""

from collections.abc import Iterator, Sequence

from bloodrage_env.text import counted

from ..report.page import MISSING, number, share_text
from .estimates import Estimate
from .ratings import FEW, Ratings

HEAD = ("agent", "Elo", "from the field", "from the leader", "win rate", "place")
LAST = ("seats", "forfeits")

# Of the difference of two agents
BOUNDS = (
    f"> and <: won or lost all but {FEW - 1} comparisons or fewer, so that the Elo is a bound; ~: too few comparisons"
)


def table(ratings: Ratings, score: str) -> str:
    """Return the table: a head, a line for each agent from the best to the worst, and explanations of the figures.

    `score` is the game's name for its score.
    """
    lines = aligned([(*HEAD, score, *LAST), *(_row(ratings, agent) for agent in ratings.order)])
    notes = [
        f"{counted(ratings.games, 'game')} of {counted(ratings.deals, 'deal')}; {zero_text(ratings)} 0 Elo",
        "in parentheses: 95 % intervals, over deals",
    ]
    if ratings.field.any():
        notes.append(f"the field, from whose mean the differences are: {field_names(ratings)}")
    return "\n".join([*lines, "", *notes, *warnings(ratings)])


def rating_rows(ratings: Ratings) -> Iterator[dict[str, object]]:
    """Yield the ratings of each agent, the strongest first. Estimates have a value and the ends of its interval."""
    for agent in ratings.order:
        estimates = {
            "from_field": ratings.from_field,
            "win_rate": ratings.win_share,
            "place": ratings.mean_place,
            "score": ratings.mean_score,
        }
        yield {
            "agent": ratings.names[agent],
            "elo": float(ratings.elo[agent]),
            **{name: each.at(agent) for name, each in estimates.items()},
            "seats": int(ratings.seats_taken[agent]),
            "forfeits": int(ratings.forfeits[agent]),
        }


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table with the first column flush left and the others flush right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]


def _row(ratings: Ratings, agent: int) -> tuple[str, ...]:
    from_field = ratings.from_field.at(agent)
    return (
        ratings.names[agent],
        f"{ratings.elo_bound(agent)}{ratings.elo[agent]:.0f}",
        ratings.field_bound(agent) + difference_text(from_field) if from_field.known else MISSING,
        _from_leader(ratings, agent),
        share_text(ratings.win_share.at(agent)),
        number(float(ratings.mean_place.value[agent]), 2),
        number(float(ratings.mean_score.value[agent]), 1),
        str(ratings.seats_taken[agent]),
        str(ratings.forfeits[agent]),
    )


def _from_leader(ratings: Ratings, agent: int) -> str:
    if agent in ratings.leaders:
        return "leader"
    return difference_text(ratings.from_leader(agent)) if ratings.field[agent] else MISSING


def difference_text(difference: Estimate) -> str:
    """Return a difference in Elo with its interval, if any: "+25 (-3 to +51)"; MISSING for an unknown one."""
    if not difference.known:
        return MISSING
    ends = f" ({difference.low:+.0f} to {difference.high:+.0f})" if difference.bounded else ""
    return f"{difference.value:+.0f}{ends}"


def above_anchor(ratings: Ratings, agent: int) -> str:
    """Return the Elo of an agent above the anchor: "+25 (-3 to +51)", or a bound, ">+1205"."""
    difference = ratings.ahead.at((agent, ratings.names.index(ratings.zeros[agent])))
    return ratings.elo_bound(agent) + difference_text(difference)


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
