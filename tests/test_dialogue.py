"""A game as a chat with rewards, of which the environment of `verifiers` is made; that package is not needed."""

import re
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from toy_installed import toy

from bloodrage_agents.match import play_game
from bloodrage_agents.opponents import opponent
from bloodrage_agents.verifiers_env import OVER, Deals, Dialogue, load_environment
from bloodrage_env import games
from bloodrage_env.core.rewards import victory_share
from bloodrage_env.errors import UserError
from bloodrage_env.language.prompt import Parts

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")


def first(question: str) -> str:
    return "Answer: " + re.findall(r"Legal actions:\n(\d+):", question)[-1]


def played(dialogue: Dialogue) -> list[str]:
    """The questions of a game whose answers are the first legal actions."""
    questions = [dialogue.opening()[1]["content"]]
    while not dialogue.over:
        questions.append(dialogue.answer(first(questions[-1])))
    return questions


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_has_the_result_of_the_engine(seat: int) -> None:
    options = games.options_from("toy", num_players=2)
    dialogue = Deals(options, "random").begin({"seed": 5, "seat": seat})
    assert played(dialogue)[-1] == OVER

    class First:
        def act(self, observation: Any, action_mask: Any, rng: Any) -> int:
            return int(action_mask.argmax())

    class Same:
        """The opponent of the dialogue."""

        def __init__(self) -> None:
            self.agent = opponent("random", 1 - seat, 5, options)

        def act(self, observation: Any, action_mask: Any, rng: Any) -> int:
            return int(self.agent.agent.act(observation, action_mask, self.agent.rng))

    record = play_game([First(), Same()] if seat == 0 else [Same(), First()], 5, options, (1, 2))
    assert dialogue.rewards() == {"won": victory_share(np.array(record.scores, np.int32), seat), "readable": 1.0}


def test_each_deal_has_an_example_for_each_seat() -> None:
    deals = Deals(games.options_from("toy", num_players=3), "random", Parts(rules="none"))
    found = deals.examples(7, 2)
    assert [each["info"] for each in found] == [
        {"seed": 7 + deal, "seat": seat} for deal in (0, 1) for seat in (0, 1, 2)
    ]
    for each in found:
        assert [message["role"] for message in each["prompt"]] == ["system", "user"]
        assert each["prompt"] == deals.begin(each["info"]).opening()
    assert len({each["prompt"][1]["content"] for each in found}) == len(found)


@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_the_games_of_the_project_begin(game: str) -> None:
    dialogue = Deals(games.options_from(game, num_players=2), "random").begin({"seed": 1, "seat": 1})
    question = dialogue.opening()[1]["content"]
    for _ in range(4):
        question = dialogue.answer(first(question))
    assert not dialogue.over
    assert dialogue.rewards() == {"won": 0.0, "readable": 1.0}


def test_answers_that_cannot_be_read_are_counted_and_lose() -> None:
    dialogue = Deals(games.options_from("toy", num_players=2), "random", tries=2).begin({"seed": 1, "seat": 0})
    (_, asked) = dialogue.opening()
    again = dialogue.answer("I don't know.")
    assert again.startswith("This answer can't be used: ")
    assert again.endswith(asked["content"])
    assert dialogue.rewards() == {"won": 0.0, "readable": 0.0}
    dialogue.answer(first(again))
    assert dialogue.rewards()["readable"] == 0.5
    dialogue.answer("no idea")
    assert dialogue.answer("still not") == OVER
    assert dialogue.rewards() == {"won": 0.0, "readable": 0.25}


@pytest.mark.parametrize("found", [None, ModuleType("verifiers")])
def test_without_the_package_or_with_another_version_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, found: ModuleType | None
) -> None:
    datasets = ModuleType("datasets")
    datasets.Dataset = object  # type: ignore[attr-defined]
    for name, module in (("verifiers", found), ("datasets", datasets)):
        monkeypatch.setitem(sys.modules, name, module)
    with pytest.raises(UserError, match=r"^verifiers_env needs the package verifiers, version 0.3: [^\n]*own[^\n]*$"):
        load_environment("toy")
