"""Reading what a model says takes linear time, whatever it says: a super-linear reader would take minutes here."""

import contextlib
import sys
from typing import Any

import pytest

from bloodrage_agents import registry
from bloodrage_env import games
from bloodrage_env import text as words
from bloodrage_env.core.shown.structs import action_among
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import UserError
from bloodrage_env.games.berserk.engine import own
from bloodrage_env.games.berserk.language import moves as order
from bloodrage_env.games.bloodrage.language import moves as march
from bloodrage_env.language import answers, final
from bloodrage_env.language.final import MAX_ANSWER, RefusedError
from bloodrage_env.language.prompt import Parts, TextGame
from bloodrage_training.games.bloodrage.language.questions import Question

LONG = 200_000  # characters
# What makes regular expressions try the same characters again and again.
UNITS = (
    '{"k":[',
    '{"',
    '{"a":',
    '{"a":{"id":',
    "[",
    "<answer>",
    "</",
    "<|",
    "\\boxed{",
    "\\text{",
    "```\n",
    "; ",
    "**\n",
    "}",
    '"',
    "\\",
    "<think>",
    "summary: ",
    "\n{",
    "A3: forward ",
    "march 1 ",
    "oh\n",
    "-> ",
    " ",
    "a ",
    "a, ",
    "to ",
    "-> ",
    "1",
    ", ",
    ".",
    "* ",
    "answer ",
    "answer: ",
    "left,",
    "(",
    " (",
    "{",
    "\n",
)
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

STEPS = Parts(actions="steps")


def test_keywords_of_own_cards_are_read_in_linear_time() -> None:
    """The number at the end of a word that is not a keyword, which a hint leaves out."""
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
            with pytest.raises(RefusedError):
                question.chosen(head + unit * (LONG // len(unit)) + "x")
    assert question.chosen("x\n" * LONG + "Answer: *Bear*.") == "Bear"
    with pytest.raises(RefusedError):
        question.chosen('{"answer": "Wolf", "answer": "Bear"}')


@pytest.fixture(params=["bloodrage", "berserk"])
def asked(request: pytest.FixtureRequest) -> tuple[TextGame, Any, int]:
    """A reader, and a question that is asked."""
    game = games.game(request.param)
    states = game.new_game(1, games.options_from(request.param))
    seat = int(states[0].seat)
    return TextGame(request.param, Parts(words=7, actions="steps")), game.hide(states, 0, seat), seat


def steps_of(text: TextGame, said: str, known: Any, seat: int) -> int:
    """How many lines of the modules that read an answer are carried out for it, whatever it means."""
    files = {answers.__file__, final.__file__, words.__file__, march.__file__, order.__file__}
    count = 0

    def line(frame: Any, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    sys.settrace(lambda frame, event, _: line if frame.f_code.co_filename in files else None)
    try:
        with contextlib.suppress(RefusedError):
            text.read(said, known, seat)
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize("head", ["", "march ", "A3: ", "answer: "])
def test_the_work_of_reading_grows_with_the_length(head: str, asked: tuple[TextGame, Any, int]) -> None:
    """Twice as many characters take at most a bit more than twice as many steps, and few for each character."""
    text, known, seat = asked
    few = 600
    base = steps_of(text, head, known, seat)
    for unit in UNITS:
        for end in ("", "\n\n5"):
            counts = [steps_of(text, (head + unit * (n // len(unit)))[:n] + end, known, seat) for n in (few, 2 * few)]
            assert counts[1] < 2.2 * counts[0] + 2000, (head, unit, end, counts)
            assert counts[1] < base + 100 * 2 * few, (head, unit, end, counts)


def test_the_longest_answer_is_read_whole(asked: tuple[TextGame, Any, int]) -> None:
    text, known, seat = asked
    first = int(known[0].mask.argmax())
    for unit in {*UNITS} - {"<think>"}:
        said = unit * (2 * MAX_ANSWER // len(unit)) + f"\nAnswer: {first}"
        assert text.read(said, known, seat) == first


def test_the_last_action_in_json_counts_also_after_braces(asked: tuple[TextGame, Any, int]) -> None:
    text, known, seat = asked
    first = int(known[0].mask.argmax())
    said = "{" * 10_000 + "{x} and { y } but then\n" + '{"reason": "' + "r" * 5000 + f'", "action": {{"id": {first}}}}}'
    assert text.read(said, known, seat) == first


def test_an_answer_has_a_bounded_number_of_actions(asked: tuple[TextGame, Any, int]) -> None:
    text, known, seat = asked
    first = int(known[0].mask.argmax())
    assert text.read("Answer: " + "; ".join([str(first)] * answers.MAX_STEPS), known, seat) == first
    with pytest.raises(RefusedError, match=r"^an answer has at most 100 actions with ; between them$"):
        text.read("Answer: " + "; ".join([str(first)] * (answers.MAX_STEPS + 1)), known, seat)
    with pytest.raises(RefusedError, match=r"^an answer has at most 100 actions$"):
        text.read(as_json(["; ".join([str(first)] * 60)] * 2), known, seat)


@pytest.mark.parametrize("number", ["9" * 19_000, "1" * 5000])
def test_a_number_without_an_end_is_refused(number: str, asked: tuple[TextGame, Any, int]) -> None:
    text, known, seat = asked
    for said in (f'{{"id": {number}}}', number, f"march {number} warriors, Gimle -> Horgr", f"A3: forward {number}"):
        with pytest.raises(RefusedError):
            text.read(f"Answer: {said}", known, seat)


@pytest.mark.parametrize("wrong", ["true", "1e999", "NaN", '"one or two"', "null", "[" * 900 + "]" * 900, "{}", "1.0"])
def test_an_id_that_is_no_number_is_refused(wrong: str, asked: tuple[TextGame, Any, int]) -> None:
    text, known, seat = asked
    with pytest.raises(RefusedError, match=r"^`id` of an action is a number$"):
        text.read(f'{{"id": {wrong}}}', known, seat)
    with pytest.raises(ValueError, match=r"^`id` of an action is a number, and `kind` a text$"):
        action_among([{"id": 1, "kind": "pass", "arguments": {}}], {"kind": [[1]]})
