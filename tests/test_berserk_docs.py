"""The rules of Berserk, and who cites them."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from test_docs import numbers_in

ROOT = Path(__file__).resolve().parents[1]
RULES = ROOT / "docs" / "berserk" / "rules.md"
OTHER_RULES = ROOT / "shared" / "berserk.md"
SOURCES = sorted([*(ROOT / "bloodrage_env" / "games" / "berserk").rglob("*.py"), ROOT / "docs" / "berserk_page.py"])
PAGES = sorted([*(ROOT / "docs" / "berserk").glob("*.md"), ROOT / "docs" / "templates" / "berserk_cards.md"])
TESTS = sorted((ROOT / "tests").glob("*berserk*.py"))


def paragraphs() -> list[str]:
    """The numbered paragraphs of the rules."""
    return re.findall(r"^\*\*(\d+\.\d+)\*\*", RULES.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_paragraphs_stand_in_order() -> None:
    numbers = [tuple(map(int, number.split("."))) for number in paragraphs()]
    for (chapter, number), after in pairwise(numbers):
        assert after in ((chapter, number + 1), (chapter + 1, 1))


def test_every_paragraph_is_cited_by_a_test() -> None:
    cited = {number for path in TESTS for number in numbers_in(path.read_text(encoding="utf-8"))}
    assert [number for number in paragraphs() if number not in cited] == []


@pytest.mark.parametrize("path", [*SOURCES, *PAGES, *TESTS], ids=lambda path: path.name)
def test_every_citation_names_a_paragraph(path: Path) -> None:
    chapters = {number.split(".")[0] for number in paragraphs()}
    assert set(numbers_in(path.read_text(encoding="utf-8"))) <= {*paragraphs(), *chapters}


@pytest.mark.skipif(not OTHER_RULES.exists(), reason="the other statement of the rules is not here")
def test_the_paragraphs_are_those_of_the_other_statement_of_the_rules() -> None:
    others = re.findall(r"^(\d+\.\d+)\s", OTHER_RULES.read_text(encoding="utf-8"), re.MULTILINE)
    assert paragraphs() == others
