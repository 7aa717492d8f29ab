"""Rows of tables from result files, for the terminal, papers and the leaderboard."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from bloodrage_env.errors import UserError

from .. import markdown
from ..report.page import MISSING, share_text
from .protocols import SOLO, TRACKS, required
from .record import Record, read
from .results import Track

FORMS: Final = ("markdown", "latex")
HEAD: Final = ("agent", *TRACKS, "trained")
_LATEX: Final = {
    "\\": r"\textbackslash{}",
    **{each: f"\\{each}" for each in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def cells(record: Record) -> tuple[str, ...]:
    """Return the row of an agent, in the columns of HEAD."""
    name = record.name if record.comparable else f"{record.name} (trial, not comparable)"
    return (name, *(_cell(record.track(each)) for each in TRACKS), record.stated or MISSING)


def _cell(track: Track | None) -> str:
    if track is None:
        return MISSING
    if track.protocol.track == SOLO:
        mean = track.mean_score()
        return f"{mean.value:.2f} ({mean.low:.2f} to {mean.high:.2f})"
    rate = track.win_rate()
    if track.response is None:
        return share_text(rate)
    gain, *ends = (f"{100 * (each - track.share):+.1f}" for each in (rate.value, rate.low, rate.high))
    return f"{gain} ({' to '.join(ends)})"


def table(records: Iterable[Record]) -> list[tuple[str, ...]]:
    """Return a head and a row for each agent, as texts, without columns that have no values."""
    rows = [cells(each) for each in records]
    kept = [column for column in range(len(HEAD)) if any(row[column] != MISSING for row in rows)]
    return [tuple(row[column] for column in kept) for row in (HEAD, *rows)]


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
