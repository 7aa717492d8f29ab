"""The adapter and the example for kaggle-environments; skipped where that is not installed (docs/libraries.md)."""

import importlib
import json
from typing import Any

import pytest
from toy_installed import toy

pytest.importorskip("kaggle_environments")

import kaggle_environments as kaggle

from bloodrage_agents.episode import Episode
from bloodrage_agents.kaggle_env import register
from bloodrage_agents.match import play_game
from bloodrage_env import games
from bloodrage_env.core.engine.rewards import win_rewards

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")
example = importlib.import_module("kaggle_play")


@pytest.fixture(scope="module")
def names(toy: str) -> Any:
    found = register()
    yield found
    for name in found:
        del kaggle.core.environments[name]


def first(observation: Any) -> str:
    return f"Answer: {observation.legalActions[0]}"


def test_a_game_has_the_result_of_the_engine(names: list[str]) -> None:
    """Both players take the first legal action."""

    class First:
        def act(self, observation: Any, action_mask: Any, rng: Any) -> int:
            return int(action_mask.argmax())

    assert "toy" in names
    rewards = example.play("toy", (first, first), 5)
    record = play_game([First(), First()], 5, games.options_from("toy", num_players=2), (1, 2))
    assert rewards == win_rewards(record.scores)


@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_random_against_random(names: list[str], game: str) -> None:
    """Only the seat that is asked is shown a question; the seed and the list of actions are not shown."""
    env = kaggle.make(game, configuration={"seed": 4})
    steps = env.run(["random", "random"])
    assert sorted(each.reward for each in steps[-1]) in ([-1, 1], [0, 0])
    assert {each.status for each in steps[-1]} == {"DONE"}
    for step in steps[:-1]:
        assert sorted(each.status for each in step) == ["ACTIVE", "INACTIVE"]
        for each in step:
            shown = each.observation
            assert bool(shown.prompt) == bool(shown.legalActions) == (each.status == "ACTIVE")
            assert "Legal actions:" not in shown.prompt
            assert "The legal actions are not listed." in shown.rules
    assert env.configuration.seed is None
    assert json.loads(env.render(mode="json"))["info"] == {"seed": 4}
    assert env.render(mode="ansi")
    assert "function renderer" in env.render(mode="html")


def test_answers_that_cannot_be_read_lose(names: list[str]) -> None:
    env = kaggle.make("toy", configuration={"seed": 1, "tries": 2})
    env.reset(2)
    (asked,) = [seat for seat, each in enumerate(env.state) if each.status == "ACTIVE"]
    question = env.state[asked].observation.prompt
    env.step(["no idea" if seat == asked else None for seat in range(2)])
    again = env.state[asked].observation.prompt
    assert again.startswith("This answer can't be used: ")
    assert again.endswith(question)
    env.step(["no idea" if seat == asked else None for seat in range(2)])
    assert (env.state[asked].status, env.state[1 - asked].status) == ("INVALID", "DONE")
    assert (env.state[asked].reward, env.state[1 - asked].reward) == (None, 1)


def test_an_agent_that_fails_loses(names: list[str]) -> None:
    def fails(observation: Any) -> str:
        raise RuntimeError("broken")

    last = kaggle.make("toy", configuration={"seed": 1}).run([fails, fails])[-1]
    assert sorted(each.status for each in last) == ["DONE", "ERROR"]
    assert {each.reward for each in last} == {None, 1}


def test_a_copy_and_a_reset_play_the_same_game(names: list[str]) -> None:
    env = kaggle.make("toy", configuration={"seed": 7})
    env.reset(2)
    beginning = env.state
    env.step([first(each.observation) if each.status == "ACTIVE" else None for each in env.state])
    copy = kaggle.make("toy", configuration={"seed": 7}, steps=env.steps)
    actions = [first(each.observation) if each.status == "ACTIVE" else None for each in env.state]
    assert copy.step(actions) == env.step(actions)
    assert env.reset(2) == beginning


@pytest.mark.parametrize("status", ["ERROR", "TIMEOUT", "INVALID"])
def test_a_copy_of_a_game_that_ended_by_a_failure_has_the_same_loser(names: list[str], status: str) -> None:
    """The package stores None as the action of a seat that failed, and in a copy the empty one."""
    env = kaggle.make("toy", configuration={"seed": 1})
    env.reset(2)
    asked = env.bloodrage_episode.seat
    failure = {"ERROR": RuntimeError("broken"), "TIMEOUT": kaggle.errors.DeadlineExceeded(), "INVALID": 3}[status]
    env.step([failure if seat == asked else None for seat in range(2)])
    assert env.state[asked].status == status
    copy = kaggle.make("toy", configuration={"seed": 1}, steps=env.steps)
    copy.render(mode="ansi")
    assert copy.bloodrage_episode.loser == asked


def test_options_and_parts_are_those_of_the_configuration(names: list[str]) -> None:
    env = kaggle.make("berserk", configuration={"options": {"setup": "fixed"}, "parts": {"actions": "whole"}})
    env.reset(2)
    (shown,) = [each.observation for each in env.state if each.status == "ACTIVE"]
    assert "Legal actions:" in shown.prompt
    assert "Each question has a list of legal actions." in shown.rules
    assert isinstance(env.bloodrage_episode, Episode)
    assert env.bloodrage_episode.options.setup == "fixed"


def test_the_example_runs(
    names: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(example, "register", lambda: names)
    example.main(["--game", "toy"])
    assert capsys.readouterr().out.startswith("[")
