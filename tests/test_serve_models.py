"""Language models at tables of the server: what their endpoints send or fail to send stands in nobody's way."""

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from chat_server import FAILURES, USAGES, Answers, completion, in_turn, serving
from toy_installed import toy

pytest.importorskip("httpx2")
pytest.importorskip("starlette")

from serve_client import Client
from test_llm import first_legal

from bloodrage_env import games
from bloodrage_env.language import transcript
from bloodrage_env.serve.storage import Storage
from bloodrage_env.serve.thinking import Thinkers

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy", "no_proxy")


def table(folder: Path, url: str) -> tuple[Client, str]:
    """A server that offers a model, and its spec."""
    agent = f"llm:model=m,url={url},retries=0,timeout=2"
    return Client(folder, [(agent, "a model"), ("random", "")], game="toy"), agent


def play_on(client: Client, token: str) -> dict[str, Any]:
    """Play until the game is over or a model can't be asked; the view then."""
    while not (view := client.asked(token))["scene"]["over"] and not view["unavailable"]:
        assert client.answer(token, view["question"]["number"], view["question"]["choices"][0]["action"]).status == 200
    return view


def notes(view: dict[str, Any]) -> list[str]:
    return [text for entry in view["log"] for kind, text in entry["lines"] if kind == "note"]


@pytest.mark.parametrize("failure", ["server error", "slow", "no JSON", "error with status 200", "compressed"])
def test_a_model_that_cannot_be_asked_is_asked_again(failure: str, tmp_path: Path) -> None:
    broken = [FAILURES[failure][0]]
    with serving(lambda messages: broken[0] if broken else first_legal(messages)) as endpoint:
        client, agent = table(tmp_path, endpoint.url)
        with client:
            token = client.new_game(None, agent)[0]
            view = play_on(client, token)
            assert view["unavailable"]["seat"] == 1
            assert view["unavailable"]["reason"].startswith(f"the endpoint {endpoint.url} can't be used: ")
            assert (view["scene"]["over"], notes(view)) == (False, [])
            assert client.call("POST", "/api/seat/agent", {"again": True}, token).status == 200
            assert client.asked(token)["unavailable"]
            broken.clear()
            assert client.call("POST", "/api/seat/agent", {"again": True}, token).status == 200
            view = play_on(client, token)
            assert (view["scene"]["over"], view["unavailable"], notes(view)) == (True, None, [])
            assert client.call("POST", "/api/seat/agent", {"again": True}, token).status == 409
    lines = transcript.load(next(tmp_path.glob(f"*{games.replays('toy').suffix}")))
    assert lines
    assert all(line["action"] is not None for line in lines)


def test_another_agent_plays_for_a_model_that_cannot_be_asked(tmp_path: Path) -> None:
    with serving(in_turn(500)) as endpoint:
        client, agent = table(tmp_path, endpoint.url)
        with client:
            token = client.new_game(None, agent)[0]
            assert play_on(client, token)["unavailable"]
            view = client.call("POST", "/api/seat/agent", {"again": False}, token).json
            assert (view["unavailable"], view["players"][1]["agent"]) == (None, "random")
            view = play_on(client, token)
            assert view["scene"]["over"]
            assert len(notes(view)) == 1


def ended(folder: Path, answers: Answers) -> list[str]:
    """What a server says in whose game a model plays with these answers, then fails; the game is played to its end."""
    broken = list[int]()
    with serving(lambda messages: 500 if broken else answers(messages)) as endpoint:
        client, agent = table(folder, endpoint.url)
        with client:
            token = client.new_game(None, agent)[0]
            view = client.asked(token)
            client.answer(token, view["question"]["number"], view["question"]["choices"][0]["action"])
            client.asked(token)
            broken.append(1)
            if play_on(client, token)["unavailable"]:
                client.call("POST", "/api/seat/agent", {"again": False}, token)
            assert play_on(client, token)["scene"]["over"]
        assert transcript.load(next(folder.glob(f"*{games.replays('toy').suffix}")))
        return client.said


@pytest.mark.parametrize("usage", USAGES)
def test_a_usage_without_numbers_ends_no_game(usage: str, tmp_path: Path) -> None:
    said = ended(tmp_path, lambda messages: completion(json.dumps(first_legal(messages)), usage))
    assert all("can't be used: it answered with status 500" in line for line in said)
    assert len(said) <= 1


def test_half_a_pair_ends_no_game(tmp_path: Path) -> None:
    said = ended(tmp_path, lambda messages: completion(json.dumps("\ud83d " + first_legal(messages))))
    assert len(said) <= 1


def test_a_model_that_waits_holds_up_no_other_table(tmp_path: Path) -> None:
    """Two models that do not answer, and a server that computes for one table at a time."""
    asked = threading.Semaphore(0)

    def answer(messages: list[dict[str, str]]) -> Any:
        asked.release()
        return FAILURES["slow"][0]

    with serving(answer) as endpoint:
        agent = f"llm:model=m,url={endpoint.url},retries=0,timeout=600"
        with Client(tmp_path, [(agent, "a model"), ("random", "")], game="toy") as client:
            client.tables.thinkers = Thinkers(1)
            for _ in range(2):
                client.new_game(agent, None)
            for _ in range(2):
                client.loop.run_until_complete(asyncio.to_thread(asked.acquire))
            other = client.new_game(None, "random")[0]
            while not (view := client.asked(other))["scene"]["over"]:
                client.answer(other, view["question"]["number"], view["question"]["choices"][0]["action"])


class Odd:
    """An agent with a transcript that can't be written."""

    def __init__(self, kept: Any) -> None:
        self.kept = kept

    def transcript(self) -> Any:
        return self.kept


LINE = dict.fromkeys(transcript.NUMBERS, 1) | {"refused": [], "messages": []}


@pytest.mark.parametrize(
    "kept",
    [
        None,
        [1],
        [{}],
        *([LINE | {"cost": wrong}] for wrong in (float("nan"), float("inf"), "1", None, True, -1, 2**70)),
        [LINE | {"action": float("nan")}],
        [LINE | {"more": {1, 2}}],
    ],
)
def test_what_an_agent_keeps_that_cannot_be_written_is_left_out(kept: Any, tmp_path: Path) -> None:
    lines = transcript.of_agents([Odd(kept), Odd([LINE]), object()])
    assert lines == [LINE]
    assert transcript.save(lines, tmp_path / "game.brz")
    assert transcript.load(tmp_path / "game.brz") == [LINE]


@pytest.mark.parametrize("name", ["save", "save_talk"])
@pytest.mark.parametrize("error", [ValueError("no JSON"), TypeError("np.False_"), UnicodeError("half a pair")])
def test_a_game_that_cannot_be_saved_goes_on(
    name: str, error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise error

    with serving(first_legal) as endpoint:
        client, agent = table(tmp_path, endpoint.url)
        with client:
            token, *_ = client.new_game(None, agent)
            with monkeypatch.context() as patch:
                patch.setattr(Storage, name, fail)
                view = play_on(client, token)
                assert view["scene"]["over"]
                assert view["saved"] == (name == "save_talk")
                client.loop.run_until_complete(client.tables.close())
            client.tables.save_all()
            assert client.view(token)["saved"]
        assert any("can't be saved" in line for line in client.said)
    with Client(tmp_path, [(agent, "a model")], game="toy") as later:
        assert later.view(token)["scene"]["over"]
