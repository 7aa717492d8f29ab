"""A game as a chat with rewards, of which the environment of `verifiers` is made; that package is not needed."""

import runpy
import sys
from typing import Any

import numpy as np
import pytest
from first_move import first_move
from project_files import ROOT
from toy_installed import toy

from bloodrage_agents.dialogue import OVER, Deals, Dialogue
from bloodrage_agents.match import play_game
from bloodrage_agents.opponents import opponent
from bloodrage_env import games
from bloodrage_env.core.engine.rewards import victory_share
from bloodrage_env.errors import UserError
from bloodrage_env.language.prompt import Parts

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")


def first(question: str) -> str:
    return f"Answer: {first_move(question)}"


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


def test_each_seat_of_a_deal_is_an_example() -> None:
    deals = Deals(games.options_from("toy", num_players=3), "random", Parts(rules="none"))
    assert deals.seats(7) == [{"seed": 7, "seat": seat} for seat in range(3)]
    openings = [deals.begin(info).opening() for info in deals.seats(7) + deals.seats(8)]
    assert openings[:3] == [deals.begin(info).opening() for info in deals.seats(7)]
    assert [message["role"] for message in openings[0]] == ["system", "user"]
    assert len({question["content"] for _, question in openings}) == len(openings)


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


@pytest.mark.parametrize("name", ["verifiers", "verifiers.v1"])
def test_without_the_package_or_with_another_version_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UserError, match=r"^bloodrage_verifiers needs the package verifiers, version 0.4: [^\n]*$"):
        runpy.run_path(str(ROOT / "agents" / "bloodrage_verifiers" / "__init__.py"))
