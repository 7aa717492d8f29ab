"""Every kind of file, damaged: it is refused in one line, or says what it is read as (`damaged_files.py`)."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from damage import difference
from damaged_files import KINDS, hunt
from file_kinds import Kind

from bloodrage_env.cli import main
from bloodrage_env.games.berserk.engine import Card

COUNT = 400


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_what_is_damaged_is_refused_or_says_what_is_read(kind: Kind) -> None:
    counts = hunt(kind, COUNT)
    assert counts["refused"] > COUNT / 3
    assert kind.words is None or counts["commands"] > 0


(DECK,) = (each for each in KINDS if each.name == "deck")


def fails(path: Path) -> Any:
    """A reader that raises KeyError where it should refuse."""
    try:
        return DECK.read(path)
    except ValueError as error:
        raise KeyError(str(error)) from None


def fails_in_two_lines(path: Path) -> Any:
    try:
        return DECK.read(path)
    except ValueError as error:
        raise ValueError(f"{error}\nso it is") from None


def forgets(path: Path) -> Any:
    """A reader that returns the whole deck of a damaged file."""
    path.write_text("\n".join(["Card,Number", *(f"{card.name},2" for card, _ in zip(Card, range(20), strict=False))]))
    return DECK.read(path)


@pytest.mark.parametrize(
    ("read", "what"),
    [(fails, "KeyError"), (fails_in_two_lines, "not one line"), (forgets, "in the file and as it is read|list index")],
)
def test_a_fault_of_a_reader_is_found(read: Callable[[Path], Any], what: str) -> None:
    with pytest.raises((AssertionError, IndexError), match=what):
        hunt(replace(DECK, read=read), 9)


def test_trees_of_other_types_differ() -> None:
    assert difference({"x": [1, 2.0]}, {"x": [1, 2.0]}) == ""
    for other in ({"x": [True, 2.0]}, {"x": [1, 2]}, {"x": [1]}, {"x": [1, 2.0], "y": 0}, [["x", 1]]):
        assert difference({"x": [1, 2.0]}, other)


def test_what_a_message_quotes_does_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "no\x1b[2J\u202e\nfile"]) == 1
    assert capsys.readouterr().err == "bloodrage replay: no\\x1b[2J\\u202e file: No such file or directory\n"
