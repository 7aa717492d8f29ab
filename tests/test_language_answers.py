"""What an answer of a language model means: each documented form, what has precedence, and what waits for later."""

from typing import Any
from unittest import mock

import numpy as np
import pytest
from toy_installed import toy

from bloodrage_env import games
from bloodrage_env.core.tables import action_names
from bloodrage_env.language.answers import MAX_ANSWER, UnreadableError
from bloodrage_env.language.prompt import TextGame

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")

BLOOD_RAGE = games.game("bloodrage")
SIGHT, TRICKERY, ALFHEIM = 30, 34, 49  # cards of the first pack, the last one with a price


@pytest.fixture
def first() -> tuple[TextGame, Any, int]:
    """The first question of a game, with what its seat knows."""
    states = BLOOD_RAGE.new_game(1, games.options_from("bloodrage", num_players=2))
    seat = int(states[0].seat)
    text = TextGame("bloodrage")
    words = {each["id"]: each["text"] for each in text.structs.actions(states, seat)}
    assert (words[SIGHT], words[TRICKERY]) == ("keep Heimdall's Sight", "keep Loki's Trickery")
    assert words[ALFHEIM] == "keep Alfheim (5 glory)"
    return text, BLOOD_RAGE.hide(states, 0, seat), seat


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        # an id
        ("Answer: 30", SIGHT),
        ("I see.\n\n**Answer: 30**", SIGHT),
        ("- Answer: `30`.", SIGHT),
        ("Final answer: #30", SIGHT),
        ("ACTION = [30]", SIGHT),
        ("Answer: id 30: keep Heimdall's Sight", SIGHT),
        ("30", SIGHT),
        # the words
        ("Answer: keep Heimdall's Sight", SIGHT),
        ("Answer: KEEP HEIMDALL'S SIGHT.", SIGHT),
        ("Answer: keep Loki’s Trickery", TRICKERY),
        ("Answer: “keep   Alfheim (5 glory)”", ALFHEIM),
        ("Answer: keep Alfheim", ALFHEIM),
        ("I'd like to keep Alfheim (5 glory) here", ALFHEIM),
        # the notation
        (f"Answer: {action_names(BLOOD_RAGE.blocks)[ALFHEIM]}", ALFHEIM),
        (f"Answer: {action_names(BLOOD_RAGE.blocks)[SIGHT].lower()}", SIGHT),
        # structs, also within other JSON
        ('{"id": 30}', SIGHT),
        ('{"action": 30}', SIGHT),
        ('So: {"thought": "good", "action": {"id": 49, "kind": "card"}}', ALFHEIM),
        ('```json\n{"kind": "card", "arguments": {"card": "Loki\'s Trickery"}}\n```', TRICKERY),
        ('Not {"id": 29} but {"id": 30}.', SIGHT),
        ("{no JSON} {x: 1}\nAnswer: 30", SIGHT),
        # precedence
        ("Answer: 29\nno, wait\nAnswer: 30", SIGHT),
        ("Answer: 30\nThis is better than\n34", SIGHT),
        ("34\n30\nThat is what I think.", SIGHT),
        ("word " * MAX_ANSWER + "\nAnswer: 30", SIGHT),
    ],
)
def test_forms_and_precedence_of_answers(first: tuple[TextGame, Any, int], answer: str, action: int) -> None:
    text, known, seat = first
    assert text.read(answer, known, seat) == action


@pytest.mark.parametrize(
    "answer",
    ["31", "Answer: keep", '{"action": "keep"}', '{"kind": "card", "arguments": {}}'],
)
def test_an_answer_of_no_single_action_is_refused(first: tuple[TextGame, Any, int], answer: str) -> None:
    text, known, seat = first
    with pytest.raises(UnreadableError):
        text.read(answer, known, seat)


def test_words_that_two_actions_have_without_their_prices_are_not_guessed(first: tuple[TextGame, Any, int]) -> None:
    text, known, seat = first
    legal = [
        {"id": each, "kind": "card", "arguments": {}, "text": f"keep Alfheim ({glory} glory)"}
        for each, glory in ((49, 5), (50, 7))
    ]
    with mock.patch.object(type(text.structs), "actions", return_value=legal):
        assert text.read("Answer: keep Alfheim (7 glory)", known, seat) == 50
        with pytest.raises(UnreadableError):
            text.read("Answer: keep Alfheim", known, seat)


def later(states: Any) -> None:
    """Play the toy until seat 0 is asked again, which plays its last number."""
    play = games.game("toy").play
    play.apply(states, 0, int(np.flatnonzero(states[0].mask)[-1]))
    while int(states[0].seat) != 0:
        play.apply(states, 0, int(np.flatnonzero(states[0].mask)[0]))


def test_true_is_no_id() -> None:
    game = games.game("toy")
    starts = (game.new_game(seed, games.options_from("toy")) for seed in range(100))
    states = next(each for each in starts if each[0].mask[1])
    assert TextGame("toy").read('{"action": 1}', states, 0) == 1
    with pytest.raises(UnreadableError):
        TextGame("toy").read('{"action": true}', states, 0)


def begun() -> tuple[TextGame, Any, list[int]]:
    states = games.game("toy").new_game(1, games.options_from("toy"))
    return TextGame("toy"), states, np.flatnonzero(states[0].mask).tolist()


@pytest.mark.parametrize("form", ["Answer: {}", '{{"id": {}}}'])
def test_a_new_answer_replaces_what_waits_from_an_earlier_one(form: str) -> None:
    text, states, numbers = begun()
    text.read(f"Answer: {numbers[-1]}; {numbers[0]}", states, 0)
    text.read(form.format(numbers[-1]), states, 0)
    later(states)
    assert text.kept(states, 0) is None


def test_what_waits_is_dropped_as_soon_as_a_part_of_it_is_not_legal() -> None:
    text, states, numbers = begun()
    text.read(f"Answer: {numbers[-1]}; {numbers[-1]}; {numbers[0]}", states, 0)
    later(states)  # so that the second one is not legal
    assert text.kept(states, 0) is None
    assert text.kept(states, 0) is None


def test_nothing_waits_of_an_answer_that_is_refused() -> None:
    text, states, numbers = begun()
    with pytest.raises(UnreadableError):
        text.read(f"Answer: 999; {numbers[0]}", states, 0)
    assert text.kept(states, 0) is None


@pytest.mark.parametrize(
    ("answer", "going"),
    [
        ("march 2 warriors, leader, Gimle -> Andlang", {"warrior": 2, "leader": 1}),
        ("March the leader and 3 warriors from gimle to andlang", {"leader": 1, "warrior": 3}),
        ("march a warrior + an ogre, Gimle → Andlang", {"warrior": 1, "ogre": 1}),
        ("march warriors Gimle -> Andlang", {"warrior": 1}),
        ("march to Andlang", None),
        ("invade Gimle", None),
    ],
)
def test_the_notation_of_a_composite_march(answer: str, going: dict[str, int] | None) -> None:
    march = {"kind": "march", "arguments": {"from": "Gimle", "to": "Andlang"}}
    found = TextGame("bloodrage").structs.language.composite(answer)
    assert found == (None if going is None else (march, going))


def test_figures_that_a_composite_march_does_not_name_stay() -> None:
    follow = TextGame("bloodrage").structs.language.follow
    asked = {"asked": {"kind": "march", "figure": "Ship"}}
    assert follow({"warrior": 2}, asked) == {"kind": "count", "arguments": {"count": 0}}
    assert follow({"ship": 2}, asked) == {"kind": "count", "arguments": {"count": 2}}
    assert follow({"ship": 2}, {"asked": {"kind": "call"}}) is None


def test_a_composite_move_of_berserk_names_its_card_and_its_target() -> None:
    first, plan = TextGame("berserk").structs.language.composite("a3: left 2 and strike at c4") or ({}, {})
    assert first == {"kind": "move", "arguments": {"slot": "A3", "direction": "left"}}
    assert plan["steps"] == [
        first,
        {"kind": "act", "arguments": {"slot": "A3", "act": "strike"}},
        {"kind": "cell", "arguments": {"cell": "c4"}},
    ]
