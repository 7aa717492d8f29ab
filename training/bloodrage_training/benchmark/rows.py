"""Rows of tables from result files, for the terminal, papers and the leaderboard."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from bloodrage_env.errors import UserError

from .. import markdown
from ..report.columns import Column, Shown, filled, label, share, texts, with_interval
from ..report.page import MISSING
from ..tournament.estimates import Estimate
from .protocols import SOLO, TRACKS, required
from .record import Record, read
from .results import Track

FORMS: Final = ("markdown", "latex")
TRIAL: Final = " (trial, not comparable)"
_LATEX: Final = {
    "\\": r"\textbackslash{}",
    **{each: f"\\{each}" for each in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def table(records: Sequence[Record]) -> list[tuple[str, ...]]:
    """Return a head and a row for each agent, as texts, without columns that have no values."""
    columns = [
        Column("agent", "agent", lambda each: label(f"{each.name}{'' if each.comparable else TRIAL}")),
        *(Column(name, name, _of(name)) for name in TRACKS),
        Column("trained", "trained", lambda each: label(each.stated or MISSING)),
    ]
    return texts(filled(columns, records), records)


def _of(name: str) -> Callable[[Record], Shown]:
    return lambda record: _shown(record.track(name))


def _shown(track: Track | None) -> Shown:
    if track is None:
        return label(MISSING)
    if track.protocol.track == SOLO:
        return label(with_interval(track.mean_score(), ".2f"))
    rate = track.win_rate()
    if track.response is None:
        return share(rate)
    gain = Estimate(*(100 * (each - track.share) for each in (rate.value, rate.low, rate.high)))
    return label(with_interval(gain, "+.1f"))


def rows_as(form: str, records: Sequence[Record]) -> list[str]:
    """Return the lines of a table in one of FORMS."""
    head, *rows = table(records)
    if form == "markdown":
        return markdown.table(head, rows, coded=0)
    return [f"% {' & '.join(head)}", *(f"{' & '.join(map(_latex, row))} \\\\" for row in rows)]


def _latex(text: str) -> str:
    return "".join(_LATEX.get(each, each) for each in text).replace(MISSING, "--")


def leaderboard(folder: Path, game: str) -> list[Record]:
    """Return the comparable records of a game in a folder, the strongest first.

    The order is that of the win rates at a table, or in the first track of the game. Raise UserError for a file that
    is invalid, or lacks a track.
    """
    found = []
    for path in sorted(folder.glob("*.json")):
        record = read(path)
        missing = [each for each in required(record.game) if record.track(each) is None]
        if missing or not record.comparable:
            what = f"it has no track {missing[0]}" if missing else "it is a trial"
            raise UserError(f"{path} is not complete: {what}")
        if record.game == game:
            found.append(record)
    return sorted(found, key=_strength)


def _strength(record: Record) -> tuple[float, str]:
    track = record.track("table") or record.tracks[0]
    measured = track.mean_score() if track.protocol.track == SOLO else track.win_rate()
    return -measured.value, record.name
