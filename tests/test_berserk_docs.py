"""The rules of Berserk, and who cites them."""

import re
from itertools import pairwise

import pytest
from project_files import ROOT, files, name_of
from test_docs import numbers_in

from bloodrage_env.games.berserk.engine import BY_DIFFERENCE, Force
from bloodrage_env.games.berserk.notation.words import difference_rows
from bloodrage_env.language.prompt import Parts, TextGame

RULES = ROOT / "docs" / "berserk" / "rules.md"
OTHER_RULES = ROOT.parent / "shared" / "berserk.md"
SOURCES = files(*(f"{each}/games/berserk/**/*.py" for each in (
    "bloodrage_env", "agents/bloodrage_agents", "training/bloodrage_training"
)), "docs/berserk_page.py")  # fmt: skip
PAGES = files("docs/berserk/**/*.md", "docs/templates/berserk_cards.md")
TESTS = files("tests/*berserk*.py")


def paragraphs() -> list[str]:
    """The numbered paragraphs of the rules."""
    return re.findall(r"^\*\*(\d+\.\d+)\*\*", RULES.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_paragraphs_stand_in_order() -> None:
    numbers = [tuple(map(int, number.split("."))) for number in paragraphs()]
    for (chapter, number), after in pairwise(numbers):
        assert after == (chapter, number + 1) or (after[0] > chapter and after[1] == 1)


def test_every_paragraph_is_cited_by_a_test() -> None:
    cited = {number for path in TESTS for number in numbers_in(path.read_text(encoding="utf-8"))}
    assert [number for number in paragraphs() if number not in cited] == []


def test_every_citation_names_a_paragraph() -> None:
    known = {*paragraphs(), *(number.split(".")[0] for number in paragraphs())}
    cited = {
        f"{name_of(path)}: {n}": n for path in [*SOURCES, *PAGES, *TESTS] for n in numbers_in(path.read_text("utf-8"))
    }
    assert [where for where, number in cited.items() if number not in known] == []


@pytest.mark.skipif(not OTHER_RULES.exists(), reason="the other statement of the rules is not here")
def test_the_paragraphs_are_those_of_the_other_statement_of_the_rules() -> None:
    others = re.findall(r"^(\d+\.\d+)\s", OTHER_RULES.read_text(encoding="utf-8"), re.MULTILINE)
    for_two = [number for number in paragraphs() if int(number.split(".")[0]) < 10]  # it leaves out the team battle
    assert for_two == others


@pytest.mark.skipif(not OTHER_RULES.exists(), reason="the other statement of the rules is not here")
def test_the_table_of_differences_is_that_of_the_other_statement_of_the_rules() -> None:
    """rules 4.10"""
    lines = OTHER_RULES.read_text(encoding="utf-8").partition("**Option `combat=")[2].splitlines()
    rows = [[cell.strip() for cell in line.strip(" |").split("|")] for line in lines if line.strip()[:1] == "|"]
    names, attacker, other = rows[0][1:], rows[2][1:], rows[3][1:]
    for name, forces in zip(names, zip(attacker, other, strict=True), strict=True):
        column = int(name.rstrip("+-")) + BY_DIFFERENCE.shape[1] // 2 - 1
        low, high = ([force.split(" / ")[i].upper() for force in forces] for i in (0, -1))
        assert [Force(force).name for force in BY_DIFFERENCE[:, column]] == low
        if name == "0":
            assert [Force(force).name for force in BY_DIFFERENCE[:, -1]] == high


@pytest.mark.parametrize("game", ["berserk", "berserk_team", "berserk_laar"])
def test_rules_for_language_models_are_those_of_every_form(game: str) -> None:
    """rules 2.5, 4.10, 10.12: the table is the one that is used; no text needs a single opponent"""
    rules = TextGame(game, Parts()).structs.language.rules["full"]
    assert "; ".join(f"{name}: {one}, {other}" for name, one, other in difference_rows()) in rules
    assert "-2: misses, misses" in rules
    assert "until the next turn of the player who lit it begins" in rules
    assert "{" not in rules
