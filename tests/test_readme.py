"""The README: its first policy learns. The rest of the page runs in test_pages.py."""

import re
import runpy

import pytest
from project_files import ROOT

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
INDENTED = [line.strip() for line in TEXT.replace("\\\n", " ").splitlines() if line.startswith("    ")]


def test_it_is_short() -> None:
    assert len(TEXT.split()) <= 900


def test_an_index_shows_no_link_to_a_file() -> None:
    shown = runpy.run_path(str(ROOT / "setup.py"))["long_description"](TEXT)
    links = re.findall(r"\]\(([^)]*)\)", shown)
    assert links
    assert [each for each in links if not each.startswith("https://")] == []
    assert "docs/images" not in shown
    assert "[leaderboard]" not in shown


@pytest.mark.slow
def test_the_first_policy_learns_to_win(capsys: pytest.CaptureFixture[str]) -> None:
    """The text below the example is what it prints, within what machines differ by."""
    (example,) = (block for block in BLOCKS if "MaskablePPO" in block)
    exec(compile(example, "README.md", "exec"), {"__name__": "__main__"})
    pattern = r"wins (\d+)% of 100 games"
    printed = re.search(pattern, capsys.readouterr().out)
    (shown,) = (re.fullmatch(pattern, line) for line in INDENTED if line.startswith("wins "))
    assert printed is not None
    assert shown is not None
    assert int(printed[1]) >= 80
    assert abs(int(printed[1]) - int(shown[1])) <= 15
