"""Reading what a model says takes linear time, whatever it says: a super-linear reader would take minutes here."""

import contextlib
import json
from typing import Any

import numpy as np
import pytest

from bloodrage_agents import registry
from bloodrage_env import games
from bloodrage_env.core.structs import action_among
from bloodrage_env.errors import UserError
from bloodrage_env.games.berserk.engine import own
from bloodrage_env.games.berserk.language import composite as order
from bloodrage_env.games.bloodrage.language import composite as march
from bloodrage_env.language import answers
from bloodrage_env.language.answers import UnreadableError
from bloodrage_env.language.prompt import Parts, TextGame
from bloodrage_training.games.bloodrage.language.questions import Question

LONG = 200_000  # characters
# What makes regular expressions try the same characters again and again.
UNITS = (" ", "a ", "a, ", "to ", "-> ", "1", ", ", ".", "* ", "answer ", "answer: ", "left,", "(", " (", "{", "\n")
HEADS = (
    "",
    "march ",
    "march a from ",
    "A3",
    "A3: ",
    "A3: strike",
    "A3: forward",
    "answer",
    "answer: ",
    "final answer: ",
)


@pytest.mark.parametrize("reader", [march, order], ids=["march", "order"])
def test_composite_moves_are_read_in_linear_time(reader: Any) -> None:
    for head in HEADS:
        for unit in UNITS:
            for end in ("x", "\nx"):
                reader(head + unit * (LONG // len(unit)) + end)


def test_keywords_of_own_cards_are_read_in_linear_time() -> None:
    """The number at the end of a word that is no keyword, which a hint leaves out."""
    for unit in ("1", "-", "1-", "1 "):
        with pytest.raises(UserError, match="there is no keyword"):
            own._ability("armor " + unit * (LONG // len(unit)) + "x", "it")


def test_a_name_of_a_plug_in_is_read_in_linear_time() -> None:
    """What follows each class of a file may be its arguments, to the end."""
    for unit in (".py:a:", ".py:a", ".py", "a.", "a:", ":", "a"):
        for end in ("", "!", "\n"):
            registry._PLUG_IN.fullmatch(unit * (5 * LONG // len(unit)) + end)


def test_answers_to_questions_are_read_in_linear_time() -> None:
    question = Question("battle", "", ("Wolf", "Bear"), "Bear")
    for head in HEADS:
        for unit in UNITS:
            assert not question.right(head + unit * (LONG // len(unit)) + "x")
    assert question.right("x\n" * LONG + "Answer: *Bear*.")


@pytest.fixture(params=["bloodrage", "berserk"])
def asked(request: pytest.FixtureRequest) -> tuple[TextGame, Any, int]:
    """A reader, and a question that is asked."""
    game = games.game(request.param)
    states = game.new_game(1, games.options_from(request.param))
    seat = int(states[0].seat)
    return TextGame(request.param, Parts(words=7)), game.hide(states, 0, seat), seat


def test_an_answer_of_many_lines_is_compared_once_with_each_action(
    asked: tuple[TextGame, Any, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, known, seat = asked
    said = "oh\n" * 6000
    count, plain = [0], answers._plain

    def counted(text: str) -> str:
        count[0] += 1
        return plain(text)

    monkeypatch.setattr(answers, "_plain", counted)
    with pytest.raises(UnreadableError):
        text.read(said, known, seat)
    assert count[0] <= 6000 + 10 * int(np.count_nonzero(known[0].mask))


@pytest.mark.parametrize("unit", ['{"k":[', '{"', '{ "a', '{"a":', '{"id":1,', '{"a":{"id":'])
def test_json_is_looked_for_in_a_bounded_text(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    class Counting(json.JSONDecoder):
        def raw_decode(self, s: str, idx: int = 0) -> Any:
            read.append(len(s) - idx)
            try:
                value, end = super().raw_decode(s, idx)
                read[-1] = end - idx
                return value, end
            except json.JSONDecodeError as error:
                read[-1] = error.pos - idx
                raise

    monkeypatch.setattr(answers.json, "JSONDecoder", Counting)
    text = unit * (answers.MAX_ANSWER // len(unit))
    with contextlib.suppress(UnreadableError):
        list(answers._objects(text))
    assert sum(read) <= answers.MAX_PARSED + answers.MAX_ANSWER


def test_the_last_action_in_json_counts_also_after_braces() -> None:
    said = "{" * 10_000 + "{x} and { y } but then " + '{"reason": "' + "r" * 5000 + '", "action": {"id": 7}}'
    assert [*answers._objects(said)] == [{"id": 7}]


def test_an_answer_has_a_bounded_number_of_actions(asked: tuple[TextGame, Any, int]) -> None:
    text, known, seat = asked
    first = int(known[0].mask.argmax())
    assert text.read("Answer: " + "; ".join([str(first)] * answers.MAX_STEPS), known, seat) == first
    with pytest.raises(UnreadableError, match=r"^an answer has at most 100 actions with ; between them$"):
        text.read("Answer: " + "; ".join([str(first)] * (answers.MAX_STEPS + 1)), known, seat)


@pytest.mark.parametrize("number", ["9" * 19_000, "1" * 5000])
def test_a_number_without_an_end_is_refused(number: str, asked: tuple[TextGame, Any, int]) -> None:
    text, known, seat = asked
    for said in (number, f'{{"id": {number}}}', f"march {number} warriors, Gimle -> Horgr", f"A3: forward {number}"):
        with pytest.raises(UnreadableError):
            text.read(f"Answer: {said}", known, seat)


@pytest.mark.parametrize("wrong", ["true", "1e999", "NaN", '"1"', "null", "[" * 900 + "]" * 900, "{}"])
def test_an_id_that_is_no_number_is_refused(wrong: str, asked: tuple[TextGame, Any, int]) -> None:
    text, known, seat = asked
    with pytest.raises(UnreadableError, match=r"^`id` of an action is a number, and `kind` a text$"):
        text.read(f'{{"id": {wrong}}}', known, seat)
    with pytest.raises(ValueError, match=r"^`id` of an action is a number, and `kind` a text$"):
        action_among([{"id": 1, "kind": "pass", "arguments": {}}], {"kind": [[1]]})
