"""Plug-ins that try to know the cards, to leave notes, to reach their parent, or to take what is not theirs."""

import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from pool_here import DeadlyPool

from bloodrage_agents import sandbox, seccomp
from bloodrage_agents.base import agent_rng
from bloodrage_agents.isolated import Isolated
from bloodrage_agents.match import play_game
from bloodrage_agents.opponents import opponent
from bloodrage_agents.random import RandomAgent
from bloodrage_env.cli import main
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.options import Options
from bloodrage_env.terminal.progress import Progress
from bloodrage_training.tasks import Died
from bloodrage_training.tournament import run as tournament
from bloodrage_training.tournament.codec import checksum
from bloodrage_training.tournament.plan import total_units, unit
from bloodrage_training.tournament.records import Plan, secret_of
from bloodrage_training.tournament.store import Store
from bloodrage_training.tournament.verify import faults

HOSTILE = Path(__file__).parent / "plug_ins" / "hostile.py"
ROOT = HOSTILE.parents[2]
GOOD = HOSTILE.with_name("good.py")
OPTIONS = Options(2)
AMPLE = 60.0
LACKING = sandbox.lacking() if sys.platform == "linux" else [sandbox.FILES, sandbox.PROCESSES]
HEADERS = Path("/usr/include/asm-generic/unistd.h")
CALLS = """
import ctypes, errno
import numpy as np


class Calls:
    def act(self, observation, action_mask, rng):
        system = ctypes.CDLL(None, use_errno=True)
        for number in {{*range(470)}} - {{335, 336}} - {{*{listed}}}:  # those two the kernel keeps for its own traps
            ctypes.set_errno(0)
            answer = system.syscall(number, 0, 0, 0, 0, 0, 0)
            assert (answer, ctypes.get_errno() in (errno.EPERM, errno.ENOSYS)) == (-1, True), number
        return int(np.flatnonzero(action_mask)[0])
"""
needs_files = pytest.mark.skipif(sandbox.FILES in LACKING, reason="this platform has no Landlock")
needs_processes = pytest.mark.skipif(sandbox.PROCESSES in LACKING, reason="this platform has no seccomp")


BELOW_SYSTEM = """
import sys
folder, *sys.path[:] = sys.argv[1:]
from bloodrage_agents import sandbox
sandbox._SYSTEM += (folder,)
sandbox.enter([], [folder + "/x.sqlite"])
for name in ("library", "x.sqlite"):
    try:
        print(open(folder + "/" + name).read())
    except OSError as error:
        print(type(error).__name__)
"""


def outcome(name, folder=HOSTILE.parent, hidden=()):
    """Why the plug-in forfeits a game; None if it plays it to the end."""
    with Isolated(f"{folder}/hostile.py:{name}", AMPLE, hidden) as agent:
        return play_game([agent, RandomAgent()], 3, OPTIONS, (1, 2)).forfeit_reason


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the plug-ins, where the tests are run."""
    shutil.copy(HOSTILE, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def forfeits(store):
    """The reasons of the forfeits of a tournament, and how many games it has."""
    with Store.open(store) as opened:
        games = list(opened.finished())
    return [game.forfeit_reason for game in games if game.forfeit_seat is not None], len(games)


def run(agents, *arguments):
    """Play a tournament of two seats in this folder."""
    common = ["--seats", "2", "--workers", "1", "--store", "x.sqlite"]
    return main(["tournament", "run", "--agents", agents, *common, *map(str, arguments)])


# ---- deals


def test_a_plug_in_reads_this_project_wherever_it_lies(tmp_path, monkeypatch):
    """Its packages may be found by an editable install, whose folders are not on the path."""
    source = "    def act(self, observation, action_mask, rng):\n"
    for module in (
        "bloodrage_env.games.bloodrage.rewards",
        "bloodrage_agents.budget",
        "bloodrage_training.tournament.estimates",
    ):
        source += f"        import {module}\n"
    (tmp_path / "late.py").write_text(f"class Late:\n{source}        return int(action_mask.argmax())\n")
    folders = {str(ROOT / each) for each in ("", "tests", "training", "training/examples")}
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path and path not in folders])
    with Isolated(f"{tmp_path}/late.py:Late", AMPLE) as agent:
        assert play_game([agent, RandomAgent()], 3, OPTIONS, (1, 2)).forfeit_reason is None


@needs_files
@pytest.mark.slow
def test_no_process_meets_a_deal_twice(folder, capfd):
    """Neither at another seat, nor in another line-up, nor when the tournament goes on, and there are no notes."""
    agents = "hostile.py:Remembers,hostile.py:Remembers:number=1,random"
    assert run(agents, "--deals", 1) == 0
    allow = ["--allow", "hostile.py:Remembers", "--allow", "hostile.py:Remembers:number=1"]
    assert main(["tournament", "resume", "x.sqlite", "--deals", "2", "--workers", "1", *allow]) == 0
    assert forfeits("x.sqlite") == ([], 12)
    assert not list(folder.glob("*.notes"))


@pytest.mark.slow
def test_the_same_agent_at_two_seats_is_two_processes(folder):
    with Isolated("hostile.py:Remembers", AMPLE) as one, Isolated("hostile.py:Remembers", AMPLE) as other:
        assert play_game([one, other], 3, OPTIONS, (1, 2)).forfeit_reason is None


@needs_processes
@pytest.mark.parametrize("name", ["Remembers", "Marks", "TellsAge"])
def test_a_game_knows_nothing_of_the_games_before_it(name):
    """Of the same deal, by processes of one server."""
    with Isolated(f"{HOSTILE}:{name}", AMPLE) as agent:
        agent.start()
        server = agent._server.pid
        time.sleep(1.5)  # so that a time of the start is not one of a game
        for _ in range(2):
            assert play_game([agent, RandomAgent()], 3, OPTIONS, (1, 2)).forfeit_reason is None
            assert agent._server.pid == server


def test_libraries_draw_other_numbers_in_each_game():
    with Isolated(f"{HOSTILE}:Draws", AMPLE) as agent:
        one, other = (play_game([agent, RandomAgent()], 3, OPTIONS, (1, 2)).forfeit_reason.split() for _ in range(2))
    assert one[0] == other[0] == "RuntimeError:"
    assert not {*one[1:]} & {*other[1:]}


@pytest.mark.slow
def test_deals_can_not_be_guessed_from_a_seed_that_nobody_has_given(folder, capfd):
    assert run("hostile.py:GuessesDeal,random", "--deals", 2) == 0
    assert forfeits("x.sqlite") == ([], 4)
    assert "seed" not in capfd.readouterr().err


@pytest.mark.slow
def test_a_given_seed_is_guessed_and_the_tournament_says_so(folder, capfd):
    assert run("hostile.py:GuessesDeal,random", "--deals", 1, "--seed", 5) == 0
    reasons, games = forfeits("x.sqlite")
    with Store.open("x.sqlite") as store:
        seeds = [game.seed for game in store.finished()]
    assert (reasons, games) == ([f"Success: the seed is {seed}" for seed in seeds], 2)
    assert "a plug-in may guess a seed that was given" in capfd.readouterr().err


def test_a_secret_is_drawn_for_each_plan_and_kept_in_the_store(tmp_path):
    plans = [Plan(("random", "balanced"), ("f", "f"), "round-robin", OPTIONS, deals=1) for _ in range(2)]
    assert plans[0].secret != plans[1].secret
    assert unit(plans[0], 0).games[0].seed != unit(plans[1], 0).games[0].seed
    with Store.create(tmp_path / "x.sqlite", plans[0]) as store:
        assert store.plan() == plans[0]
    given = Plan(("random", "balanced"), ("f", "f"), "round-robin", OPTIONS, seed=7)
    assert given.secret == secret_of(7)
    with Store.create(tmp_path / "y.sqlite", given) as store:
        (text,) = store._db.execute("SELECT value FROM facts WHERE name = 'plan'").fetchone()
        other = text.replace(given.secret, plans[0].secret)
        row = (other, checksum("plan", other))
        store._db.execute("UPDATE facts SET value = ?, checksum = ? WHERE name = 'plan'", row)
        with pytest.raises(Exception, match="a secret that is not that of its seed"):
            store.plan()


def test_a_generator_does_not_tell_the_seed_of_its_game():
    spec = f"{HOSTILE}:ReadsGenerator"
    for seed in (4, 2**62 + 5):
        states = engine.new_game(seed, 2, skip_forced=False)
        seat = engine.seat_to_act(states, 0)
        opponent(spec, seat, seed, Options(2))(states)  # raises UserError if the plug-in succeeds


def test_generators_follow_from_their_facts():
    assert agent_rng(4, 1).random() == agent_rng(4, 1).random() != agent_rng(4, 2).random()
    assert agent_rng(4, 1).random() != np.random.default_rng([4, 1]).random()
    assert int(agent_rng(4).bit_generator.seed_seq.entropy).bit_length() > 200


# ---- the process


@needs_processes
@pytest.mark.parametrize(
    "name", ["Forks", "Spawns", "EatsInChild", "EatsShared", "KillsParent", "StopsParent", "Connects"]
)
def test_a_plug_in_reaches_no_process_and_starts_none(name):
    assert outcome(name) is None


@needs_processes
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the plug-in calls by numbers of this machine")
def test_a_plug_in_learns_nothing_of_another_process_and_tells_none():
    assert outcome("Signals") is None


@needs_processes
@pytest.mark.slow
def test_two_plug_ins_at_a_table_do_not_talk_by_their_cores():
    """One sends the ids of the eight cards of its pack; the other hears none."""
    with Isolated(f"{HOSTILE}:Tells", AMPLE) as one, Isolated(f"{HOSTILE}:Hears", AMPLE) as other:
        assert play_game([one, other], 3, OPTIONS, (1, 2)).forfeit_reason == "Success: told of nothing"


@needs_processes
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the plug-in calls by numbers of this machine")
def test_a_call_that_is_not_listed_fails(tmp_path):
    """Every number of a call that is not in the list, without arguments: none does anything."""
    listed = [numbers[0] for numbers in seccomp._ALLOWED.values()]
    some = (seccomp._CLONE, seccomp._MMAP, seccomp._MADVISE, seccomp._FCNTL, seccomp._IOCTL, seccomp._KILL)
    more = (seccomp._TGKILL, seccomp._PRLIMIT, seccomp._GETAFFINITY, seccomp._FUTEX, *seccomp._CLOCKS)
    listed += [numbers[0] for numbers in (*some, *more)]
    assert len(listed) == len({*listed}) == 88
    (tmp_path / "calls.py").write_text(CALLS.format(listed=listed))
    with Isolated(f"{tmp_path}/calls.py:Calls", AMPLE) as agent:
        assert play_game([agent, RandomAgent()], 3, OPTIONS, (1, 2)).forfeit_reason is None


@pytest.mark.skipif(not HEADERS.exists(), reason="this machine has no headers of the kernel")
def test_the_numbers_of_calls_are_those_of_the_kernel():
    """Of ARM64, whose numbers are the generic ones; the other test calls those of x86-64."""
    found = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", HEADERS.read_text()))
    found["newfstatat"] = found["fstatat"]
    ours = {name: numbers[1] for name, numbers in seccomp._ALLOWED.items() if numbers[1] != seccomp._NONE}
    assert ours == {name: int(found[name]) for name in ours}


def test_a_key_of_the_user_reaches_no_file_and_no_terminal(folder, capfd, monkeypatch):
    secret = "sk-a-key-of-the-user"
    monkeypatch.setenv("OPENAI_API_KEY", secret)
    arguments = ["--deals", 1, "--html", "report.html"]
    assert run("hostile.py:TellsKey,random", *arguments) == 0
    assert forfeits("x.sqlite") == (["KeyError: 'OPENAI_API_KEY'"] * 2, 2)
    assert main(["tournament", "report", "x.sqlite", "--csv", "tables"]) == 0
    assert secret not in "".join(capfd.readouterr())
    for path in filter(Path.is_file, folder.rglob("*")):
        assert secret.encode() not in path.read_bytes(), path


def test_a_plug_in_is_given_named_variables_and_two_pipes(monkeypatch):
    monkeypatch.setenv("MY_BANK_PASSWORD", "secret")
    names, _, opened = outcome("TellsInherited").removeprefix("RuntimeError: ").partition("|")
    of_pygame = {"SDL_AUDIODRIVER", "PYGAME_HIDE_SUPPORT_PROMPT"}  # which sets them when it is imported
    assert {*names.split()} - of_pygame <= {*sandbox.environment()}
    assert "MY_BANK_PASSWORD" not in sandbox.environment()
    assert opened == "[0, 1, 2, 3, 4]"  # the first three lead nowhere, two are the pipes


@needs_processes
def test_a_plug_in_is_not_told_which_pages_are_in_memory():
    """By them it would know what an earlier process has read."""
    assert outcome("SeesPages") is None


@needs_files
@needs_processes
def test_a_plug_in_sees_no_figures_of_the_system():
    assert outcome("SeesSystem") is None


@needs_files
@pytest.mark.parametrize("name", ["ReadsParent", "WritesNotes"])
def test_a_plug_in_reads_and_writes_no_files_but_its_own(name, folder):
    before = (folder / "hostile.py").stat()
    assert outcome(name, folder) is None
    after = (folder / "hostile.py").stat()
    assert (after.st_mtime_ns, after.st_mode) == (before.st_mtime_ns, before.st_mode)


@needs_files
@pytest.mark.slow
def test_a_plug_in_can_not_read_the_store_in_its_own_folder(folder, capfd):
    (folder / "runs").mkdir()
    store = folder / "runs" / "x.sqlite"
    store.write_text("secret")
    store.with_name("x.sqlite-wal").write_text("secret")
    (folder / "link").symlink_to(folder)
    assert outcome("ReadsStore", folder).startswith("Success: read ")
    assert outcome("ReadsStore", folder, [str(store)]) is None
    assert outcome("ReadsStore", folder, [str(folder / "link" / "runs")]) is None
    store.unlink()
    store.with_name("x.sqlite-wal").unlink()
    assert run("hostile.py:ReadsStore,random", "--deals", 1) == 0
    assert forfeits("x.sqlite") == ([], 2)


@needs_files
def test_a_plug_in_can_not_read_a_store_below_a_folder_of_the_system(folder):
    """Such as /usr/src: the folders of the system are readable but for what is hidden."""
    (folder / "library").write_text("code")
    (folder / "x.sqlite").write_text("secret")
    code = [sys.executable, "-c", BELOW_SYSTEM, str(folder), *sys.path]
    found = subprocess.run(code, env=sandbox.environment(), capture_output=True, text=True, check=True)
    assert found.stdout.splitlines() == ["code", "PermissionError"]


@needs_processes
@pytest.mark.slow
def test_a_plug_in_that_kills_its_parent_voids_no_game(folder, capfd):
    assert run("hostile.py:KillsParent,random", "--deals", 1) == 0
    assert forfeits("x.sqlite") == ([], 2)
    with Store.open("x.sqlite") as store:
        assert store.failures() == ()


ATTEMPTS = ("Forks", "KillsParent", "StopsParent", "ReadsParent", "WritesNotes", "Connects", "EatsShared")


@needs_files
@needs_processes
@pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="only an administrator can become another user")
def test_the_rights_are_given_up_without_privileges_too():
    """As another user than the administrator: what a process can do after it has become `nobody`."""
    sys.path.insert(0, str(HOSTILE.parent))
    import hostile

    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        output = []
        try:
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
            output += sandbox.enter([str(HOSTILE.parent)], [])
            for name in ATTEMPTS:
                try:
                    getattr(hostile, name)().act(None, np.ones(1), None)
                except hostile.Success as success:
                    output.append(str(success))
        except BaseException as error:
            output.append(repr(error))
        finally:
            os.write(writing, ("\n".join(output) or "nothing").encode())
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        assert answer.read() == "nothing"
    os.waitpid(child, 0)


def test_what_the_platform_can_not_do_is_said(monkeypatch):
    plan = Plan(("random", f"{GOOD}:First"), ("", ""), "round-robin", OPTIONS, paired=False)
    monkeypatch.setattr(sandbox, "lacking", lambda: [sandbox.FILES])
    lines = tournament.guard(plan)
    assert lines[0] == f"plug-ins are kept from {sandbox.PROCESSES}"
    assert lines[1].startswith(f"this platform can't keep plug-ins from {sandbox.FILES}")
    assert lines[2:] == ["each game has a deal of its own, since a plug-in may remember deals (--trust)"]
    assert tournament.guard(Plan(("random", "balanced"), ("f", "f"), "round-robin", OPTIONS, seed=1)) == []


# ---- workers that die


def played_by_the_dead(path, agents):
    """A tournament in which every worker dies; the store."""
    plan = Plan(agents, ("f",) * len(agents), "round-robin", OPTIONS, deals=2)
    with Store.create(path, plan) as store, open(os.devnull, "w") as nowhere:
        store.join({})
        pool = DeadlyPool(Died, "a worker process ended with signal 9", True)
        assert tournament.run(store, plan, pool, Progress(nowhere, total_units(plan))).complete
        assert faults(store, lambda count: None) == []
        return list(store.finished()), store.failures()


def test_where_workers_die_with_one_plug_in_at_the_table_it_forfeits(tmp_path):
    bad = f"{GOOD}:First"
    games, failures = played_by_the_dead(tmp_path / "x.sqlite", ("random", bad))
    assert (len(games), failures) == (4, ())
    for game in games:
        assert game.line_up[game.forfeit_seat] == bad
        assert game.forfeit_reason == "a worker process ended with signal 9"


def test_where_it_can_not_be_said_whose_fault_it_is_the_unit_is_given_up(tmp_path):
    for agents in (("random", "balanced"), (f"{GOOD}:First", f"{GOOD}:Dice")):
        games, failures = played_by_the_dead(tmp_path / f"{agents[1][-8:]}.sqlite", agents)
        assert (games, len(failures)) == ([], 2)
