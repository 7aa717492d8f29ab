"""The agent `llm` against an endpoint on loopback: what it sends, what it makes of answers and of failures."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, Endpoint, in_turn, serving
from first_move import first_move
from toy_installed import toy

from bloodrage_agents import registry
from bloodrage_agents.base import View, agent_rng
from bloodrage_agents.llm import Chat, Pace
from bloodrage_agents.match import GameRecord, play_game
from bloodrage_env import games
from bloodrage_env.core.shown.structs import structs_of
from bloodrage_env.errors import UnavailableError, UserError

pytest.importorskip("httpx2")

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy", "no_proxy")
SECRET = "sk-very-secret"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)


def first_legal(messages: list[dict[str, str]]) -> str:
    """What a model answers that takes the first action of the list."""
    asked = next(each for each in reversed(messages) if "Legal actions:" in each["content"])
    return f"Of these I like the first one.\nAnswer: {first_move(asked['content'])}\nSummary: I take what comes first."


def played(endpoint: Endpoint, game: str = "toy", **arguments: Any) -> tuple[Chat, GameRecord]:
    """A game of a model against `random`."""
    named = {"model": "m", "url": endpoint.url, "key": "OPENAI_API_KEY", **arguments}
    given = ",".join(f"{name}={value}" for name, value in named.items())
    agent = registry.make(f"llm:{given}", game)
    assert isinstance(agent, Chat)
    options = games.options_from(game, num_players=2)
    return agent, play_game([agent, registry.make("random", game)], 3, options, (1, 2))


def test_a_game_is_played_and_its_cost_recorded(tmp_path: Path) -> None:
    with serving(first_legal) as endpoint:
        agent, record = played(endpoint, input_price=2.0, output_price=10, transcript=tmp_path)
    assert record.forfeit_reason is None
    assert len(endpoint.requests) == len(agent.decisions) == 3
    first = agent.decisions[0]
    assert (first.tries, first.prompt_tokens, first.answer_tokens) == (1, 100, 10)
    assert first.cost == pytest.approx(0.0003)
    assert first.seconds > 0
    assert set(endpoint.keys) == {f"Bearer {SECRET}"}
    lines = (tmp_path / "game1_seat0.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["action"] for line in lines] == [each.action for each in agent.decisions]
    assert {each.action for each in agent.decisions} < {*record.actions}
    assert all(SECRET not in text for text in (*lines, json.dumps(endpoint.requests), str(record)))
    assert not any(request.get("stream") for request in endpoint.requests)
    assert "Since your last turn:" in endpoint.requests[1]["messages"][-1]["content"]


@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_it_plays_the_games_of_the_project(game: str) -> None:
    """The beginning of a game: then the endpoint fails, which stops it."""
    answered: list[str] = []

    def answer(messages: list[dict[str, str]]) -> str | int:
        answered.append(first_legal(messages))
        return answered[-1] if len(answered) <= 5 else 400

    with serving(answer) as endpoint, pytest.raises(UnavailableError, match="it answered with status 400"):
        played(endpoint, game, words=4)
    assert len(endpoint.requests) == 6
    assert not any("Answer again" in str(each) for each in endpoint.requests)


@pytest.mark.parametrize("memory", ["full", "summary", "none"])
def test_what_is_remembered(memory: str) -> None:
    with serving(first_legal) as endpoint:
        played(endpoint, memory=memory)
    last = endpoint.requests[-1]["messages"]
    assert len(last) == {"full": 6, "summary": 3, "none": 2}[memory]
    assert ("Your summary so far: I take what comes first." in json.dumps(last)) == (memory == "summary")


def test_it_is_told_why_and_forfeits() -> None:
    with serving(in_turn("I pass.", '{"id": 99}', "no idea")) as endpoint:
        agent, record = played(endpoint, input_price=2.0)
    assert record.forfeit_seat == 0
    assert str(record.forfeit_reason).startswith(
        "gave no legal answer in 3 tries: unreadable, 'no idea' is not a legal action"
    )
    said = endpoint.requests[2]["messages"][-1]["content"]
    assert said == "This answer can't be used: there is no action 99. Answer again."
    assert agent.decisions[0].cost == pytest.approx(3 * 0.0002)


def test_a_random_action_instead_of_a_forfeit_is_counted() -> None:
    with serving(in_turn("no idea")) as endpoint:
        agent, record = played(endpoint, tries=1, otherwise="random")
    assert record.forfeit_reason is None
    assert [each.random for each in agent.decisions] == [True] * 3


@pytest.mark.parametrize("failure", [429, 500])
def test_a_failure_is_retried(failure: int) -> None:
    failures = [failure, failure]
    with serving(lambda messages: failures.pop() if failures else first_legal(messages)) as endpoint:
        _, record = played(endpoint)
    assert record.forfeit_reason is None
    assert len(endpoint.requests) == 5


def test_an_address_that_is_none_is_one_line() -> None:
    for url in ("nonsense", "ftp://127.0.0.1/v1", "http:///v1", "http://x:y/v1"):
        with pytest.raises(UserError, match=r"^llm needs a url such as http://127.0.0.1:8000/v1$"):
            registry.make(f"llm:model=m,url={url}")


def test_requests_keep_their_pace() -> None:
    waited: list[float] = []
    pace = Pace(30, lambda: 100.0 + sum(waited), waited.append)
    for _ in range(3):
        pace.wait()
    assert waited == [2.0, 2.0]


def test_agents_of_a_process_share_the_pace_of_a_model() -> None:
    """Seats and threads of a run have objects of their own; the endpoint counts their requests together."""
    one, same, other = (registry.make(f"llm:model={name},url=http://127.0.0.1:1/v1,per_minute=30") for name in "aab")
    assert one is not same
    assert one.pace is same.pace
    assert one.pace is not other.pace


def test_what_a_user_gets_wrong_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match=r"^llm needs the name of a model"):
        registry.make("llm")
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(UserError, match=r"or a key in the environment variable OPENAI_API_KEY$"):
        registry.make("llm:model=m")
    assert registry.make("llm:model=m,url=http://127.0.0.1:1/v1")
    with pytest.raises(UserError, match=r"^llm needs a key in the environment variable OTHER_KEY$"):
        registry.make("llm:model=m,url=http://127.0.0.1:1/v1,key=OTHER_KEY")


@pytest.mark.parametrize(("named", "sent"), [("", "Bearer none"), (",key=OTHER_KEY", "Bearer another")])
def test_a_named_endpoint_gets_the_named_key_alone(monkeypatch: pytest.MonkeyPatch, named: str, sent: str) -> None:
    for name in ("OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"Authorization: Bearer {SECRET}\nX-Token: {SECRET}")
    monkeypatch.setenv("OTHER_KEY", "another")
    with serving(first_legal) as endpoint:
        agent = registry.make(f"llm:model=m,url={endpoint.url}{named}", "toy")
        play_game([agent, registry.make("random", "toy")], 3, games.options_from("toy", num_players=2), (1, 2))
    assert {each["authorization"] for each in endpoint.headers} == {sent}
    assert SECRET not in str(endpoint.headers)


@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_a_model_without_the_list_answers_with_the_kind_of_an_action(game: str) -> None:
    """The system prompt names all kinds with their arguments; no legal action is shown."""
    states = games.game(game).new_game(2, games.options_from(game, num_players=2))
    seat = int(states[0].seat)
    (legal, *_) = structs_of(games.spec(game)).actions(games.game(game).hide(states, 0, seat), seat)

    def answer(messages: list[dict[str, str]]) -> Answer:
        return "Answer: " + json.dumps({"kind": legal["kind"], "arguments": legal["arguments"]})

    with serving(answer) as endpoint:
        agent: Any = registry.make(f"llm:model=m,url={endpoint.url},actions=none,tries=1", game)
        view = View.of(states, 0, seat, game)
        agent.reset(seat, games.options_from(game, num_players=2))
        assert agent.act(view, view.record[0].mask, agent_rng(1)) == legal["id"]
    system, question = (each["content"] for each in endpoint.requests[0]["messages"])
    assert f"{legal['kind']} ({', '.join(legal['arguments'])})".removesuffix(" ()") in system
    assert "has a list of legal actions" not in system
    assert "Legal actions:" not in question
    assert not re.search(rf"^{legal['id']}: ", question, re.MULTILINE)
