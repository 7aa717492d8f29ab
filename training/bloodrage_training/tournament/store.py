"""The store of a tournament: one SQLite file that several processes may write, and that survives `kill -9`.

A game is recorded when it ends. A process claims a unit before it plays it. The claim expires when the process has
died or has been silent for `SILENCE` seconds. What is read is not trusted: the tables must be exactly those
below, rows have checksums, `codec.py` checks every value, and a store that has lost games is not opened.
"""

import contextlib
import os
import socket
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Self

from bloodrage_env import files, games
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError

from . import codec
from .plan import total_units, unit
from .processes import start_of
from .records import Plan, StoredGame, Unit

FORMAT: Final = 6
SILENCE: Final = 60.0  # seconds without a beat after which a writer counts as dead
MAX_TRIES: Final = 3  # of a unit at which workers die
BUSY: Final = 60.0  # seconds to wait for another writer
_APPLICATION_ID: Final = 0x42525447  # "BRTG"
_MAX_VALUE: Final = 1_000_000  # bytes of a single value

# A checksum is `codec.checksum` of the other columns, of a writer without `number` and `beat`.
_TABLES: Final = {
    "facts": """CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum BLOB NOT NULL)
 STRICT, WITHOUT ROWID""",
    "writers": """CREATE TABLE writers (number INTEGER PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL,
 started TEXT NOT NULL, beat REAL NOT NULL, versions TEXT NOT NULL, checksum BLOB NOT NULL) STRICT""",
    "units": """CREATE TABLE units (number INTEGER PRIMARY KEY, state TEXT NOT NULL,
 writer INTEGER NOT NULL REFERENCES writers, claims INTEGER NOT NULL, tries INTEGER NOT NULL, reason TEXT) STRICT""",
    "games": """CREATE TABLE games (id TEXT PRIMARY KEY, unit INTEGER NOT NULL REFERENCES units, deal INTEGER NOT NULL,
 seating INTEGER NOT NULL, seed INTEGER NOT NULL, line_up TEXT NOT NULL, options TEXT NOT NULL, actions BLOB NOT NULL,
 scores TEXT NOT NULL, forfeit_seat INTEGER, forfeit_reason TEXT, seconds TEXT NOT NULL, decisions TEXT NOT NULL,
 talk TEXT NOT NULL, writer INTEGER NOT NULL REFERENCES writers, checksum BLOB NOT NULL) STRICT, WITHOUT ROWID""",
    "units_by_state": "CREATE INDEX units_by_state ON units (state, number)",
    "games_by_unit": "CREATE INDEX games_by_unit ON games (unit)",
    "games_in_order": "CREATE INDEX games_in_order ON games (deal, seating, line_up)",
}
_CURE: Final = "restore a copy of it, or start again under another name"


class StoreError(UserError):
    """A store cannot be read or written; the message is one line."""


class Store:
    """An open store. Use it as a context manager, or `close` it.

    `create` and `open` make one; the methods that write need `open(path, write=True)` and, before them, `join`.

    Parameters
    ----------
    path : Path
        The file.
    connection : sqlite3.Connection
        Of this file.

    Examples
    --------
    >>> from bloodrage_training.tournament.store import Store
    >>> with Store.open("games.sqlite") as store:
    ...     store.recorded(), store.plan().agents
    (8, ('random', 'balanced'))
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection
        self._writer = 0

    # ---- opening

    @classmethod
    def create(cls, path: str | os.PathLike[str], plan: Plan) -> Self:
        """Create a store and return it, open for writing.

        Parameters
        ----------
        path : path
            A new file.
        plan : Plan
            The plan of the tournament.

        Returns
        -------
        Store
            The store. Raises StoreError if the file exists.
        """
        target = Path(path)
        if target.exists():
            raise StoreError(f"{target} exists; 'bloodrage tournament resume' goes on with a store")
        unfinished = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            unfinished.unlink(missing_ok=True)
            with _faults(target):
                db = sqlite3.connect(unfinished, isolation_level=None)
                with contextlib.closing(db):
                    db.execute("PRAGMA journal_mode = WAL")  # readers and a writer don't wait for each other
                    for name, value in (("application_id", _APPLICATION_ID), ("user_version", FORMAT)):
                        db.execute(f"PRAGMA {name} = {value}")
                    for statement in _TABLES.values():
                        db.execute(statement)
                    rules = games.game(plan.options.game).rules_version
                    facts = {"rules": rules, "created": codec.now(), "plan": codec.plan_to_text(plan)}
                    rows = [(*fact, codec.checksum(*fact)) for fact in facts.items()]
                    db.executemany("INSERT INTO facts VALUES (?, ?, ?)", rows)
            os.link(unfinished, target)  # unlike a rename it fails if another process was faster
            files.sync_folder(target.parent)
        except FileExistsError:
            raise StoreError(f"{target} exists; another process has just made it") from None
        except OSError as error:
            raise StoreError(f"{target} can't be made: {error.strerror}") from None
        finally:
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)
        return cls.open(target, write=True)

    @classmethod
    def open(cls, path: str | os.PathLike[str], write: bool = False) -> Self:
        """Open an existing store and check that it is complete, which takes some seconds for 100,000 games.

        Parameters
        ----------
        path : path
            The file.
        write : bool
            True: for writing.

        Returns
        -------
        Store
            The store. Raises StoreError if the file is not a store, is damaged, or has another format or version of the
            rules.
        """
        target = Path(path)
        if not target.is_file():
            raise StoreError(f"{target} is not a file; 'bloodrage tournament run' makes a store")
        with _faults(target):
            db = _connect(target, write)
            store = cls(target, db)
            try:
                _check_kind(target, db)
                with store._transaction("DEFERRED"):  # others may write meanwhile
                    store._check_content()
            except BaseException:
                db.close()
                raise
        return store

    def close(self) -> None:
        """Release the claims of this process and close the file."""
        try:
            if self._writer:
                with contextlib.suppress(StoreError), self._transaction():
                    self._db.execute("UPDATE units SET state = 'open' WHERE state = 'claimed' AND writer = ?", self._me)
        finally:
            self._db.close()

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the store."""
        self.close()

    # ---- reading

    def plan(self) -> Plan:
        """Return the plan of the tournament."""
        return codec.plan_from_text(self._fact("plan"), self._fault)

    def created(self) -> str:
        """Return when the store was created, in UTC: `2026-01-31T12:00:00Z`."""
        return codec.checked_text(self._fact("created"), 40, "its date", self._fault)

    def versions(self) -> tuple[dict[str, str], ...]:
        """Return, for each process that has written, the versions of bloodrage, rules, Python, numpy and numba."""
        rows = self._rows("SELECT host, pid, started, versions, checksum FROM writers ORDER BY number")
        return tuple(codec.versions_from_text(row[3], self._fault) for row in self._checked(rows, "a writer"))

    def finished(self) -> Iterator[StoredGame]:
        """Yield the games of complete units, in the order of deal, seating and line-up.

        Games of incomplete units are omitted: a deal counts when each agent has had every seat.
        """
        # The plus sign: in the order of the index, not sorted afterwards.
        return self._in_order("WHERE +unit IN (SELECT number FROM units WHERE state = 'done')")

    def games(self) -> Iterator[StoredGame]:
        """Yield every stored game, including those of incomplete units, in the same order."""
        return self._in_order("")

    def game(self, prefix: str) -> StoredGame:
        """Return a game by its id.

        Parameters
        ----------
        prefix : str
            The beginning of the id.

        Returns
        -------
        StoredGame
            The game. Raises StoreError if there is none, or more than one.
        """
        bounds = (prefix, prefix + "g")  # ids are hex digits
        found = list(self._games("WHERE id >= ? AND id < ? LIMIT 2", bounds))
        if len(found) != 1:
            raise StoreError(f"{self.path} has {'several games' if found else 'no game'} with an id like {prefix!r}")
        return found[0]

    def recorded(self) -> int:
        """Return the number of stored games."""
        return int(next(self._rows("SELECT count(*) FROM games NOT INDEXED"))[0])

    def settled(self) -> int:
        """Return the number of units that are complete or were given up."""
        return int(next(self._rows("SELECT count(*) FROM units WHERE state IN ('done', 'failed')"))[0])

    def failures(self) -> tuple[tuple[int, str], ...]:
        """Return the number and reason of each unit that was given up."""
        rows = self._rows("SELECT number, reason FROM units WHERE state = 'failed' ORDER BY number")
        return tuple((int(number), codec.checked_text(reason, 500, "a reason", self._fault)) for number, reason in rows)

    # ---- writing

    def join(self, versions: dict[str, str]) -> None:
        """Register this process as a writer with these versions. `claim` and `record` need it."""
        row = (socket.gethostname(), os.getpid(), start_of(os.getpid()), codec.versions_to_text(versions))
        with self._transaction():
            cursor = self._db.execute(
                "INSERT INTO writers (host, pid, started, versions, checksum, beat) VALUES (?, ?, ?, ?, ?, ?)",
                (*row, codec.checksum(*row), time.time()),
            )
        self._writer = int(cursor.lastrowid or 0)

    def beat(self) -> None:
        """Record that this writer is alive, and write recorded games to the main file.

        Call it more often than every `SILENCE` seconds. It empties the file `-wal`, so games recorded before the call
        do not depend on that file if the process is killed.
        """
        with self._transaction():
            self._db.execute("UPDATE writers SET beat = ? WHERE number = ?", (time.time(), self._writer))
        with _faults(self.path):
            self._db.execute("PRAGMA busy_timeout = 0")  # while others read, there is another beat
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._db.execute(f"PRAGMA busy_timeout = {1000 * BUSY:.0f}")

    def change_stop(self, plan: Plan) -> None:
        """Change the stop rules; `plan` is the plan of this store with other `deals` or `until_width`."""
        text = codec.plan_to_text(plan)
        with self._transaction():
            values = (text, codec.checksum("plan", text))
            self._db.execute("UPDATE facts SET value = ?, checksum = ? WHERE name = 'plan'", values)

    def claim(self, plan: Plan) -> Unit | None:
        """Claim the next unit and return it without its recorded games; None if all are complete or claimed."""
        while True:
            with self._transaction():
                number = self._next_open(total_units(plan))
                if number is None:
                    return None
                (claims,) = self._db.execute(
                    "INSERT INTO units VALUES (?, 'claimed', ?, 1, 0, NULL) ON CONFLICT (number)"
                    " DO UPDATE SET state = 'claimed', writer = excluded.writer, claims = claims + 1 RETURNING claims",
                    (number, self._writer),
                ).fetchone()
                recorded = self._db.execute("SELECT seating FROM games WHERE unit = ?", (number,)).fetchall()
            left = tuple(game for game in unit(plan, number, claims - 1).games if (game.seating,) not in recorded)
            if left:
                return Unit(number, left)
            self.finish(number)  # its writer died between the last game and this

    def record(self, number: int, game: StoredGame) -> None:
        """Store a game of unit `number`. A stored game of the same seating is not replaced."""
        with self._transaction():
            self._insert(number, game)

    def finish(self, number: int) -> None:
        """Mark a unit as complete; all of its games are recorded."""
        with self._transaction():
            self._db.execute("UPDATE units SET state = 'done' WHERE number = ?", (number,))

    def fail(self, number: int, reason: str, forfeit: StoredGame | None = None) -> bool:
        """Record that a worker died at a unit; return whether the unit is given up.

        The unit is open again until workers have died `MAX_TRIES` times. Then `forfeit` is stored as one of its games,
        and the unit has another `MAX_TRIES`; without a `forfeit` the unit is given up. If another process has claimed
        the unit meanwhile, because this one was silent, nothing is recorded.
        """
        with self._transaction():
            held = "SELECT tries + 1 FROM units WHERE number = ? AND writer = ? AND state = 'claimed'"
            (tries,) = self._db.execute(held, (number, self._writer)).fetchone() or (0,)
            if not tries:
                return False
            lost = tries >= MAX_TRIES
            if lost and forfeit is not None:
                self._insert(number, forfeit)
                tries = 0
            given_up = lost and forfeit is None
            self._db.execute(
                "UPDATE units SET tries = ?, reason = ?, state = ? WHERE number = ?",
                (tries, reason[:500], "failed" if given_up else "open", number),
            )
        return given_up

    # ---- inside

    def _insert(self, number: int, game: StoredGame) -> None:
        row = (game.id, number, *codec.game_to_row(game)[1:], self._writer)
        values, stored = ", ".join("?" * (len(row) + 1)), "SELECT 1 FROM games WHERE unit = ? AND seating = ?"
        statement = f"INSERT OR IGNORE INTO games SELECT {values} WHERE NOT EXISTS ({stored})"
        self._db.execute(statement, (*row, codec.checksum(*row), number, game.seating))

    @property
    def _me(self) -> tuple[int]:
        return (self._writer,)

    def _fault(self, what: str) -> StoreError:
        return StoreError(f"{self.path} is damaged: {what}; {_CURE}")

    def _check_content(self) -> None:
        """Raise StoreError if the store has other rules, or lacks games that it lists as played."""
        # The first compares no index with its table, which would take four times as long; the second does for units.
        for pragma in ("quick_check(1)", "integrity_check(units)"):
            (found,) = next(self._rows(f"PRAGMA {pragma}"))
            if found != "ok":
                raise self._fault(f"SQLite finds {_line(found)}")
        rules, own = self._fact("rules"), games.game(self.plan().options.game).rules_version
        if rules != own:
            raise StoreError(f"{self.path} was played by rules version {rules!r:.60}; this is {own!r}")
        if any(self._rows("PRAGMA foreign_key_check")):
            raise self._fault("it has games or units without the unit or the writer that they belong to")
        units, after = next(self._rows("SELECT count(*), coalesce(max(number), -1) + 1 FROM units"))
        if units != after:
            raise self._fault(f"of its first {after} units it has {units}")
        seats = self.plan().options.num_players
        counted = "SELECT number, state, (SELECT count(*) FROM games WHERE unit = number) AS games FROM units"
        wrong = "games > ? OR games < ? AND state = 'done'"
        for number, state, stored in self._rows(f"SELECT * FROM ({counted}) WHERE {wrong} LIMIT 1", (seats, seats)):
            raise self._fault(f"unit {number} ({state}) has {stored} of {seats} games")
        if any(self._rows("SELECT * FROM units WHERE state NOT IN ('open', 'claimed', 'done', 'failed')")):
            raise self._fault("a unit is in no state")
        # The indices of games are as long as their table; `_in_order` looks at the rest.
        for index in ("games_by_unit", "games_in_order"):
            (listed,) = next(self._rows(f"SELECT count(*) FROM games INDEXED BY {index}"))
            if listed != self.recorded():
                raise self._fault(f"an index lists {listed} of {self.recorded()} games")

    def _fact(self, name: str) -> Any:
        rows = self._rows("SELECT name, value, checksum FROM facts WHERE name = ?", (name,))
        row = next(self._checked(rows, f"the entry {name!r}"), None)
        if row is None:
            raise self._fault(f"it lacks the entry {name!r}")
        return row[1]

    def _checked(self, rows: Iterator[tuple[Any, ...]], what: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows without their last column, which is the checksum of the others."""
        for *values, checksum in rows:
            if codec.checksum(*values) != checksum:
                raise self._fault(f"{what} is not what was written")
            yield tuple(values)

    def _rows(self, statement: str, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        with _faults(self.path):
            for row in self._db.execute(statement, values):  # noqa: UP028 - what is left over may outlive the connection
                yield row

    def _games(self, condition: str, values: tuple[Any, ...] = ()) -> Iterator[StoredGame]:
        plan = self.plan()
        for row in self._checked(self._rows(f"SELECT * FROM games {condition}", values), "a game"):
            key, _, *rest, _ = row  # the unit comes second, the writer last
            yield codec.game_from_row((key, *rest), plan, self._fault)

    def _in_order(self, condition: str) -> Iterator[StoredGame]:
        """Yield games in the order of deal, seating and line-up. Raise StoreError if a damaged index omits one."""
        (wanted,) = next(self._rows(f"SELECT count(*) FROM games NOT INDEXED {condition}"))
        before: tuple[int, int, str] = (-1, 0, "")
        for game in self._games(f"{condition} ORDER BY deal, seating, line_up"):
            place = (game.deal, game.seating, as_json(game.line_up))
            if place < before:
                raise self._fault("an index has another order")
            before = place
            wanted -= 1
            yield game
        if wanted > 0:  # there may be more games by now, not fewer
            raise self._fault(f"an index lacks {wanted} games")

    @contextlib.contextmanager
    def _transaction(self, kind: str = "IMMEDIATE") -> Iterator[None]:
        """A context for a transaction."""
        with _faults(self.path):
            self._db.execute(f"BEGIN {kind}")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise

    def _next_open(self, total: int) -> int | None:
        """Return the first unit that is not claimed, or whose claimant is dead."""
        for writer in self._dead():
            self._db.execute("UPDATE units SET state = 'open' WHERE state = 'claimed' AND writer = ?", (writer,))
        row = self._db.execute("SELECT min(number) FROM units WHERE state = 'open' AND number < ?", (total,)).fetchone()
        if row[0] is not None:
            return int(row[0])
        row = self._db.execute("SELECT coalesce(max(number), -1) + 1 FROM units").fetchone()
        return int(row[0]) if row[0] < total else None

    def _dead(self) -> list[int]:
        """Return writers with claims that are not alive."""
        rows = self._db.execute(
            "SELECT number, host, pid, started, beat FROM writers WHERE number IN"
            " (SELECT DISTINCT writer FROM units WHERE state = 'claimed') AND number != ?",
            self._me,
        )
        host, now = socket.gethostname(), time.time()
        return [
            number
            for number, where, pid, started, beat in rows.fetchall()
            if abs(now - beat) > SILENCE or (where == host and start_of(pid) != started)
        ]


def _connect(path: Path, write: bool) -> sqlite3.Connection:
    """Open the file as untrusted."""
    # To read, SQLite wants to make files beside it; where it can't, and no file has more games, the store is complete.
    changes = os.access(path.parent, os.W_OK)
    alone = not changes and not path.with_name(f"{path.name}-wal").exists()
    # A connection that could not write would leave these files behind.
    clears = write or (changes and os.access(path, os.W_OK))
    mode = "mode=rw" if clears else "immutable=1" if alone else "mode=ro"
    db = sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True, isolation_level=None, timeout=BUSY)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE)
    db.execute("PRAGMA trusted_schema = OFF")
    if write:
        # In this mode a process that is killed loses nothing; a power cut may lose the last games, not the file.
        db.execute("PRAGMA synchronous = NORMAL")
    else:
        db.execute("PRAGMA query_only = ON")
    return db


def _check_kind(path: Path, db: sqlite3.Connection) -> None:
    """Raise StoreError unless the file is a store of this format, with exactly these tables."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application != _APPLICATION_ID:
        raise StoreError(f"{path} is not a tournament store")
    if version != FORMAT:
        raise StoreError(f"{path} is of store format {version}; this version reads {FORMAT}")
    tables = dict(db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall())
    if tables != _TABLES:
        raise StoreError(f"{path} is damaged: it has other tables than a store; {_CURE}")


@contextlib.contextmanager
def _faults(path: Path) -> Iterator[None]:
    """A context in which errors of SQLite become a StoreError of one line."""
    try:
        yield
    except (sqlite3.Error, UnicodeError) as error:
        said = _line(str(error))
        if "full" in said:
            cure = "the disk is full; no recorded game is lost: make room, then resume"
        elif "readonly" in said or "unable to open" in said:
            cure = "it can't be written, or its folder can't"
        elif "not a database" in said:
            cure = "it is not a tournament store"
        elif "locked" in said:
            cure = f"another process has held it for {BUSY:g} seconds"
        elif isinstance(error, sqlite3.OperationalError) and "decode" not in said:
            cure = said
        else:
            cure = f"it is damaged ({said}); {_CURE}"
        raise StoreError(f"{path}: {cure}") from None


def _line(said: str) -> str:
    """Return a message of SQLite, which may quote content of the file, as one line."""
    return "".join(each if each.isprintable() else " " for each in said)[:200]
