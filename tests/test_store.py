"""The store: games come back as they went in, claims are never shared, and nothing in a file is trusted."""

import contextlib
import os
import random
import sqlite3
import subprocess
import sys
import time
import zlib
from dataclasses import replace

import pytest

from bloodrage_agents.match import play_game
from bloodrage_agents.random import RandomAgent
from bloodrage_env.engine.signature import RULES_VERSION
from bloodrage_env.options import Options
from bloodrage_training.tournament import codec
from bloodrage_training.tournament import store as store_module
from bloodrage_training.tournament.plan import line_ups_a_deal, total_units, unit
from bloodrage_training.tournament.records import Plan, StoredGame
from bloodrage_training.tournament.store import MAX_TRIES, Store, StoreError
from bloodrage_training.tournament.verify import faults

CURE = "restore a copy of it, or start again under another name"
VERSIONS = {"bloodrage": "0", "rules": "1"}


def plan(agents=("a", "b", "c"), mode="round-robin", seats=3, deals=2, seed=0, **more):
    return Plan(tuple(agents), ("f",) * len(agents), mode, Options(seats), seed, deals=deals, **more)


def played(game):
    """The game between agents at random, whatever their names."""
    agents = [RandomAgent() for _ in game.line_up]
    went = play_game(agents, game.seed, game.options, range(game.options.num_players))
    return StoredGame(
        game.id, game.deal, game.seating, game.seed, game.line_up, game.options, went.actions, went.glory,
        went.forfeit_seat, went.forfeit_reason, tuple(round(each, 6) for each in went.seconds), went.decisions,
    )  # fmt: skip


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a store.sqlite"


@pytest.fixture
def filled(path):
    """A store of which all is played, and its games."""
    games = []
    with Store.create(path, plan()) as store:
        store.join(VERSIONS)
        while (each := store.claim(plan())) is not None:
            for game in each.games:
                games.append(played(game))
                store.record(each.number, games[-1])
            store.finish(each.number)
    return path, games


# ---- the plan


@pytest.mark.parametrize("count", [2, 3, 4, 5, 7])
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("mode", ["round-robin", "random", "focus"])
def test_agents_play_equally_often_and_at_every_seat(count, seats, mode):
    what = plan([f"agent{index}" for index in range(count)], mode, seats, deals=3)
    taken = {}
    ids = set()
    for number in range(total_units(what)):
        each = unit(what, number)
        assert each.deal == number // line_ups_a_deal(what)
        assert len(each.games) == seats
        assert len({game.seed for game in each.games}) == 1
        for game in each.games:
            ids.add(game.id)
            for seat, name in enumerate(game.line_up):
                taken[name, seat] = taken.get((name, seat), 0) + 1
            most = -(-seats // count)
            if mode != "focus":
                assert max(game.line_up.count(name) for name in game.line_up) == most
    assert len(ids) == total_units(what) * seats
    if mode == "focus":
        expected = {(name, seat): 3 * (seats - 1) for name in what.agents[1:] for seat in range(seats)}
        expected |= {("agent0", seat): 3 * (count - 1) for seat in range(seats)}
        assert taken == expected
    else:
        assert len(taken) == count * seats
        assert len(set(taken.values())) == 1


def test_deals_differ_and_follow_from_the_seed():
    seeds = [unit(plan(seats=3, deals=50), number).games[0].seed for number in range(50)]
    assert len(set(seeds)) == 50
    assert unit(plan(), 0) == unit(plan(), 0)
    assert unit(plan(seed=1), 0).games[0].seed != seeds[0]


def test_neighbours_change_from_deal_to_deal():
    """So that no agent always plays after the same one."""
    tables = {unit(plan("abcd", seats=4, deals=60), number).games[0].line_up for number in range(60)}
    turned = {tuple(table[(table.index("a") + step) % 4] for step in range(4)) for table in tables}
    assert len(turned) == 6


def test_another_option_is_another_game():
    games = [
        unit(plan(), 0).games[0],
        unit(replace(plan(), options=Options(3, first_game=True)), 0).games[0],
        unit(replace(plan(), options=Options(3, skip_forced=False)), 0).games[0],
    ]
    assert len({game.id for game in games}) == 3


# ---- what goes in comes out


def test_games_come_back_as_they_were_recorded(filled):
    path, games = filled
    with Store.open(path) as store:
        assert store.plan() == plan()
        found = list(store.finished())
        assert sorted(found, key=lambda game: game.id) == sorted(games, key=lambda game: game.id)
        assert [(game.deal, game.seating, game.line_up) for game in found] == sorted(
            (game.deal, game.seating, game.line_up) for game in games
        )
        assert store.recorded() == len(games) == 6
        assert store.versions() == (VERSIONS,)
        assert store.game(games[0].id[:12]) == games[0]
        assert faults(store, lambda seen: None) == []
        with pytest.raises(StoreError, match="no game with an id like 'zz'"):
            store.game("zz")


def test_a_forfeit_comes_back(path):
    with Store.create(path, plan()) as store:
        store.join(VERSIONS)
        each = store.claim(plan())
        whole = played(each.games[0])
        at_first = replace(whole, actions=(), glory=(0, 0, 0), forfeit_seat=1, forfeit_reason="x", decisions=(0, 0, 0))
        store.record(0, at_first)
        assert next(store.games()) == at_first
        assert list(store.finished()) == []  # the unit is not whole
        assert faults(store, lambda seen: None) == []


def test_a_game_that_is_there_stays(path):
    with Store.create(path, plan()) as store:
        store.join(VERSIONS)
        game = played(store.claim(plan()).games[0])
        store.record(0, game)
        store.record(0, replace(game, glory=(1, 2, 3)))
        assert [each.glory for each in store.games()] == [game.glory]


# ---- claims


def test_a_unit_is_claimed_once_and_given_back_on_closing(path):
    with Store.create(path, plan()) as one, Store.open(path, write=True) as two:
        one.join(VERSIONS)
        two.join(VERSIONS)
        assert one.claim(plan()).number == 0
        assert two.claim(plan()).number == 1
        assert one.claim(plan()) is None
        two.close()
        assert one.claim(plan()).number == 1


def test_the_claim_of_a_dead_process_is_free(path):
    """And of its unit only the games that it has not recorded."""
    code = (
        "import os, sys; from bloodrage_training.tournament.store import Store; from tests.test_store import *\n"
        "store = Store.open(sys.argv[1], write=True); store.join(VERSIONS); each = store.claim(plan())\n"
        "store.record(each.number, played(each.games[1])); os._exit(9)"
    )
    with Store.create(path, plan()) as store:
        store.join(VERSIONS)
        assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 9
        claimed = store.claim(plan())
        assert claimed.number == 0
        assert [game.seating for game in claimed.games] == [0, 2]


def test_the_claim_of_a_silent_process_elsewhere_is_free_in_time(path, monkeypatch):
    with Store.create(path, plan()) as here, Store.open(path, write=True) as there:
        monkeypatch.setattr("socket.gethostname", lambda: "elsewhere")
        there.join(VERSIONS)
        monkeypatch.undo()
        here.join(VERSIONS)
        assert there.claim(plan()).number == 0
        assert here.claim(plan()).number == 1
        now = time.time() + store_module.SILENCE + 1
        monkeypatch.setattr("time.time", lambda: now)
        there.beat()
        assert here.claim(plan()) is None
        monkeypatch.setattr("time.time", lambda: now + store_module.SILENCE + 1)
        assert here.claim(plan()).number == 0


def test_a_writer_whose_number_another_process_has_now_is_dead(path):
    """The system uses a process id again; when it began tells them apart."""
    with Store.create(path, plan()) as one, Store.open(path, write=True) as two:
        one.join(VERSIONS)
        two.join(VERSIONS)
        one.claim(plan())
        with sqlite3.connect(path) as db:
            db.execute("UPDATE writers SET started = '1' WHERE number = 1")
        assert two.claim(plan()).number == 0


def test_a_unit_at_which_workers_die_is_tried_again_and_then_given_up(path):
    with Store.create(path, plan()) as store:
        store.join(VERSIONS)
        for attempt in range(MAX_TRIES):
            assert store.claim(plan()).number == 0
            assert store.stumble(0, "signal 9") == (attempt == MAX_TRIES - 1)
        assert store.claim(plan()).number == 1
        assert store.failures() == ((0, "signal 9"),)
        assert store.settled() == 1


def test_a_unit_whose_writer_died_before_it_said_so_is_finished(path):
    with Store.create(path, plan()) as store:
        store.join(VERSIONS)
        for game in store.claim(plan()).games:
            store.record(0, played(game))
        store.close()
        with Store.open(path, write=True) as again:
            again.join(VERSIONS)
            assert again.claim(plan()).number == 1
            assert len(list(again.finished())) == 3


def test_with_a_beat_all_games_are_in_the_file_itself(path):
    """And not beside it, where a damage would be taken for the end of what was recorded."""
    with Store.create(path, plan()) as store:
        store.join(VERSIONS)
        for game in store.claim(plan()).games:
            store.record(0, played(game))
        store.finish(0)
        store.beat()
        copy = path.with_name("copy.sqlite")
        copy.write_bytes(path.read_bytes())
        assert path.with_name(path.name + "-wal").stat().st_size == 0
        with Store.open(copy) as found:
            assert len(list(found.finished())) == 3


def test_a_beat_waits_for_no_reader(path):
    with Store.create(path, plan()) as store, Store.open(path) as reader:
        store.join(VERSIONS)
        for game in store.claim(plan()).games:
            store.record(0, played(game))
        reading = reader.games()
        next(reading)
        store.record(0, next(store.games()))
        store.beat()
        assert len(list(reading)) == 2
        store.beat()
        assert path.with_name(path.name + "-wal").stat().st_size == 0


# ---- what can't be used


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


def change(path, statement, values=(), sealed=True):
    """Change a store behind its back, with or without the checksums of facts and games."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute(statement, values)
        for table in ("facts", "games") if sealed else ():
            for *row, _ in db.execute(f"SELECT * FROM {table}").fetchall():
                key = "name" if table == "facts" else "id"
                db.execute(f"UPDATE {table} SET checksum = ? WHERE {key} = ?", (codec.checksum(*row), row[0]))
        db.commit()


def test_a_store_is_not_made_twice(filled):
    path, _ = filled
    with pytest.raises(StoreError, match="exists; 'bloodrage tournament resume'"):
        Store.create(path, plan())
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_store_in_no_folder(path):
    with pytest.raises(StoreError, match="can't be written, or its folder can't"):
        Store.create(path.parent / "nowhere" / "x.sqlite", plan())


def test_what_is_no_store(path):
    assert refusal(path) == "FILE is no file; 'bloodrage tournament run' makes a store"
    path.write_bytes(b"")
    assert refusal(path) == "FILE is no tournament store"
    path.write_bytes(b"Once upon a time " * 1000)
    assert refusal(path) == "FILE: it is no tournament store"
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE games (id)")
    assert refusal(path) == "FILE is no tournament store"


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("PRAGMA user_version = 2", "FILE is of store format 2; this version reads 3"),
        (
            "UPDATE facts SET value = '0' WHERE name = 'rules'",
            f"FILE was played by rules version '0'; this is {RULES_VERSION!r}",
        ),
        ("DELETE FROM facts WHERE name = 'plan'", "FILE is damaged: it lacks the entry 'plan'"),
        ("UPDATE facts SET value = '{}' WHERE name = 'plan'", "FILE is damaged: its plan has other entries"),
        ("UPDATE facts SET value = '[[[' WHERE name = 'plan'", "FILE is damaged: its plan can't be read"),
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
        ("line_up", '["a", "b"]', "it has no line-up"),
        ("line_up", '["a", "b", "\\u001b[2J"]', "it has no line-up"),
        ("options", '{"num_players": 9}', "its num_players must be 2 to 5, not 9"),
        ("options", '{"num_players": 3.0}', "its num_players must be a whole number, not 3.0"),
        ("options", '{"first_game": 1}', "its first_game must be True or False, not 1"),
        ("options", '{"weather": "snow"}', "its option 'weather' is not known to this version"),
        ("options", "[3]", "its options are no table"),
        ("options", "[" * 100_000, "its options can't be read"),
        ("actions", b"\x00\x01", "its actions are cut or altered"),
        ("actions", zlib.compress(bytes(900_000)), "its actions are cut, or too many"),
        ("actions", zlib.compress(b"\xff\xff"), "it has an action that is none"),
        ("glory", "[1, 2, null]", "it has no glory"),
        ("glory", "[1, 2, 1e99]", "it has no glory"),
        ("forfeit_seat", 1, "who forfeits"),
        ("seconds", "[0, 0, NaN]", "it has no times"),
        ("decisions", "[0, 0, -1]", "it has no decisions"),
        ("decisions", "x" * 2_000_000, "string or blob too big"),
    ],
)
def test_games_that_are_none(filled, column, value, message):
    path, games = filled
    change(path, f"UPDATE games SET {column} = ? WHERE id = ?", (value, games[0].id))
    assert message in refusal(path)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE games SET glory = '[1, 2, 3]' WHERE seating = 1", "a game is not what was written"),
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


def content(path):
    """All that a store says, or the one line with which it is refused."""
    try:
        with Store.open(path) as store:
            facts = store.plan(), store.created(), store.versions(), store.recorded(), store.settled()
            return (*facts, list(store.finished()), list(store.games()))
    except StoreError as error:
        return str(error)


def test_damaged_files(filled):
    """Whatever is flipped, overwritten or cut off: it is refused, or says all that it said before."""
    path, _ = filled
    whole, wanted, rng = path.read_bytes(), content(path), random.Random(5)
    damaged = [whole[: rng.randrange(len(whole))] for _ in range(20)]
    damaged += [whole[:at] + b"\xa5" * 2048 + whole[at + 2048 :] for at in range(0, len(whole), 2048)]
    heads = [at for at in range(len(whole)) if at < 100 or at % 4096 < 12]  # of pages, where games get lost
    for at in [*rng.choices(heads, k=200), *rng.choices(range(len(whole)), k=200)]:
        damaged.append(whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :])
    refused = 0
    for number, each in enumerate(damaged):
        other = path.with_name(f"{number}.sqlite")  # SQLite may remember more than is in the file
        other.write_bytes(each)
        found = content(other)
        assert found.isprintable() if isinstance(found, str) else found == wanted
        refused += isinstance(found, str)
    assert refused > len(damaged) / 4


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


# ---- verify


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("glory", "[99, 0, 0]", "the store says (99, 0, 0)"),
        ("seed", 5, "its seed, options or line-up are not those of the plan"),
        ("line_up", '["b", "a", "a"]', "its seed, options or line-up are not those of the plan"),
        ("actions", zlib.compress(b""), "it ends with glory"),
        ("actions", zlib.compress(b"\x00\x00" * 3), "is not legal"),
        ("decisions", "[1, 1, 1]", "its seats were asked"),
        ("id", "0" * 32, "the plan has no such game"),
    ],
)
def test_verify_finds(filled, column, value, message):
    path, games = filled
    change(path, f"UPDATE games SET {column} = ? WHERE id = ?", (value, games[2].id))
    with Store.open(path) as store:
        found = faults(store, lambda seen: None)
    assert len(found) == 1
    assert message in found[0]


def test_verify_finds_a_game_that_goes_on_or_stops_early(filled):
    path, games = filled
    for actions in (games[0].actions[:-1], (*games[0].actions, 0)):
        packed = zlib.compress(b"".join(action.to_bytes(2, "little") for action in actions))
        change(path, "UPDATE games SET actions = ? WHERE id = ?", (packed, games[0].id))
        with Store.open(path) as store:
            assert len(faults(store, lambda seen: None)) == 1
