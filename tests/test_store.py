"""The store: games come back as they went in, and claims are never shared."""

import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from stores import VERSIONS, fill, plan, played

from bloodrage_env.games.bloodrage.options import Options
from bloodrage_training.tournament import store as store_module
from bloodrage_training.tournament.plan import line_ups_a_deal, total_units, unit
from bloodrage_training.tournament.store import MAX_TRIES, Store, StoreError
from bloodrage_training.tournament.verify import faults


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a store.sqlite"


@pytest.fixture
def filled(path):
    """A store of which all is played, and its games."""
    return path, fill(path)


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
        assert {game.deal for game in each.games} == {number // line_ups_a_deal(what)}
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
        at_first = replace(whole, actions=(), scores=(0, 0, 0), forfeit_seat=1, forfeit_reason="x", decisions=(0, 0, 0))
        store.record(0, at_first)
        assert next(store.games()) == at_first
        assert list(store.finished()) == []  # the unit is not whole
        assert faults(store, lambda seen: None) == []


def test_a_game_that_is_there_stays(path):
    with Store.create(path, plan()) as store:
        store.join(VERSIONS)
        game = played(store.claim(plan()).games[0])
        store.record(0, game)
        store.record(0, replace(game, scores=(1, 2, 3)))
        assert [each.scores for each in store.games()] == [game.scores]


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
        "import os, sys; from bloodrage_training.tournament.store import Store; from stores import *\n"
        "store = Store.open(sys.argv[1], write=True); store.join(VERSIONS); each = store.claim(plan())\n"
        "store.record(each.number, played(each.games[1])); os._exit(9)"
    )
    with Store.create(path, plan()) as store:
        store.join(VERSIONS)
        made = subprocess.run([sys.executable, "-c", code, str(path)], cwd=Path(__file__).parent, check=False)
        assert made.returncode == 9
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


def test_after_a_forfeit_a_unit_is_tried_as_often_again(path):
    """The game at which workers died is over; the others of the unit may still be played."""
    with Store.create(path, plan()) as store:
        store.join(VERSIONS)
        forfeit = played(store.claim(plan()).games[0])
        for _ in range(MAX_TRIES):
            assert not store.fail(0, "signal 9", forfeit)
            assert store.claim(plan()).number == 0
        assert store.recorded() == 1
        for _ in range(MAX_TRIES - 1):
            assert not store.fail(0, "signal 9")
            assert store.claim(plan()).number == 0
        assert store.fail(0, "signal 9")


def test_a_process_that_was_silent_says_nothing_about_a_unit_that_another_one_has(path, monkeypatch):
    """Whether the other one still plays it, or has finished it."""
    with Store.create(path, plan()) as silent, Store.open(path, write=True) as other:
        silent.join(VERSIONS)
        other.join(VERSIONS)
        went = [played(game) for game in silent.claim(plan()).games]  # may compile for longer than SILENCE
        monkeypatch.setattr("bloodrage_training.tournament.store.SILENCE", -1.0)
        assert other.claim(plan()).number == 0
        monkeypatch.undo()
        for _ in range(MAX_TRIES):
            assert not silent.fail(0, "signal 9", went[0])
        assert (other.recorded(), silent.claim(plan()).number) == (0, 1)
        for game in went:
            other.record(0, game)
        other.finish(0)
        assert not silent.fail(0, "signal 9")
        assert (other.settled(), len(list(other.finished()))) == (1, len(went))


def test_a_unit_at_which_workers_die_is_tried_again_and_then_given_up(path):
    with Store.create(path, plan()) as store:
        store.join(VERSIONS)
        for attempt in range(MAX_TRIES):
            assert store.claim(plan()).number == 0
            assert store.fail(0, "signal 9") == (attempt == MAX_TRIES - 1)
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
