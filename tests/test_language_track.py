"""The language track: decisions with values, questions with answers, and results of agents."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bloodrage_agents import registry
from bloodrage_agents.by_text import ByText
from bloodrage_env import games
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.engine import Decision
from bloodrage_env.language.final import RefusedError
from bloodrage_training.games.bloodrage.language import decisions, questions, track
from research.language.make import Values, make

POSITIONS = decisions.load()


def test_the_positions_are_questions_of_games() -> None:
    assert len(POSITIONS) == 200
    assert len({(each.seed, each.actions) for each in POSITIONS}) == 200
    assert {each.age for each in POSITIONS} == {1, 2, 3}
    for each in POSITIONS:
        states = each.states()
        assert sorted(each.values) == np.flatnonzero(states[0].mask).tolist()
        assert (Decision(int(states[0].decision)).name, int(states[0].age) + 1) == (each.kind, each.age)
        assert all(0 <= value <= 1 for value in each.values.values())


class Best:
    """Answers with the best action, or with the worst, or with none."""

    sees = "view"

    def __init__(self, how: str) -> None:
        self.how, self.left = how, list(POSITIONS)

    def act(self, view: Any, action_mask: Any, rng: Any) -> int:
        values = self.left.pop(0).values
        return {"best": max, "worst": min}[self.how](values, key=values.__getitem__) if self.how != "none" else -1


def test_scores() -> None:
    best, worst, none = (decisions.score(Best(how), POSITIONS) for how in ("best", "worst", "none"))
    assert (best.lost, best.best, best.failed) == (0, 1, 0)
    assert worst.lost > decisions.by_chance(POSITIONS).lost > 0.03
    assert none.lost == pytest.approx(worst.lost)
    assert none.failed == 200


def test_an_agent_scores_by_text_as_it_does_directly() -> None:
    some = POSITIONS[::8]
    assert decisions.score(ByText("balanced"), some) == decisions.score(registry.make("balanced"), some)


@pytest.mark.parametrize(
    ("content", "said"), [("{}", "is not a set of decisions"), ('{"format": 0, "rules": 1}', "make it")]
)
def test_another_file_is_one_line(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match=said):
        decisions.load(path)


@pytest.mark.slow
def test_positions_are_made_from_a_seed(tmp_path: Path) -> None:
    def made() -> list[decisions.Position]:
        return list(make(Values(1, 10), 5, {"ACTION": 1, "DRAFT": 1}))

    found = made()
    assert found == made()
    assert {each.kind for each in found} == {"ACTION", "DRAFT"}
    decisions.save(found, tmp_path / "some.json")
    assert decisions.load(tmp_path / "some.json") == found


# ---- questions


QUESTIONS = questions.make(POSITIONS, 3, 8)


def test_there_are_questions_of_each_kind() -> None:
    kinds = [each.kind for each in QUESTIONS]
    assert {kind: kinds.count(kind) for kind in kinds} == dict.fromkeys(("battle", "legal", "strength", "room"), 8)
    assert all(each.answer in each.choices for each in QUESTIONS)
    assert questions.make(POSITIONS, 3, 8) == QUESTIONS
    assert len({each.answer for each in QUESTIONS if each.kind == "battle"}) > 1


def test_the_right_action_is_legal_and_the_others_are_not() -> None:
    shown, presentation = {}, games.presentation("bloodrage")
    for each in POSITIONS:
        states = each.states()
        texts = (presentation.action_text(states, 0, action) for action in each.values)
        shown[each.seed, len(each.actions)] = {re.sub(r" \([^)]*\)$", "", text) for text in texts}
    for question in (each for each in QUESTIONS if each.kind == "legal"):
        fits = [
            texts
            for texts in shown.values()
            if question.answer in texts and not {*question.choices} - {question.answer} & texts
        ]
        assert fits


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("Answer: Bear", True),
        ("I think so.\n\n**Answer: `bear`.**", True),
        ("Answer: Wolf\nNo.\nfinal answer: Bear", True),
        ("Answer: Wolf", False),
        ("Bear", True),
        ("Answer: Bear wins", True),
        ("Answer: the winner is Bear.", True),
        ("<answer>Bear</answer>", True),
        ('{"thought": "Wolf is weak", "answer": "Bear"}', True),
        ("Answer: Wolf or Bear", False),
        ("Answer: not Bear", False),
        ("Wolf\n\nBear", False),
        ("Answer: Bear\nNo, Wolf.", False),
        ("", False),
    ],
)
def test_answers_to_questions(said: str, right: bool) -> None:
    question = questions.Question("battle", "", ("Wolf", "Bear", "nobody"), "Bear")
    assert is_right(question, said) == right


@pytest.mark.parametrize(
    ("kind", "answer", "said"),
    [
        ("battle", "Wolf", "The Wolf clan wins the battle of Gimle."),
        ("battle", "Wolf", "Wolf wins (5 to 3)"),
        ("battle", "Wolf", "**Wolf** will win"),
        ("battle", "nobody", "It's a tie."),
        ("battle", "nobody", "a tie, all lose"),
        ("battle", "nobody", "nobody wins"),
        ("strength", "Bear", "Bear has the most STR in Gimle"),
        ("strength", "nobody", "neither clan"),
        ("room", "3", "three more figures have room in Gimle"),
        ("room", "0", "none"),
        ("legal", "pass", "pass"),
        ("legal", "pillage Horgr", "pillage Horgr (0 Rage)"),
    ],
)
@pytest.mark.parametrize(
    "form",
    ["Answer: {}", "So it is.\n\nFinal answer:\n{}", "<answer>{}</answer>", '```json\n{{"answer": "{}"}}\n```', "{}"],
)
def test_what_an_answer_says_is_graded(kind: str, answer: str, said: str, form: str) -> None:
    choices = {
        "battle": ("Wolf", "Bear", "nobody"), "strength": ("Wolf", "Bear", "nobody"),
        "room": ("0", "1", "2", "3"), "legal": ("pass", "pillage Horgr", "march from Gimle to Andlang"),
    }[kind]  # fmt: skip
    assert questions.Question(kind, "", choices, answer).chosen(form.format(said)) == answer


@pytest.mark.parametrize(
    "said",
    ["Wolf loses", "not Wolf", "Wolf or Bear", "Wolf, Bear", "the winner", "Wolf wins, Bear", "Wolf in most cases"],
)
def test_what_says_no_choice_is_refused(said: str) -> None:
    with pytest.raises(RefusedError):
        questions.Question("battle", "", ("Wolf", "Bear", "nobody"), "Wolf").chosen(f"Answer: {said}")


def is_right(question: questions.Question, said: str) -> bool:
    try:
        return question.chosen(said) == question.answer
    except RefusedError:
        return False


# ---- the track


def test_the_items_of_the_track() -> None:
    """All things have a place of their own; a trial has some of them, with the same places."""
    whole, trial = track.track(None, 1), track.track(2, 10)
    places = [(each.part, each.number) for each in whole.items]
    assert len(set(places)) == len(places) == 200 + len(questions.make(POSITIONS, track.SEED)) + 8 * track.DEALS
    assert {(each.part, each.number) for each in trial.items} < set(places)
    assert (whole.comparable, trial.comparable) == (True, False)
    assert whole.digest == trial.digest


def test_a_question_without_a_choice_is_a_refused_answer() -> None:
    class Says:
        def __init__(self, said: str) -> None:
            self.said = said

        def reply(self, prompt: str, game: str) -> dict[str, Any]:
            return {"refused": [], "classes": [], "messages": [{"role": "assistant", "content": self.said}]}

    question = questions.Question("battle", "", ("Wolf", "Bear", "nobody"), "Bear")
    right, wrong, none = (track.reply(question, Says(said)) for said in ("Answer: Bear", "Answer: Wolf", "Hm?"))
    assert [(each.value, each.failed) for each in (right, wrong, none)] == [(1, False), (0, False), (0, True)]
    assert none.lines[0]["classes"] == ["unreadable"]
