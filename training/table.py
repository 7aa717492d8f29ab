"""The ratings as a table for the terminal."""

import numpy as np

from .ratings import Interval, Ratings

HEAD = ("agent", "Elo", "95 %", "win share", "place", "glory", "seats", "forfeits")


def table(ratings: Ratings) -> str:
    """The agents from the best to the worst, a line each, under a head; then what the figures mean."""
    order = np.argsort(-ratings.elo, kind="stable")
    rows = [HEAD, *(_row(ratings, int(agent)) for agent in order)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = []
    for row in rows:
        cells = [
            f"{row[0]:{widths[0]}}",
            *(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)),
        ]
        lines.append("  ".join(cells).rstrip())
    notes = [f"{ratings.games} games of {ratings.deals} deals; {ratings.anchor} has 0 Elo, intervals hold 95 %"]
    if ratings.unbeaten.any() or ratings.beaten.any():
        notes.append("> and <: won or lost every comparison, so that the rating is a bound that the prior sets")
    anchor = ratings.names.index(ratings.anchor)
    if ratings.unbeaten[anchor] or ratings.beaten[anchor]:
        notes.append(f"{ratings.anchor} is such an agent: how far the others are from it is a bound for all of them")
    return "\n".join([*lines, "", *notes])


def _row(ratings: Ratings, agent: int) -> tuple[str, ...]:
    bound = ">" if ratings.unbeaten[agent] else "<" if ratings.beaten[agent] else ""
    known = np.isfinite(ratings.low[agent]) and ratings.names[agent] != ratings.anchor
    return (
        ratings.names[agent],
        f"{bound}{ratings.elo[agent]:.0f}",
        f"{ratings.low[agent]:.0f} to {ratings.high[agent]:.0f}" if known else "",
        _with_ends(ratings.win_share, agent, 100, " %"),
        _with_ends(ratings.mean_place, agent),
        _with_ends(ratings.mean_glory, agent),
        str(ratings.seats_taken[agent]),
        str(ratings.forfeits[agent]),
    )


def _with_ends(interval: Interval, agent: int, scale: float = 1, mark: str = "") -> str:
    """A value and half the width of its interval, as `31.2 ±2.5 %`."""
    value, half = scale * interval.value[agent], scale * (interval.high[agent] - interval.low[agent]) / 2
    if np.isnan(value):
        return "-"
    digits = 1 if scale * value > 10 else 2
    return f"{value:.{digits}f}{'' if np.isnan(half) else f' ±{half:.{digits}f}'}{mark}"
