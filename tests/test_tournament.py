"""Whole tournaments, as they are run: processes that play, are killed, hang, share a store, and resume."""

import csv
import io
import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from pool_here import DeadlyPool
from stores import FitfulPool, change

from bloodrage_agents.match import play_game
from bloodrage_env.cli import main
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.games.bloodrage.replay import Replay
from bloodrage_env.terminal.progress import Progress
from bloodrage_training.tasks import Died, Refused
from bloodrage_training.tournament import run as tournament_module
from bloodrage_training.tournament import workers
from bloodrage_training.tournament.plan import unit
from bloodrage_training.tournament.records import Plan
from bloodrage_training.tournament.store import Store
from bloodrage_training.workers import leaving

ROOT = Path(__file__).resolve().parents[1]
COMMAND = [sys.executable, "-c", "import sys; from bloodrage_env.cli import main; sys.exit(main(sys.argv[1:]))"]
SECONDS = 120  # for what takes a few, on a busy machine

PLUG_INS = """
import os, time


class First:
    def act(self, observation, action_mask, rng):
        return int(np.flatnonzero(action_mask)[0])


class Slow(First):
    def act(self, observation, action_mask, rng):
        time.sleep(0.02)
        return super().act(observation, action_mask, rng)


class Hangs(First):
    def act(self, observation, action_mask, rng):
        while True:
            pass


class Exits(First):
    def act(self, observation, action_mask, rng):
        os._exit(3)
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with plug-ins, whose name needs care in a shell."""
    place = tmp_path / "a folder, with spaces"
    place.mkdir()
    (place / "plug_ins.py").write_text(PLUG_INS)
    return place


def tournament(folder, *arguments):
    """Start the command in a process group of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [*COMMAND, "tournament", *map(str, arguments)],
        cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def result(process, folder):
    """Wait for a command: exit status, output, errors. Nothing that it started may be left."""
    out, err = process.communicate(timeout=SECONDS)
    deadline = time.monotonic() + SECONDS
    while processes(folder):
        assert time.monotonic() < deadline, processes(folder)
        time.sleep(0.1)
    return process.returncode, out, err


def processes(folder, having="", parent=""):
    """The living processes that were started in the folder, with this in their command line, and this parent."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            here = place.joinpath("cwd").readlink() == folder and place.name != str(os.getpid())
            whose = place.joinpath("stat").read_text().rpartition(")")[2].split()[1]
            if here and having in place.joinpath("cmdline").read_text() and parent in ("", whose):
                found.append(int(place.name))
        except OSError:  # it has gone
            continue
    return found


def wait_for_games(process, path, count):
    """Until so many games are stored."""
    deadline = time.monotonic() + SECONDS
    while recorded(path) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def recorded(path):
    """How many games are stored; read as anybody may, beside the tournament."""
    if not path.exists():
        return 0
    with Store.open(path) as store:
        return store.recorded()


def content(path):
    """What was played, clocks aside."""
    with Store.open(path) as store:
        return [(game.id, game.actions, game.scores, game.forfeit_seat) for game in store.finished()]


def run(*arguments):
    """Run the command in this process."""
    return main(["tournament", *map(str, arguments)])


@pytest.mark.slow
def test_a_tournament_from_start_to_end(folder, capfd, monkeypatch):
    monkeypatch.chdir(folder)
    agents = "random,plug_ins.py:First"
    store = folder / "runs" / "x.sqlite"
    assert run("run", "--agents", agents, "--seats", 2, "--deals", 3, "--store", store, "--workers", 1) == 0
    out, err = capfd.readouterr()
    assert out.startswith("all deals are played\n\nagent ")
    assert "6 games of 6 deals; " in out  # a plug-in that is not trusted meets none twice
    assert "6/6 games" in err
    assert run("verify", store) == 0
    assert capfd.readouterr().out == f"{store}: every game plays as stored\n"
    assert run("report", store) == 0
    assert capfd.readouterr().out == out.split("\n\n", 1)[1]
    with Store.open(store) as opened:
        game = next(opened.finished())
        assert opened.plan().agents == ("random", "plug_ins.py:First")
    assert run("export", store, game.id[:10], "game.brz") == 0
    replay = Replay.load("game.brz")
    replay.verify()
    assert replay.actions == game.actions
    # All of it once more, but longer: what is there is not played again.
    before = content(store)
    assert run("resume", store, "--deals", 4, "--workers", 1, "--allow", "plug_ins.py:First") == 0
    assert content(store)[: len(before)] == before
    assert recorded(store) == 8
    change(store, "UPDATE games SET scores = '[0, 99]'", sealed=False)
    for command in ("report", "verify"):
        capfd.readouterr()
        assert run(command, store) == 1
        said = capfd.readouterr().err
        assert f"{store} is damaged: a game is not what was written; restore a copy of it" in said
        assert "Traceback" not in said
    change(store, "UPDATE games SET scores = '[0, 99]'")  # ... with a checksum
    assert run("verify", store) == 1
    out, _ = capfd.readouterr()
    assert out.count("the store says (0, 99)") == 8
    assert out.endswith(": 8 faults\n")


@pytest.mark.slow
def test_the_same_plan_plays_the_same_games_with_any_number_of_workers(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for count in (1, 2):
        arguments = ["--agents", "random,balanced", "--seats", 3, "--deals", 3, "--seed", 1, "--workers", count]
        assert run("run", *arguments, "--store", f"{count}.sqlite") == 0
    assert content(folder / "1.sqlite") == content(folder / "2.sqlite") != []


@pytest.mark.slow
def test_killed_again_and_again_it_loses_nothing_and_plays_nothing_twice(folder, monkeypatch):
    """kill -9 of the tournament, at any moment; its workers go by themselves."""
    path = folder / "x.sqlite"
    start = ["--agents", "random,balanced", "--deals", 40, "--seed", 1, "--workers", 2]
    process = tournament(folder, "run", *start, "--store", path)
    before = {}
    for least in (1, 40):
        wait_for_games(process, path, least)
        process.kill()
        process.communicate()
        with Store.open(path) as store:
            now = {game.id: game for game in store.games()}
        assert before.items() <= now.items()
        before = now
        process = tournament(folder, "resume", path, "--workers", 2)
    killed = len(before)
    status, out, err = result(process, folder)
    assert (status, "all deals are played" in out) == (0, True), err
    with Store.open(path) as store:
        games = list(store.finished())
        assert len(games) == len({game.id for game in games}) == 160
        assert len(store.versions()) == 3
    assert killed < 160
    with sqlite3.connect(path) as db:  # what was stored was not played by a later process
        assert db.execute("SELECT count(*) FROM games WHERE writer < 3").fetchone()[0] == killed
    monkeypatch.chdir(folder)
    assert run("run", *start[:-1], 1, "--store", folder / "y.sqlite") == 0
    assert content(path) == content(folder / "y.sqlite")


@pytest.mark.slow
def test_two_processes_share_a_store(folder):
    path = folder / "x.sqlite"
    agents = "random,plug_ins.py:Slow"
    one = tournament(folder, "run", "--agents", agents, "--seats", 2, "--deals", 60, "--store", path, "--workers", 1)
    wait_for_games(one, path, 1)
    two = tournament(folder, "resume", path, "--workers", 1, "--allow", "plug_ins.py:Slow")
    results = [result(one, folder), result(two, folder)]
    assert [status for status, _, _ in results] == [0, 0], results
    with Store.open(path) as store:
        assert len(list(store.finished())) == 120
    with sqlite3.connect(path) as db:
        shares = dict(db.execute("SELECT writer, count(*) FROM games GROUP BY writer"))
        assert sorted(shares) == [1, 2]
        assert db.execute("SELECT count(*) FROM units WHERE state = 'done'").fetchone() == (60,)


@pytest.mark.slow
def test_ctrl_c_leaves_a_store_that_goes_on_and_no_processes(folder):
    path = folder / "x.sqlite"
    agents = "random,plug_ins.py:Slow"
    process = tournament(folder, "run", "--agents", agents, "--deals", 50, "--store", path, "--workers", 2)
    wait_for_games(process, path, 1)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
    status, _, err = result(process, folder)
    assert status == 130
    assert f"To go on: bloodrage tournament resume '{path}' --allow plug_ins.py:Slow\n" in err
    assert "Traceback" not in err
    assert recorded(path) >= 1


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced_and_its_unit_played_again(folder):
    path = folder / "x.sqlite"
    agents = "random,plug_ins.py:Slow"
    process = tournament(folder, "run", "--agents", agents, "--seats", 2, "--deals", 4, "--store", path, "--workers", 1)
    killed = set()
    for least in (1, 4):
        wait_for_games(process, path, least)
        # A killed process can take a while to end, and a child of a worker has its command line until it starts.
        (worker,) = set(processes(folder, "spawn_main", str(process.pid))) - killed
        os.kill(worker, signal.SIGKILL)
        killed.add(worker)
    status, _, err = result(process, folder)
    assert status == 0, err
    with Store.open(path) as store:
        assert len(list(store.finished())) == 8
        assert store.failures() == ()
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT tries, reason FROM units WHERE tries > 0").fetchall()
        assert sum(tries for tries, _ in rows) == 2
        assert {reason for _, reason in rows} == {"a worker process ended with signal 9"}


def test_each_seat_has_an_agent_of_its_own(monkeypatch):
    """Also seats of one agent; none of another agent than that of the plan."""
    plan, seen = tournament_module.make_plan(["random", "greedy"], Plan((), (), "round-robin", Options(4), deals=1)), []

    def watched(agents, *rest):
        seen.append([id(agent) for agent in agents])
        return play_game(agents, *rest)

    monkeypatch.setattr(workers, "play_game", watched)
    (game, *_) = unit(plan, 0).games
    assert sorted(game.line_up) == ["greedy", "greedy", "random", "random"]
    with workers.Player(plan) as player:
        assert player.play(game).forfeit_seat is None
    assert len(set(seen[0])) == 4
    with (
        workers.Player(replace(plan, fingerprints=("0" * 64,) * 2)) as player,
        pytest.raises(UserError, match="changed"),
    ):
        player.play(game)


def test_the_plug_ins_of_a_worker_end_with_it():
    plan = Plan(("random", "greedy"), ("", ""), "round-robin", Options(), deals=1)
    player = workers.player_of(plan, ())
    assert player.close in leaving
    leaving.remove(player.close)
    workers.player_of.cache_clear()


def test_the_anchor_is_an_agent_of_the_tournament(folder, monkeypatch, capfd):
    monkeypatch.chdir(folder)
    common = ["--agents", "random,balanced", "--seats", 2, "--deals", 2, "--workers", 1, "--store", "x.sqlite"]
    assert run("run", *common, "--anchor", "greedy") == 1
    assert capfd.readouterr().err == "bloodrage tournament: --anchor greedy is none of the agents: random, balanced\n"
    assert not (folder / "x.sqlite").exists()
    assert run("run", *common, "--anchor", "balanced:") == 0
    assert "4 games of 2 deals; balanced has 0 Elo" in capfd.readouterr().out
    for action in ("report", "resume"):
        assert run(action, "x.sqlite", "--anchor", "greedy") == 1
        assert "--anchor greedy is none of the agents: random, balanced" in capfd.readouterr().err
        assert run(action, "x.sqlite", "--anchor", "random") == 0
        assert "random has 0 Elo" in capfd.readouterr().out
    assert run("report", "x.sqlite", "--anchor", "random", "--html", "x.html", "--csv", "x") == 0
    assert "random has 0 Elo" in (folder / "x.html").read_text(encoding="utf-8")
    elo = {row["agent"]: row["elo"] for row in csv.DictReader((folder / "x" / "agents.csv").open(encoding="utf-8"))}
    assert elo["random"] == "0"


def play_on(pool, path, deals):
    """A tournament on this pool; returns its outcome and the units that were given up."""
    plan = Plan(("a", "b"), ("0" * 64, "1" * 64), "round-robin", Options(2), deals=deals)
    with Store.create(path, plan) as store:
        store.join({})
        try:
            return tournament_module.run(store, plan, pool, Progress(io.StringIO(), None)), store.failures()
        except UserError as error:
            return str(error), store.failures()


def test_units_at_which_workers_always_die_are_given_up(tmp_path):
    outcome, failures = play_on(DeadlyPool(Died, "no memory left"), tmp_path / "x.sqlite", 2)
    assert outcome.complete
    assert failures == ((0, "no memory left"), (1, "no memory left"))


def test_where_nothing_can_be_played_the_tournament_ends(tmp_path):
    outcome, failures = play_on(DeadlyPool(Died, "no memory left"), tmp_path / "x.sqlite", 100)
    assert outcome == "5 units in a row can't be played; the last: no memory left"
    assert len(failures) == 5
    assert play_on(DeadlyPool(Refused, "no memory left"), tmp_path / "y.sqlite", 9) == ("no memory left", ())
    outcome, failures = play_on(FitfulPool(Died, "no memory left"), tmp_path / "z.sqlite", 12)
    assert (outcome.complete, len(failures)) == (True, 9)  # never five in a row


@pytest.mark.slow
def test_plug_ins_that_hang_or_exit_forfeit_and_the_tournament_goes_on(folder, monkeypatch, capfd):
    monkeypatch.chdir(folder)
    agents = "random,plug_ins.py:Hangs,plug_ins.py:Exits"
    options = ["--seats", 2, "--deals", 1, "--workers", 1, "--seconds-a-decision", 0.5]
    assert run("run", "--agents", agents, *options, "--store", "x.sqlite") == 0
    with Store.open("x.sqlite") as store:
        games = list(store.finished())
        assert len(games) == 6
        reasons = {game.line_up[game.forfeit_seat]: game.forfeit_reason for game in games}
    assert "random" not in reasons
    assert "0.5 s" in reasons["plug_ins.py:Hangs"]
    assert "3" in reasons["plug_ins.py:Exits"]
    assert run("verify", "x.sqlite") == 0


@pytest.mark.slow
def test_stop_rules(folder, monkeypatch, capfd):
    monkeypatch.chdir(folder)
    monkeypatch.setattr("bloodrage_training.tournament.run._RATING_PAUSE", 0.0)
    monkeypatch.setattr("bloodrage_training.tournament.run._BEAT", 0.1)
    common = ["--agents", "random,battle,balanced", "--seats", 2, "--workers", 1]
    assert run("run", *common, "--minutes", 0.05, "--store", "time.sqlite") == 0
    first, *_, last = capfd.readouterr().out.splitlines()
    assert [first, last] == ["the time is up", "to play on: bloodrage tournament resume time.sqlite --minutes 0.05"]
    assert run("run", *common, "--until-width", 2000, "--store", "width.sqlite") == 0
    first, *_, last = capfd.readouterr().out.splitlines()
    assert (first[:24], last) == ("the leader's interval is", "to play on: bloodrage tournament resume width.sqlite")
    with Store.open("width.sqlite") as store:
        assert len(list(store.finished())) >= 40
    assert run("resume", "time.sqlite") == 1
    assert "say when to stop" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agents", "random"], "a tournament needs 2 to 100 agents, not 1"),
        (["--agents", "random,random"], "agent random is named twice"),
        (["--agents", "random,human"], "a person can't play these games"),
        (["--agents", "random,nobody.py:X"], "there is no file nobody.py"),
        (["--agents", "random,plug_ins.py:Nobody"], "plug_ins.py has no class Nobody"),
        (["--agents", "random,plug_ins.py:First", "--html", "no/x.html"], "there is no folder no"),
    ],
)
def test_what_can_not_be_run(folder, monkeypatch, capfd, arguments, message):
    monkeypatch.chdir(folder)
    assert run("run", *arguments, "--deals", 1, "--store", "x.sqlite") == 1
    _, err = capfd.readouterr()
    assert message in err
    assert err.count("\n") == 1
    assert not (folder / "x.sqlite").exists()


def test_agents_that_have_changed_are_refused(folder, monkeypatch, capfd):
    monkeypatch.chdir(folder)
    arguments = ["--agents", "random,plug_ins.py:First", "--seats", 2, "--workers", 1, "--store", "x.sqlite"]
    assert run("run", *arguments, "--deals", 1) == 0
    (folder / "plug_ins.py").write_text(PLUG_INS + "\n")
    capfd.readouterr()
    assert run("resume", "x.sqlite", "--deals", 2, "--allow", "plug_ins.py:First") == 1
    assert capfd.readouterr().err == (
        "bloodrage tournament: agent plug_ins.py:First has changed since the store was made: "
        "bring it back, or begin a new store\n"
    )
    assert recorded(folder / "x.sqlite") == 2


def test_without_a_stop_rule_nothing_begins(folder, capfd):
    assert run("run", "--agents", "random,x.py:Y", "--store", folder / "x.sqlite") == 1
    assert "say when to stop: --deals, --minutes or --until-width" in capfd.readouterr().err


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_in_a_terminal_is_one_line_that_is_drawn_over(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    stream = Terminal()
    progress = Progress(stream, 400, done=100)
    now[0] = 10.0
    progress.update(150)
    progress.update(151)  # too soon
    now[0] = 20.0
    progress.update(200, ", more")
    progress.end()
    lines = stream.getvalue().split("\r")
    assert lines[1] == "[#########---------------] 150/400 games, 5.0/s, 0:50 left"
    assert lines[2] == "[############------------] 200/400 games, 5.0/s, 0:40 left, more"
    assert lines[3] == f"{lines[2].removesuffix(', more')}      \n"


def test_progress_elsewhere_is_a_line_every_now_and_then(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    stream = io.StringIO()
    progress = Progress(stream, None, seconds=7200)
    for second in range(100):
        now[0] = float(second)
        progress.update(second)
    progress.end()
    assert stream.getvalue().splitlines() == [
        "[------------------------] 30 games, 1.0/s, 1:59:30 left",
        "[------------------------] 60 games, 1.0/s, 1:59:00 left",
        "[------------------------] 90 games, 1.0/s, 1:58:30 left",
        "[------------------------] 99 games, 1.0/s, 1:58:21 left",
    ]
