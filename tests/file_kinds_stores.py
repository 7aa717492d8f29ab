"""The kind of stores of tournaments: SQLite files whose rows have checksums."""

import contextlib
import json
import sqlite3
import struct
import zlib
from dataclasses import fields
from pathlib import Path
from typing import Any

from damage import Tree
from file_kinds import Kind, UnwritableError, json_of
from stores import fill

from bloodrage_env import games
from bloodrage_env.encoding import as_json
from bloodrage_training.tournament import codec
from bloodrage_training.tournament.store import Store

JSON_COLUMNS = {"value", "versions", "line_up", "options", "scores", "seconds", "decisions"}
TABLES = ("facts", "writers", "units", "games")  # in the order of their references
NOT_SEALED = {"writers": ("number", "beat"), "units": ()}


def filled_store(folder: Path) -> Path:
    fill(folder / "x.sqlite")
    return folder / "x.sqlite"


def in_memory(content: bytes) -> sqlite3.Connection:
    """A database in memory has no write-ahead log; the bytes 18 and 19 say whether a file has one."""
    db = sqlite3.connect(":memory:")
    db.deserialize(content[:18] + b"\1\1" + content[20:])
    return db


def store_tree(content: bytes) -> Tree:
    """The rows of each table, without checksums."""
    tree: Tree = {}
    with contextlib.closing(in_memory(content)) as db:
        for table in TABLES:
            cursor = db.execute(f"SELECT * FROM {table}")
            names = [each[0] for each in cursor.description]
            tree[table] = [dict(zip(names, row, strict=True)) for row in cursor]
    for row in (row for rows in tree.values() for row in rows):
        row.pop("checksum", None)
        for name in JSON_COLUMNS & row.keys():
            with contextlib.suppress(ValueError):
                row[name] = json.loads(row[name])
        if "actions" in row:
            packed = zlib.decompress(row["actions"])
            row["actions"] = [*struct.unpack(f"<{len(packed) // 2}H", packed)]
    return tree


def as_store(whole: bytes, tree: Tree) -> bytes:
    """A store with these rows and the tables of another one."""
    with contextlib.closing(in_memory(whole)) as db:
        try:
            for table in reversed(TABLES):
                db.execute(f"DELETE FROM {table}")
            for table, row in [(name, row) for name in TABLES for row in tree[name]]:
                cells = {name: cell_of(name, value) for name, value in row.items()}
                if table != "units":
                    sealed = [value for name, value in cells.items() if name not in NOT_SEALED.get(table, ())]
                    cells["checksum"] = codec.checksum(*sealed)
                places = ", ".join("?" * len(cells))
                db.execute(f"INSERT INTO {table} ({', '.join(cells)}) VALUES ({places})", [*cells.values()])
            db.commit()
        except (sqlite3.Error, TypeError, KeyError, AttributeError, OverflowError, UnicodeError) as error:
            raise UnwritableError from error
        content = db.serialize()
    return content[:18] + b"\2\2" + content[20:]


def cell_of(name: str, value: Any) -> Any:
    if name == "actions" and isinstance(value, list):
        with contextlib.suppress(struct.error):
            return zlib.compress(struct.pack(f"<{len(value)}H", *value))
        return zlib.compress(json_of(value))
    if name in JSON_COLUMNS - {"value"} or not isinstance(value, int | float | str | None):
        return json.dumps(value)
    return value


def store_content(path: Path) -> Any:
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    with Store.open(path) as store:
        return store.plan(), store.created(), store.versions(), list(store.games()), store.recorded(), store.settled()


def store_again(found: Any) -> Tree:
    names = [each.name for each in fields(found[3][0])] if found[3] else []
    rows = [dict(zip(names, codec.game_to_row(game), strict=True)) for game in found[3]]
    for row in rows:
        row |= {name: json.loads(row[name]) for name in JSON_COLUMNS & row.keys()}
        packed = zlib.decompress(row["actions"])
        row["actions"] = [*struct.unpack(f"<{len(packed) // 2}H", packed)]
    return [json.loads(codec.plan_to_text(found[0])), found[1], list(found[2]), rows, *found[4:]]


def store_known(tree: Tree) -> Tree:
    def whole(row: Tree) -> Tree:
        return row | {"options": options_of(row["options"])}

    facts = {row["name"]: row["value"] for row in tree["facts"]}
    rows = [{name: row[name] for name in row.keys() - {"unit", "writer"}} for row in map(whole, tree["games"])]
    rows.sort(key=lambda row: (row["deal"], row["seating"], json.dumps(row["line_up"])))
    settled = sum(row["state"] in ("done", "failed") for row in tree["units"])
    versions = [row["versions"] for row in sorted(tree["writers"], key=lambda row: row["number"])]
    return [whole(facts["plan"]), facts["created"], versions, rows, len(rows), settled]


def options_of(tree: Tree) -> Tree:
    defaults = games.options_to_json(games.game(tree["game"]).options())
    return json.loads(as_json(defaults)) | tree


def store_kind() -> Kind:
    whole: list[bytes] = []

    def made(folder: Path) -> Path:
        path = filled_store(folder)
        whole[:] = [path.read_bytes()]
        return path

    words = lambda path: ["tournament", "report", str(path)]  # noqa: E731
    return Kind(
        "store",
        made,
        store_tree,
        lambda tree: as_store(whole[0], tree),
        store_content,
        store_again,
        store_known,
        words,
        partly=True,
    )


KIND = store_kind()
