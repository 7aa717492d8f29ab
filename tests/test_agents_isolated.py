"""Plug-ins in processes of their own: they play as in this one, and their faults reach no further than a forfeit."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from random_play import differing, games_in_the_middle

from bloodrage_agents import registry
from bloodrage_agents.base import View
from bloodrage_agents.isolated import Isolated
from bloodrage_agents.match import Forfeit, ask, play_game
from bloodrage_agents.random import RandomAgent
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.options import Options

ROOT = Path(__file__).parents[1]
BAD, GOOD = (Path(__file__).parent / "plug_ins" / name for name in ("bad.py", "good.py"))
OPTIONS = Options(2)
AMPLE = 60.0  # seconds for a decision, where none is too long


def game_of(agent, options=OPTIONS, seed=3):
    """A game of an agent at the first seat against random ones."""
    others = [RandomAgent() for _ in range(options.num_players - 1)]
    return play_game([agent, *others], seed, options, range(options.num_players))


def child_of(agent):
    """The id of its process."""
    return agent._process.pid


def is_running(pid):
    """Whether there is such a process that has not ended; one that nobody has waited for is a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        if Path("/proc/self/stat").exists():
            return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def ends(pid, seconds=60):
    """Whether a process ends in time."""
    deadline = time.monotonic() + seconds
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not is_running(pid)


# ---- playing


@pytest.mark.parametrize("spec", [f"{GOOD}:Looker", f"{GOOD}:Dice:skip=2", f"{GOOD}:Chatty"])
def test_a_plug_in_plays_as_it_would_here(spec, capfd):
    with Isolated(spec, AMPLE) as agent:
        games = [game_of(agent, options) for options in (OPTIONS, Options(3, first_game=True))]
        child = child_of(agent)
    assert games[0].forfeit_reason is None
    assert capfd.readouterr().out == ""
    assert not is_running(child)
    assert [game.actions for game in games] == [
        game_of(registry.make(spec), options).actions for options in (OPTIONS, Options(3, first_game=True))
    ]


def test_each_game_has_a_process_of_its_own():
    """Nothing lives on, and one that was started before the first game plays it."""
    with Isolated(f"{GOOD}:Counts", AMPLE) as agent:
        agent.start()
        started = child_of(agent)
        one, first = game_of(agent), child_of(agent)
        assert first == started
        two = game_of(agent)
        assert child_of(agent) != first
        assert not is_running(first)
    assert one.actions == two.actions == game_of(registry.make(f"{GOOD}:Counts")).actions


def test_one_program_is_started_for_all_games_of_a_plug_in(monkeypatch):
    """It loads this project, and forks a process for each game. It has one thread and shares no memory."""
    started, popen = [], subprocess.Popen

    def counted(*arguments, **keywords):
        started.append(popen(*arguments, **keywords))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", counted)
    with Isolated(f"{GOOD}:Looker", AMPLE) as agent:
        children = set()
        for _ in range(3):
            assert game_of(agent).forfeit_reason is None
            children.add(child_of(agent))
            if sys.platform == "linux":
                process = Path(f"/proc/{child_of(agent)}")
                parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
                assert parent == started[0].pid
                assert len(os.listdir(f"/proc/{parent}/task")) == 1
                for each in (parent, child_of(agent)):
                    maps = Path(f"/proc/{each}/maps").read_text().splitlines()
                    assert maps
                    assert not [line for line in maps if line.split()[1].startswith("rw-s")]
    assert (len(started), len(children)) == (1, 3)
    assert not any(map(is_running, (started[0].pid, *children)))


def test_after_the_death_of_its_server_a_plug_in_gets_another_one():
    with Isolated(f"{GOOD}:First", AMPLE) as agent:
        game_of(agent)
        os.kill(agent._server.pid, signal.SIGKILL)
        assert game_of(agent).forfeit_reason is None


def test_a_slow_library_is_loaded_once(tmp_path):
    """By the server, if the plug-in names it."""
    file = tmp_path / "learned.py"
    file.write_text(
        "import sys\nLOADED = 'torch' in sys.modules\nimport torch\n\n\n"
        "class Learned:\n    def act(self, *_):\n        raise RuntimeError(LOADED)\n"
    )
    with Isolated(f"{file}:Learned", AMPLE) as agent:
        assert game_of(agent).forfeit_reason == "RuntimeError: True"


def test_starting_is_not_thinking():
    """A start takes longer than the time for a decision."""
    with Isolated(f"{GOOD}:First", AMPLE) as agent:
        start = time.monotonic()
        agent.start()
        took = time.monotonic() - start
    with Isolated(f"{GOOD}:First", took / 4) as agent:
        game = game_of(agent)
    assert game.forfeit_reason is None
    assert sum(game.seconds) < took


def test_the_process_is_told_no_more_than_the_seat_knows(monkeypatch):
    """What is sent is the same for games that the seat can't tell apart, and it is the view, or the vector."""
    sent = []

    def exchange(self, request, deadline):
        sent.append(pickle.loads(request))
        return b"A %d\n" % np.flatnonzero(sent[-1][2])[0]

    monkeypatch.setattr(Isolated, "_exchange", exchange)
    different = 0
    for number, (_, states, _) in enumerate(games_in_the_middle(range(24), 0.05)):
        if states[0].over:
            continue
        seat = int(states[0].seat)
        world = engine.redeal(states, 0, seat, number)
        different += bool(differing(states, world))
        for sees in ("view", "observation"):
            agent = Isolated(f"{GOOD}:First", AMPLE)
            agent.sees, agent._first_decision = sees, False
            for each in (states, world):
                ask(agent, each, 0, seat, np.random.default_rng(1), game="bloodrage")
            (name, one, mask, rng), (_, other, mask_too, _) = sent[-2:]
            assert (name, rng) == ("act", None)
            assert np.array_equal(mask, mask_too)
            if sees == "view":
                assert type(one) is View
                assert vars(one).keys() == {"record", "seat", "game"}
                assert not differing(one.record, other.record)
                assert not differing(one.record, engine.hide(states, 0, seat))
            else:
                assert type(one) is np.ndarray
                assert np.array_equal(one, other)
    assert different > 100


# ---- faults


@pytest.mark.parametrize(
    ("spec", "seconds", "reason"),
    [
        ("Hangs", 0.5, "took longer than 0.5 s for a decision"),
        ("Hangs:where=reset", 0.5, "took longer than 0.5 s for a decision"),
        ("Dies", AMPLE, "its process ended with status 3"),
        ("Dies:how=abort", AMPLE, "its process ended by SIGABRT"),
        ("Babbles", AMPLE, "wrote something else than an answer to its pipe"),
        ("Babbles:what=A 1/", AMPLE, "wrote something else than an answer to its pipe"),
        ("Babbles:endless=true", AMPLE, "wrote something else than an answer to its pipe"),
        ("Exits", AMPLE, "SystemExit: 0"),
        ("Interrupts", AMPLE, "KeyboardInterrupt"),
        ("Answers:what=huge", AMPLE, "answered with a number that is not from 0 to 300"),
        ("NotThere", AMPLE, f"can't start {BAD}:NotThere: {BAD} has no class NotThere"),
    ],
)
def test_a_fault_is_a_forfeit_and_ends_the_process(spec, seconds, reason):
    pids = []

    class Watched(Isolated):
        def _exchange(self, request, deadline):
            pids.append(child_of(self))
            return super()._exchange(request, deadline)

    with Watched(f"{BAD}:{spec}", seconds) as agent:
        game = game_of(agent)
        assert (game.forfeit_seat, game.forfeit_reason) == (0, reason)
        assert not is_running(pids[-1])


def test_answers_without_being_asked_are_found_out():
    """While a request is on its way that is too long for the pipe, an answer can't be to it."""
    vector, mask = np.zeros(10**6, np.float32), np.ones(engine.NUM_ACTIONS, np.int8)
    with Isolated(f"{BAD}:Rushes", AMPLE) as agent:
        agent.reset(0, OPTIONS)
        assert agent.act(vector, mask, np.random.default_rng(1)) == 0
        with pytest.raises(Forfeit, match="before it was asked"):
            agent.act(vector, mask, np.random.default_rng(1))


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is there on Linux only")
def test_memory_is_limited():
    with Isolated(f"{BAD}:Hoards", AMPLE) as agent:
        assert "MemoryError" in game_of(agent).forfeit_reason


def test_after_a_fault_the_next_game_has_a_new_process():
    with Isolated(f"{BAD}:Hangs:after=2", 0.5) as agent:
        for _ in range(2):
            game = game_of(agent)
            assert (game.forfeit_seat, game.decisions[0]) == (0, 3)


def test_what_can_not_be_started_is_said_at_once(monkeypatch):
    with pytest.raises(UserError, match=r"can't start .*bad.py:Needs: can't make .*: TypeError: .*'depth'"):
        Isolated(f"{BAD}:Needs", AMPLE).start()
    with pytest.raises(UserError, match="there is no agent 'nobody'"):
        Isolated("nobody", AMPLE)
    call = Isolated._call
    monkeypatch.setattr(Isolated, "_call", lambda self, seconds, *rest: call(self, 3.0, *rest))  # its server has longer
    with pytest.raises(UserError, match="took longer than 3 s"):
        Isolated(f"{BAD}:Hangs:where=init", AMPLE).start()


def test_without_a_process_there_is_a_forfeit():
    agent = Isolated(f"{GOOD}:First", AMPLE)
    states = engine.new_game(1, 2)
    with pytest.raises(Forfeit, match="has no process any more"):
        ask(agent, states, 0, engine.seat_to_act(states, 0), np.random.default_rng(1), game="bloodrage")


# ---- ends


def test_ctrl_c_gets_through_and_ends_the_process():
    agent = Isolated(f"{BAD}:Hangs", AMPLE)
    agent.start()
    child = child_of(agent)
    timer = threading.Timer(1.0, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        game_of(agent)
    assert not is_running(child)


def test_an_agent_that_is_forgotten_takes_its_process_along():
    agent = Isolated(f"{GOOD}:First", AMPLE)
    agent.start()
    child = child_of(agent)
    del agent
    assert ends(child)


PARENT = """
import sys
import numpy as np
from bloodrage_agents.isolated import Isolated
from bloodrage_env.games.bloodrage.options import Options
idle, busy = (Isolated(spec, 5.0) for spec in sys.argv[1:3])
for agent in (idle, busy):
    agent.reset(0, Options(2))
    print(agent._process.pid, flush=True)
if sys.argv[3] == "killed":
    busy.act(np.zeros(1), np.ones(1), np.random.default_rng(1))
"""


@pytest.mark.slow
@pytest.mark.parametrize("way", ["exits", "killed"])
def test_processes_do_not_outlive_their_parent(way):
    """Neither one that waits for a question nor one that hangs, even if nobody could end them any more."""
    command = [sys.executable, "-c", PARENT, f"{GOOD}:First", f"{BAD}:Hangs", way]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        children = [int(parent.stdout.readline()) for _ in range(2)]
        if way == "killed":
            time.sleep(1)
            assert all(map(is_running, children))
            parent.kill()
        parent.wait()
    assert all(map(ends, children))
