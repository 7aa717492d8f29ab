"""A server that stops: no agent moves or is replaced any more, and after a restart every game goes on where it was."""

import asyncio
import random
import signal
import threading

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from serve_client import Client

from bloodrage_agents.opponents import Opponent
from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.replay import Replay
from bloodrage_env.serve.thinking import Thinkers
from tests.serve_process import Connection, ServerProcess, new_game, play

PATIENCE = 300  # seconds after which a test gives up
FIRST_CHOICE = """
import time

class FirstChoice:
    def act(self, observation, action_mask, rng):
        time.sleep(0.05)
        return int(action_mask.argmax())
"""


def notes(view):
    return [text for entry in view["log"] for kind, text in entry["lines"] if kind == "note"]


def answer_all(client, token):
    """The person answers until an agent is asked; returns how many actions there were then."""
    while question := client.view(token)["question"]:
        assert client.answer(token, question["number"], question["choices"][0]["action"]).status == 200
        client.end(token, client.game(token).number_for(0))
    assert not client.game(token).over
    return client.game(token).number


def test_answers_while_the_server_stops_are_kept_and_no_agent_moves(tmp_path):
    with Client(tmp_path) as client:
        (token, _) = client.new_game(None, "random")
        before = client.asked(token)["question"]["number"]
        client.loop.run_until_complete(client.tables.close())
        number = answer_all(client, token)
        view = client.asked(token)
        assert (client.game(token).number, notes(view), client.said) == (number, [], [])
        saved = Replay.load(tmp_path / f"{token.partition('.')[0]}.brz")
        assert len(saved) == number > before
    with Client(tmp_path) as later:
        assert later.view(token)["scene"] == view["scene"]
        view = later.asked(token)
        assert later.game(token).number > number
        assert notes(view) == []


@pytest.mark.parametrize("fails", [False, True])
def test_what_an_agent_was_thinking_when_the_server_stopped_is_dropped(tmp_path, monkeypatch, fails):
    """Also where it fails, as an agent may whose own process got the same Ctrl-C."""
    asked, go_on = threading.Event(), threading.Event()

    def act(_opponent, states):
        asked.set()
        go_on.wait()
        if fails:
            raise RuntimeError("broken")
        return int(np.flatnonzero(states[0].mask)[0])

    monkeypatch.setattr(Opponent, "__call__", act)
    with Client(tmp_path) as client:
        (token, _) = client.new_game(None, "random", first_game=True)
        number = answer_all(client, token)
        client.loop.run_until_complete(asyncio.to_thread(asked.wait))
        client.tables.stop()
        go_on.set()
        view = client.asked(token)
        assert (client.game(token).number, notes(view), client.said) == (number, [], [])


def test_what_comes_of_a_thought_that_was_cancelled_is_dropped():
    """Without a word in the log of the event loop."""
    go_on, said = threading.Event(), []

    async def cancelled():
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: said.append(context))
        thought = asyncio.create_task(Thinkers(1).result(go_on.wait))
        while not (threads := [each for each in threading.enumerate() if each.name == "agent"]):
            await asyncio.sleep(0)
        thought.cancel()
        await asyncio.wait([thought])
        go_on.set()
        for thread in threads:
            await asyncio.to_thread(thread.join)
        return thought.cancelled()

    assert asyncio.run(cancelled())
    assert said == []


ENDLESS = """
import threading

class Endless:
    def act(self, observation, action_mask, rng):
        print("thinking", flush=True)
        threading.Event().wait()
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_stops_waits_for_no_agent(tmp_path, how):
    plug_in = tmp_path / "endless.py"
    plug_in.write_text(ENDLESS)
    server = ServerProcess(tmp_path / "games", f"{plug_in}:Endless")
    try:
        asyncio.run(begin(server, f"{plug_in}:Endless", 8))
        assert server.process.stdout.readline() == "thinking\n"
        server.process.send_signal(how)
        assert server.process.wait(PATIENCE) in (0, -how)
        assert server.wait() == ""
    finally:
        server.kill()


async def people_play(server, tokens, answers, stop):
    """Each game gets so many answers; then `stop()`, and the people play on until the server is gone."""
    counts = dict.fromkeys(tokens, 0)

    async def person(token):
        def answered(_seconds):
            counts[token] += 1
            if all(count >= answers for count in counts.values()):
                stop()

        connection = Connection(server.port)
        try:
            await play(connection, token, random.Random(token), lambda: True, answered)
        except (OSError, EOFError):
            assert server.stopping
        finally:
            connection.close()

    await asyncio.gather(*map(person, tokens))


@pytest.mark.slow
def test_games_go_on_after_stops(tmp_path):
    """Agents always take their first choice: another one would be a substitute's."""
    plug_in = tmp_path / "first_choice.py"
    plug_in.write_text(FIRST_CHOICE)
    spec, folder = f"{plug_in}:FirstChoice", tmp_path / "games"
    server = ServerProcess(folder, spec)
    try:
        tokens = asyncio.run(begin(server, spec, 4))
        lengths = dict.fromkeys(tokens, 0)
        for how in (signal.SIGINT, signal.SIGTERM):
            server.stopping = False

            def stop(how=how):
                if not server.stopping:
                    server.stopping = True
                    server.process.send_signal(how)

            asyncio.run(people_play(server, tokens, 3, stop))
            assert server.wait() == ""
            assert server.process.returncode in (0, -how)
            for token in tokens:
                played = Replay.load(folder / f"{token.partition('.')[0]}.brz")
                assert len(played) > lengths[token]
                lengths[token] = len(played)
                check_agents(played)
            server.start()
        for token in tokens:
            assert notes(asyncio.run(Connection(server.port).call("GET", "/api/seat", token=token))[2]) == []
    finally:
        server.kill()


async def begin(server, spec, games):
    connection = Connection(server.port)
    tokens = [await new_game(connection, spec) for _ in range(games)]
    connection.close()
    return tokens


def check_agents(replay):
    """All seats but the first always took their first choice."""
    for states, action in zip(replay.states(), replay.actions, strict=False):
        if engine.seat_to_act(states, 0) != 0:
            assert action == np.flatnonzero(states[0].mask)[0]
