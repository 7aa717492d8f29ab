"""The environment of `verifiers` and its example; skipped where that is not installed (docs/language.md, Verifiers)."""

import asyncio
import importlib
import itertools
from typing import Any

import pytest
from chat_server import Answers, Endpoint, serving
from first_move import first_move
from toy_installed import toy

pytest.importorskip("verifiers.v1")

import verifiers.v1 as vf
from verifiers.v1.utils.loaders import load_environment, resolve_env_config

from bloodrage_agents.dialogue import Deals
from bloodrage_env import games

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy", "no_proxy")
example = importlib.import_module("verifiers_play")
ID = "bloodrage_verifiers"


def first(messages: list[dict[str, str]]) -> str:
    return f"Answer: {first_move(messages[-1]['content'])}"


def made(game: str = "toy", memory: str = "full", player: Any = (), **given: Any) -> Any:
    """An environment of two seats against `random`."""
    taskset = {"id": ID, "game": game, "opponents": "random", "options": {"num_players": 2}, "seed": 2, **given}
    harness = {"memory": memory}
    return load_environment(resolve_env_config({"taskset": taskset, "player": {"harness": harness, **dict(player)}}))


def played(answers: Answers, env: Any, count: int = 2) -> tuple[list[Any], Endpoint]:
    """The traces of games, one after the other, and the endpoint that answered."""
    with serving(answers) as endpoint:

        async def run() -> list[Any]:
            context = vf.ModelContext("m", vf.EvalClientConfig(base_url=endpoint.url, api_key_var="NO_KEY"))
            async with env.serving():
                return [await env.run_episode(task, context) for task in env.taskset.take(count)]

        episodes = asyncio.run(run())
    return [trace for episode in episodes for trace in episode.traces], endpoint


def expected(seat: int) -> dict[str, float]:
    """The rewards of the same game without the package."""
    dialogue = Deals(games.options_from("toy", num_players=2), "random").begin({"seed": 2, "seat": seat})
    question = dialogue.opening()[1]["content"]
    while not dialogue.over:
        question = dialogue.answer(first([{"content": question}]))
    return dialogue.rewards()


@pytest.mark.parametrize("memory", ["full", "none"])
def test_games_have_the_rewards_of_the_engine(memory: str) -> None:
    traces, endpoint = played(first, made(memory=memory))
    for seat, trace in enumerate(traces):
        assert trace.ok
        assert trace.task.data.info == {"seed": 2, "seat": seat}
        assert {name: reward.score for name, reward in trace.rewards.items()} == expected(seat)
        assert trace.reward == pytest.approx(expected(seat)["won"] + 0.1)
        assert trace.num_turns > 1
    sizes = [len(each["messages"]) for each in endpoint.requests]
    assert (max(sizes) > 2) == (memory == "full")
    assert {each["messages"][0]["role"] for each in endpoint.requests} == {"system"}


def test_answers_that_cannot_be_read_cost_reward() -> None:
    answers = itertools.chain(["I don't know."], itertools.repeat(None))
    traces, endpoint = played(lambda messages: next(answers) or first(messages), made())
    readable = [trace.rewards["readable"].score for trace in traces]
    assert readable[0] < 1
    assert readable[1] == 1
    assert "This answer can't be used: " in endpoint.requests[1]["messages"][-1]["content"]
    lost, _ = played(lambda messages: "no idea", made(tries=2))
    assert [(trace.reward, trace.num_turns) for trace in lost] == [(0, 2), (0, 2)]


def test_a_limit_ends_a_game_without_a_victory() -> None:
    traces, _ = played(first, made(player={"max_turns": 1}))
    assert [trace.rewards["won"].score for trace in traces] == [0, 0]
    assert [trace.stop_condition for trace in traces] == ["max_turns"] * 2


@pytest.mark.parametrize("status", [429, 503])
def test_a_request_is_repeated_that_is_refused_for_now(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bloodrage_verifiers.pause_before", lambda retry: 0.0, raising=False)
    answers = itertools.chain([status, status], itertools.repeat(None))
    (trace,), endpoint = played(lambda messages: next(answers) or first(messages), made(), 1)
    assert trace.ok
    assert len(endpoint.requests) == trace.num_turns + 2
    assert endpoint.requests[0] == endpoint.requests[1] == endpoint.requests[2]
    (trace,), endpoint = played(lambda messages: status, made(), 1)
    assert not trace.ok
    assert len(endpoint.requests) == 5


def test_an_endpoint_that_fails_is_an_error_of_the_episode() -> None:
    (trace,), _ = played(lambda messages: 400, made(), 1)
    assert not trace.ok
    assert trace.errors


def test_tasks_go_on_without_end() -> None:
    found = [task.data.info for task in made().taskset.take(4)]
    assert found == [{"seed": seed, "seat": seat} for seed in (2, 3) for seat in (0, 1)]


@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_the_games_of_the_project_begin(game: str) -> None:
    (trace,), _ = played(first, made(game, player={"max_turns": 3}), 1)
    assert trace.rewards["readable"].score == 1


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(first) as endpoint:
        example.main(["--game", "toy", "--count", "2", "--url", endpoint.url, "--model", "m"])
    assert capsys.readouterr().out.count("{'reward': ") == 2
