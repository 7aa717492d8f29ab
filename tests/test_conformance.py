"""The set of answers for readers: it is read as it is meant, and it covers what it says."""

from collections import Counter

import make_conformance
import pytest

from bloodrage_env import games
from bloodrage_env.language import conformance
from bloodrage_env.language.conformance import read_here, summary, wrong

QUESTIONS, ROWS = conformance.load()


def test_all_answers_are_read_as_they_are_meant() -> None:
    """Before answers had a grammar, 282 of them played another action and 187 were refused."""
    faults = wrong(read_here, QUESTIONS, ROWS)
    assert summary(faults, len(ROWS)) == summary([], 1000)


def test_the_set_covers_forms_questions_and_refusals() -> None:
    forms = Counter(each.form for each in ROWS)
    assert set(forms) == {"form", "decoy", "refused", "not legal", "plan", "march", "order"}
    assert min(forms.values()) >= 30
    assert len({each.text for each in ROWS}) > 900
    kinds = {(each.game, each.kind) for each in QUESTIONS}
    assert {game for game, _ in kinds} == {"bloodrage", "berserk"}
    assert len(kinds) >= 14
    assert {each.position for each in ROWS} == set(range(len(QUESTIONS)))
    assert {each.means for each in ROWS if isinstance(each.means, str)} == {"unreadable", "illegal"}


def test_actions_of_the_set_are_legal_and_refused_ones_are_not_played() -> None:
    masks = [each.known()[0][0].mask for each in QUESTIONS]
    for row in ROWS:
        if not isinstance(row.means, str):
            assert masks[row.position][row.means[0]]


def test_faults_are_found() -> None:
    """A reader that plays the last number of a text, whatever is said of it."""

    def last(text: str, known: object, seat: int, game: str) -> list[int] | str:
        numbers = [int(word) for word in text.replace(".", " ").split() if word.isdigit()]
        return numbers[-1:] or "unreadable"

    faults = wrong(last, QUESTIONS, ROWS)
    assert len(faults) > 500
    assert ", 0 played otherwise" not in summary(faults, len(ROWS))


@pytest.mark.slow
def test_the_file_is_as_it_is_made() -> None:
    """`make_conformance.py` writes it; texts of actions are parts of it."""
    assert make_conformance.content() == conformance.FILE.read_text(encoding="utf-8")
    assert {name for name, _ in make_conformance.PLAYED} <= {*games.all_names()}
