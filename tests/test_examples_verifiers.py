"""The environment of `verifiers` and its example; skipped where that is not installed (docs/language.md, Verifiers)."""

import asyncio
import importlib
import re
from typing import Any

import pytest
from chat_server import Answers, Endpoint, serving
from toy_installed import toy

pytest.importorskip("verifiers")

import verifiers as vf
from openai import AsyncOpenAI

from bloodrage_agents.verifiers_env import OVER, Deals, load_environment
from bloodrage_env import games

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")
example = importlib.import_module("verifiers_play")
GIVEN = {"game": "toy", "options": {"num_players": 2}, "opponents": "random", "deals": 2, "eval_deals": 1}


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def first(messages: list[dict[str, str]]) -> str:
    return "Answer: " + re.findall(r"Legal actions:\n(\d+):", messages[-1]["content"])[-1]


def played(answers: Answers, **given: Any) -> tuple[list[Any], Endpoint]:
    """The outputs of the games for evaluation, one after the other, and the endpoint that answered."""
    env = load_environment(**{**GIVEN, **given})
    with serving(answers) as endpoint:

        async def run() -> Any:
            async with AsyncOpenAI(base_url=endpoint.url, api_key="none") as client:
                chat = vf.OpenAIChatCompletionsClient(client)
                return await env.generate(env.get_eval_dataset(), chat, "m", max_concurrent=1)

        return asyncio.run(run())["outputs"], endpoint


def expected(seat: int) -> dict[str, float]:
    """The rewards of the same game without the package."""
    dialogue = Deals(games.options_from("toy", num_players=2), "random").begin({"seed": 2, "seat": seat})
    question = dialogue.opening()[1]["content"]
    while not dialogue.over:
        question = dialogue.answer(first([{"content": question}]))
    return dialogue.rewards()


@pytest.mark.parametrize("memory", ["full", "none"])
def test_games_have_the_rewards_of_the_engine(memory: str) -> None:
    outputs, endpoint = played(first, memory=memory)
    assert [each["info"] for each in outputs] == [{"seed": 2, "seat": 0}, {"seed": 2, "seat": 1}]
    for each in outputs:
        wanted = expected(each["info"]["seat"])
        assert {name: each["metrics"][name] for name in wanted} == wanted
        assert each["reward"] == pytest.approx(wanted["won"] + 0.1)
        assert each["error"] is None
        said = [message["role"] for message in each["completion"]]
        assert said == ["assistant", "user"] * (len(said) // 2)
        assert len(said) > 2
        assert each["completion"][-1]["content"] == OVER
    sizes = [len(each["messages"]) for each in endpoint.requests]
    assert (max(sizes) > 2) == (memory == "full")
    assert {each["messages"][0]["role"] for each in endpoint.requests} == {"system"}


def test_answers_that_cannot_be_read_cost_reward() -> None:
    answers = iter(["I don't know.", *[None] * 1000])
    outputs, endpoint = played(lambda messages: next(answers) or first(messages))
    readable = [each["metrics"]["readable"] for each in outputs]
    assert readable[0] < 1
    assert readable[1] == 1
    assert "This answer can't be used: " in endpoint.requests[1]["messages"][-1]["content"]
    lost, _ = played(lambda messages: "no idea", tries=2)
    assert [each["reward"] for each in lost] == [0, 0]
    assert [each["metrics"]["num_turns"] for each in lost] == [2, 2]


def test_a_game_can_end_early() -> None:
    outputs, _ = played(first, max_turns=1)
    assert [each["metrics"]["won"] for each in outputs] == [0, 0]
    assert [each["stop_condition"] for each in outputs] == ["max_turns_reached"] * 2


def test_it_is_loaded_by_the_name_of_its_module() -> None:
    env = vf.load_environment("bloodrage_agents.verifiers_env", **GIVEN)
    assert len(env.get_dataset()) == 4
    assert len(env.get_eval_dataset()) == 2
    assert not {each["seed"] for each in env.get_dataset()["info"]} & {
        each["seed"] for each in env.get_eval_dataset()["info"]
    }


@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_the_games_of_the_project_begin(game: str) -> None:
    outputs, _ = played(first, game=game, opponents="random", max_turns=3, tries=1)
    assert [each["metrics"]["readable"] for each in outputs] == [1, 1]


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    example.main(["--game", "toy"])
    assert capsys.readouterr().out.startswith("{'reward': ")
