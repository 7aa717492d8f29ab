"""Everything that an endpoint of a model can send: its failures stop the run, only answers of the model lose a game."""

import json
import os
import shlex
import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from chat_server import FAILURES, USAGES, Answer, completion, dripping, in_turn, serving
from pool_here import Here
from toy_installed import toy

pytest.importorskip("httpx2")

from test_llm import first_legal, played

from bloodrage_agents import registry
from bloodrage_agents.base import View, agent_rng
from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.errors import UnavailableError
from bloodrage_training.games.bloodrage.language.questions import Question
from bloodrage_training.games.bloodrage.language.track import reply
from bloodrage_training.tournament import command
from bloodrage_training.tournament.store import Store

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch, no_proxy: None) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def closed_port() -> int:
    """A port where nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_stops_the_game_with_one_line(failure: str) -> None:
    answer, said = FAILURES[failure]
    with serving(in_turn(answer)) as endpoint, pytest.raises(UnavailableError) as raised:
        played(endpoint, retries=0, timeout=0.5 if "0.5 s" in said else 60)
    assert str(raised.value) == f"the endpoint {endpoint.url} can't be used: {said}"
    assert len(endpoint.requests) == 1
    assert endpoint.written < 64 * 2**20


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://127.0.0.1:{port}/v1", "http://127.0.0.1:{port}/v1"),
        ("http://nowhere.invalid/v1", "http://nowhere.invalid/v1"),
    ],
)
def test_an_endpoint_that_is_not_there_stops_the_game(url: str, shown: str) -> None:
    port = closed_port()
    with serving(first_legal) as endpoint, pytest.raises(UnavailableError) as raised:
        played(endpoint, url=url.format(port=port), retries=0, timeout=20)
    assert str(raised.value).startswith(f"the endpoint {shown.format(port=port)} can't be used: [Errno ")
    assert str(raised.value).endswith("; start it, or correct the url")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("failure", ["server error", "cut", "no JSON", "no choices", "error with status 200"])
def test_a_failure_that_ends_costs_nothing(failure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("bloodrage_agents.endpoint.time.sleep", waits.append)
    failures = [FAILURES[failure][0]] * 3
    with serving(lambda messages: failures.pop() if failures else first_legal(messages)) as endpoint:
        agent, record = played(endpoint)
    assert record.forfeit_reason is None
    assert [each.tries for each in agent.decisions] == [1] * 3
    assert len(waits) == 3


PAUSES = [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]


@pytest.mark.parametrize(
    ("asked", "paused"),
    [*((each, PAUSES) for each in ("9" * 400, "nan", "-5", "1e9", "soon", "²")), ("86400", [60.0] * 7)],
)
def test_the_pause_that_an_endpoint_asks_for_is_bounded(
    asked: str, paused: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("bloodrage_agents.endpoint.time.sleep", waits.append)

    def later(endpoint: Any, handler: Any) -> None:
        head = f"HTTP/1.1 429 Later\r\nRetry-After: {asked}\r\nContent-Length: 0\r\n\r\n"
        handler.wfile.write(head.encode("latin-1"))

    with serving(in_turn(later)) as endpoint, pytest.raises(UnavailableError, match="status 429"):
        played(endpoint, retries=7)
    assert waits == paused


def test_a_question_that_is_asked_again_has_the_events() -> None:
    """The run is resumed once the endpoint answers; the model has not seen them yet."""
    failures: list[Answer] = [503]
    with serving(lambda messages: failures.pop() if failures else first_legal(messages)) as endpoint:
        agent: Any = registry.make(f"llm:model=m,url={endpoint.url},retries=0", "toy")
        options = games.options_from("toy", num_players=2)
        view = View.of(games.game("toy").new_game(1, options), 0, 0, "toy")
        agent.reset(0, options)
        agent.observe_events(["Blue plays 3"], 1)
        with pytest.raises(UnavailableError):
            agent.act(view, view.record[0].mask, agent_rng(1))
        agent.act(view, view.record[0].mask, agent_rng(1))
    assert ["Blue plays 3" in each["messages"][-1]["content"] for each in endpoint.requests] == [True] * 2


@pytest.mark.parametrize("usage", USAGES)
def test_a_usage_without_numbers_costs_no_game(usage: str, tmp_path: Path) -> None:
    def answer(messages: list[dict[str, str]]) -> bytes:
        return completion(json.dumps(first_legal(messages)), usage)

    with serving(answer) as endpoint:
        agent, record = played(endpoint, transcript=tmp_path)
    assert record.forfeit_reason is None
    assert [(each.prompt_tokens, each.answer_tokens, each.cost) for each in agent.decisions] == [(0, 0, 0.0)] * 3
    lines = (tmp_path / "game1_seat0.jsonl").read_text(encoding="utf-8").splitlines()
    assert len([json.loads(line) for line in lines]) == 3


@pytest.mark.parametrize(
    "content",
    [
        lambda said: json.dumps("half a pair: \ud83d " + said),
        lambda said: json.dumps([{"type": "text", "text": said[:9]}, {"type": "image"}, {"text": said[9:]}]),
        lambda said: json.dumps("\0\x1b[2J" + said),
        lambda said: json.dumps("x" * 3_000_000 + "\n" + said),
    ],
    ids=["surrogate", "list", "control characters", "long"],
)  # fmt: skip
def test_an_answer_in_an_odd_form_is_read(content: Callable[[str], str], tmp_path: Path) -> None:
    def answer(messages: list[dict[str, str]]) -> bytes:
        return completion(content(first_legal(messages)))

    with serving(answer) as endpoint:
        agent, record = played(endpoint, transcript=tmp_path, memory="full")
    assert record.forfeit_reason is None
    assert [each.tries for each in agent.decisions] == [1] * 3
    text = (tmp_path / "game1_seat0.jsonl").read_text(encoding="utf-8")
    assert len(text) < 500_000


def test_only_answers_of_the_model_lose_a_game() -> None:
    """An empty answer is one: after the last try the model forfeits."""
    with serving(in_turn(completion("null"))) as endpoint:
        _, record = played(endpoint, tries=2)
    assert (record.forfeit_seat, record.forfeit_reason) == (
        0,
        "gave no legal answer in 2 tries: unreadable, the answer is empty: end with one line `Answer: ACTION`",
    )
    assert len(endpoint.requests) == 2


def test_a_transcript_that_cannot_be_written_loses_no_game(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("")
    with serving(first_legal) as endpoint, pytest.raises(UnavailableError, match="can't write the transcript of llm"):
        played(endpoint, transcript=taken)


def test_a_signal_ends_a_request(capsys: pytest.CaptureFixture[str]) -> None:
    """A drip, for an hour if nothing ends it."""

    def interrupted(endpoint: Any, handler: Any) -> None:
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        drip(endpoint, handler)

    drip: Any = dripping(b"HTTP/1.1 200 OK\r\n\r\n")
    with serving(in_turn(interrupted)) as endpoint:
        words = ["demo", "--game", "toy", "--players", "2", "--agents"]
        assert main([*words, f"llm:model=m,url={endpoint.url},timeout=3600,random"]) == 130


# ---- tournaments


def tournament(*words: str) -> int:
    """The exit status of a command, whose games are played in this process."""
    with mock.patch.object(command, "make_pool", side_effect=lambda *_: Here()):
        return main(["tournament", *words])


@pytest.mark.parametrize("failure", ["closed port", *FAILURES])
def test_a_tournament_stops_and_is_resumed(
    failure: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some games, then the endpoint fails: no game is lost by it, and all others are played later."""
    answered: list[Answer] = []

    def answer(messages: list[dict[str, str]]) -> Answer:
        answered.append(first_legal(messages))
        return broken[0] if len(answered) > 4 and broken else answered[-1]

    broken = [FAILURES.get(failure, (503, ""))[0]]
    store = str(tmp_path / "a.db")
    with serving(answer) as endpoint:
        url = endpoint.url if failure != "closed port" else f"http://127.0.0.1:{closed_port()}/v1"
        spec = f"llm:model=m,url={url},retries=0,timeout=0.5"
        words = ["--game", "toy", "--players", "2", "--agents", f"{spec},random", "--deals", "2", "--store", store]
        assert tournament("run", *words, "--seed", "1") == 1
        said = capsys.readouterr().err
        assert said.splitlines()[-1].startswith(f"bloodrage tournament: the endpoint {url} can't be used: ")
        _, _, resumed = said.splitlines()[-1].partition("To go on: bloodrage tournament ")
        assert shlex.split(resumed)[:2] == ["resume", store]
        with Store.open(store) as stored:
            assert [game.forfeit_seat for game in stored.games()] == [None] * stored.recorded()
            assert stored.recorded() < 4
        broken.clear()
        if failure != "closed port":
            assert tournament(*shlex.split(resumed)) == 0
            with Store.open(store) as stored:
                assert [game.forfeit_seat for game in stored.games()] == [None] * 4


# ---- other runs


def test_a_question_without_an_answer_is_not_wrong() -> None:
    """A question that the endpoint does not answer is not a wrong answer of the model."""
    with serving(in_turn(503)) as endpoint:
        agent = registry.make(f"llm:model=m,url={endpoint.url},retries=0", "bloodrage")
        with pytest.raises(UnavailableError, match="status 503"):
            reply(Question("room", "How many?", ("1", "2"), "1"), agent)
