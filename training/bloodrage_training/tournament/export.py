"""The games of a store as a table for other programs: a row for each seat of each game, and a data frame in Python."""

import os
from pathlib import Path
from typing import Any, Final, Self, TextIO

from bloodrage_env import files, games
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError

from ..extras import needed
from ..report.summary import Value
from ..report.tables import csv_text, game_rows
from .counted import games_of_results
from .store import Store

FORMATS: Final = ("csv", "json", "parquet")
PARQUET: Final = "the format parquet"  # in messages
Columns = dict[str, list[Value]]


class Results:
    """The results of a tournament as a data frame. Needs the extra `data`.

    Parameters
    ----------
    columns : dict
        Lists of values by the name of the column; `Results.open` reads them.

    Examples
    --------
    >>> from bloodrage_training.tournament.export import Results
    >>> len(Results.open("games.sqlite").games())  # 8 games, 2 seats
    16
    """

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Read a store.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        Results
            The results. Raises StoreError for a file that is missing, damaged or not a store.
        """
        with Store.open(path) as store:
            return cls(columns(store))

    def games(self) -> Any:
        """Return a `pandas.DataFrame` with a row for each seat of each game; docs/report.md describes the columns.

        Raise UserError if pandas is not installed.
        """
        return needed("pandas", "a data frame").DataFrame(self._columns)


def columns(store: Store, progress: TextIO | None = None) -> Columns:
    """Return the games that count in the results of a store, by the names of columns."""
    head, *rows = game_rows(games_of_results(store, progress)[0], games.spec(store.plan().options.game).score)
    return {str(name): [row[place] for row in rows] for place, name in enumerate(head)}


def format_of(file: str, named: str | None) -> str:
    """Return the format that `named` or the ending of a file says. Raise UserError for another ending."""
    found = named or Path(file).suffix.removeprefix(".")
    if found not in FORMATS:
        raise UserError(f"{file} has no ending of {', '.join(f'.{each}' for each in FORMATS)}; give one, or --format")
    return found


def write_games(store: Store, file: str, kind: str, progress: TextIO | None = None) -> int:
    """Write the games of a store as a table, with a row for each seat of each game.

    Parameters
    ----------
    store : Store
        An open store.
    file : str
        The file.
    kind : {"csv", "json", "parquet"}
        The format.
    progress : TextIO, optional
        A stream on which progress is drawn, such as `sys.stderr`.

    Returns
    -------
    int
        Number of rows. Raises UserError if the file cannot be written.

    Examples
    --------
    >>> from bloodrage_training.tournament.export import write_games
    >>> from bloodrage_training.tournament.store import Store
    >>> with Store.open("games.sqlite") as store:
    ...     write_games(store, "games.csv", "csv")
    16
    """
    found = columns(store, progress)
    rows = [dict(zip(found, row, strict=True)) for row in zip(*found.values(), strict=True)]
    try:
        if kind == "parquet":
            pa, pq = needed("pyarrow", PARQUET), needed("pyarrow.parquet", PARQUET)
            packed = pa.BufferOutputStream()
            pq.write_table(pa.table(found), packed, compression="zstd")
            files.write(file, packed.getvalue().to_pybytes())
        elif kind == "json":
            files.write(file, (as_json(rows, indent=1) + "\n").encode())
        else:
            files.write(file, csv_text([[*found], *(list(row.values()) for row in rows)]).encode())
    except OSError as error:
        raise UserError(f"can't write {file}: {error.strerror or error}") from error
    return len(rows)
