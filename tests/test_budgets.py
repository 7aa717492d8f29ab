"""How long the project may be: lines of code by folder, and words of its pages.

A budget is raised only in a commit whose body says why, and lowered when lines go.
"""

import subprocess
from pathlib import Path

import pytest
from project_files import ROOT

LINES = {
    "bloodrage_env": 41_980, "agents": 11_885, "training": 17_950, "docs": 2_010, "research": 5_100, "tests": 78_940,
}  # fmt: skip
WORDS = 80_360  # of all pages
WORDS_OF_A_PAGE = 4_700
LONGER = {"docs/rules.md": 9_000, "docs/berserk/rules.md": 7_000}  # the rules of two games


def tracked(pattern: str) -> list[Path]:
    """The files of the repository that match a pattern of git."""
    found = subprocess.run(["git", "ls-files", pattern], cwd=ROOT, capture_output=True, text=True, check=False)
    if not found.stdout:
        pytest.skip("not a clone of the repository")
    return [ROOT / name for name in found.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.mark.parametrize("folder", LINES)
def test_lines_of_code(folder: str) -> None:
    lines = sum(path.read_bytes().count(b"\n") for path in tracked(f"{folder}/*.py"))
    assert lines <= LINES[folder]
    assert lines > 0.95 * LINES[folder], "lower the budget"


def test_words_of_pages() -> None:
    words = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").split())
        for path in tracked("*.md")
        if "templates" not in path.parts
    }
    assert {name: count for name, count in words.items() if count > LONGER.get(name, WORDS_OF_A_PAGE)} == {}
    assert sum(words.values()) <= WORDS
