"""Nothing in the file of a store is trusted: one that can't be used is refused, with what is wrong with it."""

import contextlib
import os
import sqlite3
import zlib

import pytest
from stores import VERSIONS, change, fill, plan

from bloodrage_env.games.bloodrage.engine.signature import RULES_VERSION
from bloodrage_training.tournament.store import Store, StoreError

CURE = "restore a copy of it, or start again under another name"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a store.sqlite"


@pytest.fixture
def filled(path):
    """A store of which all is played, and its games."""
    return path, fill(path)


def refusal(path, **options):
    """The one line with which a store is refused."""

    def read():
        with Store.open(path, **options) as store:
            store.plan()
            list(store.games())

    with pytest.raises(StoreError) as caught:
        read()
    assert str(caught.value).isprintable()
    assert str(path) in str(caught.value)
    return str(caught.value).replace(str(path), "FILE").removesuffix(f"; {CURE}")


def test_a_store_is_not_made_twice(filled):
    path, _ = filled
    with pytest.raises(StoreError, match="exists; 'bloodrage tournament resume'"):
        Store.create(path, plan())
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_store_in_no_folder(path):
    with pytest.raises(StoreError, match="can't be written, or its folder can't"):
        Store.create(path.parent / "nowhere" / "x.sqlite", plan())


def test_what_is_no_store(path):
    assert refusal(path) == "FILE is not a file; 'bloodrage tournament run' makes a store"
    path.write_bytes(b"")
    assert refusal(path) == "FILE is not a tournament store"
    path.write_bytes(b"Once upon a time " * 1000)
    assert refusal(path) == "FILE: it is not a tournament store"
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE games (id)")
    assert refusal(path) == "FILE is not a tournament store"


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("PRAGMA user_version = 3", "FILE is of store format 3; this version reads 6"),
        (
            "UPDATE facts SET value = '0' WHERE name = 'rules'",
            f"FILE was played by rules version '0'; this is {RULES_VERSION!r}",
        ),
        ("DELETE FROM facts WHERE name = 'plan'", "FILE is damaged: it lacks the entry 'plan'"),
        ("UPDATE facts SET value = '5' WHERE name = 'plan'", "FILE is damaged: its plan: Expected `object`, got `int`"),
        ("UPDATE facts SET value = '{' WHERE name = 'plan'", "FILE is damaged: its plan: it is not JSON"),
        ("CREATE VIEW more AS SELECT * FROM games", "FILE is damaged: it has other tables than a store"),
        (
            "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END",
            "FILE is damaged: it has other tables than a store",
        ),
    ],
)
def test_stores_of_another_kind(filled, statement, message):
    path, _ = filled
    change(path, statement, sealed="facts" in statement)
    assert refusal(path) == message


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("id", "x", "a game has no id"),
        ("deal", -1, "it has no deal"),
        ("seating", 3, "it has no seating"),
        ("seed", -1, "it has no seed"),
        ("line_up", '["a", "b"]', "its line-up: 2 instead of 3, one a seat"),
        ("line_up", '["a", "b", "\\u001b[2J"]', "it is not of this tournament"),
        ("options", '{"game": "bloodrage", "num_players": 9}', "its num_players must be 2 to 5, not 9"),
        ("options", '{"game": "bloodrage", "num_players": 3.0}', "its num_players must be a whole number, not 3.0"),
        ("options", '{"game": "bloodrage", "first_game": 1}', "its first_game must be True or False, not 1"),
        ("options", '{"num_players": 3}', "its options name no game"),
        ("options", '{"game": "chess"}', "its game 'chess' is none of bloodrage, berserk, berserk_laar, berserk_team"),
        ("options", '{"game": "bloodrage", "weather": "snow"}', "its option 'weather' is not known to this version"),
        ("options", "[3]", "its options name no game"),
        ("options", "[" * 100_000, "its options: it is not JSON"),
        ("actions", b"\x00\x01", "its actions are cut or altered"),
        ("actions", zlib.compress(bytes(900_000)), "its actions are cut, or too many"),
        ("actions", zlib.compress(b"\xff\xff"), "it has an action that is none"),
        ("scores", "[1, 2, null]", "its scores: Expected `int`, got `null` - at `$[2]`"),
        ("forfeit_seat", 1, "who forfeits"),
        ("seconds", "[0, 0, NaN]", "its times: it is not JSON"),
        ("decisions", "[0, 0, -1]", "its decisions: Expected `int` >= 0 - at `$[2]`"),
        ("decisions", "x" * 2_000_000, "string or blob too big"),
    ],
)
def test_games_that_are_none(filled, column, value, message):
    path, games = filled
    change(path, f"UPDATE games SET {column} = ? WHERE id = ?", (value, games[0].id))
    assert message in refusal(path)


@pytest.mark.parametrize(
    ("line_up", "options", "scores"),
    [
        ('["a", "b", "x"]', '{"game": "bloodrage", "num_players": 3}', "[1, 2, 3]"),
        ('["a", "b"]', '{"game": "bloodrage", "num_players": 2}', "[1, 2]"),
    ],
)
def test_games_of_another_tournament(filled, line_up, options, scores):
    """However they are read: each one, those of finished units, or all."""
    path, games = filled
    values = (line_up, options, scores, scores, scores, games[0].id)
    change(
        path, "UPDATE games SET line_up = ?, options = ?, scores = ?, seconds = ?, decisions = ? WHERE id = ?", values
    )
    message = f"{path} is damaged: game {games[0].id}: it is not of this tournament; {CURE}"
    with Store.open(path) as store:
        for read in (lambda: store.game(games[0].id), lambda: list(store.finished()), lambda: list(store.games())):
            with pytest.raises(StoreError) as caught:
                read()
            assert str(caught.value) == message


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE games SET scores = '[1, 2, 3]' WHERE seating = 1", "a game is not what was written"),
        ("UPDATE games SET actions = zeroblob(10) WHERE seating = 1", "a game is not what was written"),
        ("UPDATE facts SET value = '9' WHERE name = 'rules'", "the entry 'rules' is not what was written"),
        ("UPDATE facts SET value = '{}' WHERE name = 'plan'", "the entry 'plan' is not what was written"),
        ("DELETE FROM games WHERE deal = 1 AND seating = 1", "unit 1 (done) has 2 of 3 games"),
        ("DELETE FROM games WHERE deal = 1", "unit 1 (done) has 0 of 3 games"),
        ("UPDATE games SET unit = 1 WHERE deal = 0 AND seating = 1", "unit 0 (done) has 2 of 3 games"),
        ("UPDATE units SET state = 'open' WHERE number = 1; UPDATE games SET unit = 1", "unit 0 (done) has 0 of 3"),
        ("DELETE FROM units WHERE number = 0", "it has games or units without the unit or the writer"),
        ("DELETE FROM units WHERE number = 1", "it has games or units without the unit or the writer"),
        ("DELETE FROM units WHERE number = 0; DELETE FROM games WHERE unit = 0", "of its first 2 units it has 1"),
        ("UPDATE units SET state = 'dome' WHERE number = 1", "a unit is in no state"),
        ("DELETE FROM writers", "it has games or units without the unit or the writer"),
    ],
)
def test_a_store_that_has_lost_something_is_not_read(filled, statement, message):
    path, _ = filled
    for each in statement.split("; "):
        change(path, each, sealed=False)
    assert message in refusal(path)


def test_the_versions_of_a_writer_have_a_checksum(filled):
    path, _ = filled
    change(path, "UPDATE writers SET versions = '{}'", sealed=False)
    with Store.open(path) as store, pytest.raises(StoreError, match="a writer is not what was written"):
        store.versions()


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE units SET tries = 'many' WHERE number = 1", "non-INTEGER value in units.tries"),
        ("UPDATE games SET deal = 'one' WHERE seating = 1", "non-INTEGER value in games.deal"),
        ("UPDATE games SET actions = 'text' WHERE seating = 1", "non-BLOB value in games.actions"),
        ("UPDATE writers SET beat = 'long ago'", "non-REAL value in writers.beat"),
        ("UPDATE writers SET host = x'0a'", "non-TEXT value in writers.host"),
    ],
)
def test_values_of_another_type_are_found_on_opening(filled, statement, message):
    """As by a flipped bit, or in a file that was made so: its tables did not refuse them."""
    path, _ = filled
    with contextlib.closing(sqlite3.connect(path)) as db:
        laxer = "replace(replace(sql, 'STRICT, ', ''), ' STRICT', '')"
        before = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        db.execute("PRAGMA writable_schema = ON")
        db.execute(f"UPDATE sqlite_master SET sql = {laxer} WHERE sql IS NOT NULL")
        db.commit()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute(statement)
        db.execute("PRAGMA writable_schema = ON")
        db.executemany("UPDATE sqlite_master SET sql = ? WHERE name = ?", [(sql, name) for name, sql in before])
        db.commit()
    assert message in refusal(path)


@pytest.mark.parametrize("index", ["games_in_order", "games_by_unit", "units_by_state"])
def test_an_index_that_lacks_something_is_found(filled, index):
    path, _ = filled
    with contextlib.closing(sqlite3.connect(path)) as db:
        (sql,) = db.execute("SELECT sql FROM sqlite_master WHERE name = ?", (index,)).fetchone()
        db.execute(f"DROP INDEX {index}")
        db.execute(f"{sql} WHERE {'deal != 1' if index.startswith('games') else 'number != 1'}")
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (sql, index))
        db.commit()
    assert refusal(path).startswith("FILE is damaged: ")


def test_a_file_that_can_not_be_written(filled):
    path, _ = filled
    with Store.open(path) as store, pytest.raises(StoreError, match="it can't be written"):
        store.join(VERSIONS)
    path.chmod(0o444)
    if os.access(path, os.W_OK):
        pytest.skip("this user may write everything")
    with Store.open(path, write=True) as store, pytest.raises(StoreError, match="it can't be written"):
        store.join(VERSIONS)
