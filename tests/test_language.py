"""Games as text: an agent that plays by prompts and answers plays the same games as it does directly."""

import json
from typing import Any, ClassVar

import numpy as np
import pytest
from toy_installed import toy

from bloodrage_agents import registry
from bloodrage_agents.base import Agent
from bloodrage_agents.match import play_game
from bloodrage_env import games
from bloodrage_env.core.tables import action_names
from bloodrage_env.language.answers import UnreadableError
from bloodrage_env.language.prompt import Parts, TextGame
from bloodrage_env.language.vocabulary import Vocabulary

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")


class ByText(Agent):
    """Another agent, whose answers are written in turns as words, ids, structs and notation, and read again."""

    sees: ClassVar[Any] = "view"

    def __init__(self, spec: str, game: str, parts: Parts) -> None:
        self.agent, self.game, self.text = registry.make(spec, game), games.game(game), TextGame(game, parts)
        self.asked = 0

    def reset(self, seat: int, options: Any) -> None:
        self.agent.reset(seat, options)

    def act(self, view: Any, action_mask: Any, rng: np.random.Generator) -> int:
        seen = view if getattr(self.agent, "sees", "") == "view" else view.observation()
        action = int(self.agent.act(seen, action_mask, rng))
        prompt = self.text.prompt(view.record, view.seat, ["Somebody: passes"])
        (wanted,) = [each for each in self.text.structs.actions(view.record, view.seat) if each["id"] == action]
        forms = (
            f"It is best to wait.\n\n**Answer: {wanted['text']}.**\n",
            f"Answer: {action}",
            "I choose\n```json\n" + json.dumps({"kind": wanted["kind"], "arguments": wanted["arguments"]}) + "\n```",
            action_names(self.game.blocks)[action],
        )
        self.asked += 1
        answer = self.text.hidden(forms[self.asked % len(forms)])
        assert self.text.hidden(wanted["text"]) in prompt
        return self.text.read(answer, view.record, view.seat)


@pytest.mark.parametrize(
    ("game", "spec", "parts"),
    [
        ("bloodrage", "balanced", Parts()),
        ("bloodrage", "balanced", Parts(state="json", words=7)),
        ("berserk", "hold", Parts()),
        ("berserk", "rush", Parts(state="none", words=3, cards=False)),
        ("toy", "high", Parts(state="json", rules="none")),
    ],
)
def test_play_by_text_is_the_same_play(game: str, spec: str, parts: Parts) -> None:
    options = games.options_from(game, num_players=2)
    direct = play_game([registry.make(spec, game) for _ in range(2)], 5, options, (1, 2))
    by_text = play_game([ByText(spec, game, parts) for _ in range(2)], 5, options, (1, 2))
    assert by_text.forfeit_reason is None
    assert by_text.actions == direct.actions


def march() -> tuple[TextGame, Any, int]:
    """A position where two warriors can march from Gimle."""
    game, text = games.game("bloodrage"), TextGame("bloodrage")
    states = game.new_game(3, games.options_from("bloodrage", num_players=2))
    rng = np.random.default_rng(0)
    for _ in range(4000):
        seat = int(states[0].seat)
        legal = text.structs.actions(states, seat)
        found = [each for each in legal if each["kind"] == "march"]
        struct = text.structs.observation(game.hide(states, 0, seat), seat) if found else {}
        for each in found:
            here = struct["clans"][struct["you"]]["figures"].get("Warrior", {}).get(each["arguments"]["from"], 0)
            room = struct["provinces"][each["arguments"]["to"]].get("empty_villages", 9)
            if here >= 2 and room >= 2:
                return text, states, each
        invade = [each["id"] for each in legal if each["text"].startswith("invade") and "warrior" in each["text"]]
        game.play.apply(states, 0, int(rng.choice(invade or [each["id"] for each in legal])))
        if game.play.is_over(states, 0):
            states = game.new_game(int(rng.integers(1000)), games.options_from("bloodrage", num_players=2))
    raise AssertionError("no such position")


def test_a_composite_move_is_split_into_its_decisions() -> None:
    text, states, move = march()
    game, seat = games.game("bloodrage"), int(states[0].seat)
    places = move["arguments"]
    answer = f"Answer: march 2 warriors, {places['from']} -> {places['to']}"
    assert text.read(answer, game.hide(states, 0, seat), seat) == move["id"]
    game.play.apply(states, 0, move["id"])
    counts = {}
    while (struct := text.structs.observation(game.hide(states, 0, seat), seat))["asked"]["kind"] == "march":
        action = text.kept(game.hide(states, 0, seat), seat)
        counts[struct["asked"]["figure"]] = next(
            each["arguments"] for each in text.structs.actions(states, seat) if each["id"] == action
        )
        game.play.apply(states, 0, int(action or 0))
    assert counts.pop("Warrior") == {"count": 2}
    assert all(each == {"count": 0} for each in counts.values())
    assert text.kept(game.hide(states, 0, int(states[0].seat)), int(states[0].seat)) is None


def test_answers_in_a_row_are_given_one_by_one() -> None:
    text, game = TextGame("toy"), games.game("toy")
    states = game.new_game(1, games.options_from("toy"))
    numbers = np.flatnonzero(states[0].mask).tolist()
    assert text.read(f"Answer: {numbers[1]}; {numbers[0]}; 99", states, 0) == numbers[1]
    game.play.apply(states, 0, numbers[1])
    game.play.apply(states, 0, int(np.flatnonzero(states[0].mask)[0]))
    assert text.kept(states, 0) == numbers[0]
    game.play.apply(states, 0, numbers[0])
    game.play.apply(states, 0, int(np.flatnonzero(states[0].mask)[0]))
    assert text.kept(states, 0) is None


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "the answer is empty"),
        ("Answer: 9999", "action 9999 is not legal now"),
        ("I don't know.", "is no legal action: answer with the id of one"),
        ('{"id": 9999}', "action 9999 is not legal now"),
        ('{"kind": "card"}', "legal actions are of this kind: give their arguments"),
        ("{" * 5000, "is no legal action"),
    ],
)
def test_what_cannot_be_read_has_one_reason(answer: str, said: str) -> None:
    text, game = TextGame("bloodrage"), games.game("bloodrage")
    states = game.new_game(1, games.options_from("bloodrage"))
    seat = int(states[0].seat)
    with pytest.raises(UnreadableError, match=said) as raised:
        text.read(answer, game.hide(states, 0, seat), seat)
    assert "\n" not in str(raised.value)


def test_an_answer_that_names_two_actions_is_not_guessed() -> None:
    text, game = TextGame("bloodrage"), games.game("bloodrage")
    states = game.new_game(1, games.options_from("bloodrage"))
    seat = int(states[0].seat)
    one, other, *_ = [each["text"] for each in text.structs.actions(states, seat)]
    known = game.hide(states, 0, seat)
    assert text.read(f"Let me {one}, I think", known, seat) == text.structs.actions(states, seat)[0]["id"]
    with pytest.raises(UnreadableError, match="names 2 legal actions"):
        text.read(f"Should I {one}, or {other}?", known, seat)


@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_no_name_is_left_in_an_obfuscated_prompt(game: str) -> None:
    text = TextGame(game, Parts(words=11))
    assert text.vocabulary is not None
    states = games.game(game).new_game(2, games.options_from(game))
    seat = int(states[0].seat)
    prompt = text.system() + text.prompt(states, seat)
    words = prompt.casefold().split()
    left = [name for name in text.vocabulary.words if " " not in name and name.casefold() in words]
    assert left == []
    assert text.prompt(states, seat) == TextGame(game, Parts(words=11)).prompt(states, seat)
    assert text.prompt(states, seat) != TextGame(game, Parts(words=12)).prompt(states, seat)


def test_a_vocabulary_is_read_back() -> None:
    words = Vocabulary(["Odin's Throne", "Odin", "warrior"], 1)
    said = "Odin's Throne and Odin send 3 warriors"
    assert words.reveal(words.hide(said)) == said
    assert "Odin" not in words.hide(said)


@pytest.mark.parametrize("game", ["bloodrage", "berserk"])
def test_the_short_rules_are_short(game: str) -> None:
    words = TextGame(game).structs.language.rules.split()
    assert 500 < len(words) < 720
