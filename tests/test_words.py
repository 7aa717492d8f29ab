"""The words of the documents: the field's and the glossary's. What was coined or literary does not come back."""

import ast
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
TRAINING = ROOT / "docs" / "training.md"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
NOTEBOOKS = sorted(ROOT.glob("notebooks/*.ipynb"))
# A pattern, and what to write instead.
NOT_USED = {
    r"laws?": "invariant (of the record), model (of chances)",
    r"sink(s|ing)?|sank|sunk": "decay, learning-rate decay",
    r"victories|win shares?": "wins, win rate",
    r"payments?": "reward",
    r"luck|lucky": "chance, noise, variance",
    r"dice": "random numbers",
    r"taken up|takes? up": "resume",
    r"anew": "again; sample; reset",
    r"trials?": "experiment",
    r"liking": "preference",
    r"standing rate": "constant learning rate",
    r"whose step it is": "transitions of one seat",
    r"silences?": "switch off",
    r"comes? to light": "is revealed",
}
FIELD = re.compile(r"^\| ([^|]+) \| [^|]+ \|$", re.MULTILINE)


def prose(path: Path) -> str:
    """The text of a page or notebook, without code blocks and code spans."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`]*`", "", text)


def terms() -> list[str]:
    """The terms of the glossary."""
    heads = {"term", "---"}
    return [term for term in FIELD.findall(GLOSSARY.read_text(encoding="utf-8")) if term not in heads]


@pytest.mark.parametrize("path", [*PAGES, *NOTEBOOKS], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_word_that_is_not_used(path: Path) -> None:
    allowed = {r"dice"} if path.parent.name == "berserk" or "berserk" in path.name else set()  # it is played with them
    found = [
        f"line {text.count(chr(10), 0, match.start()) + 1}: {match[0]!r}, write: {instead}"
        for text in [prose(path)]
        for pattern, instead in NOT_USED.items()
        if pattern not in allowed
        for match in re.finditer(rf"\b({pattern})\b", text, re.IGNORECASE)
    ]
    assert found == []


def test_every_term_of_the_glossary_is_used_and_stands_there_once() -> None:
    everything = "\n".join(path.read_text(encoding="utf-8") for path in PAGES if path != GLOSSARY)
    names = terms()
    assert len(names) > 30
    assert sorted(names) == sorted(set(names))
    assert [name for name in names if not re.search(rf"\b{re.escape(name)}(s|es)?\b", everything, re.IGNORECASE)] == []


def test_the_glossary_is_linked() -> None:
    linking = {path.name for path in PAGES if "glossary.md" in path.read_text(encoding="utf-8")}
    assert {"README.md", "CONTRIBUTING.md", "training.md", "agents.md", "tournaments.md"} <= linking


def settings(path: Path, name: str) -> set[str]:
    """The fields of a class, read without importing what it needs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    (found,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    return {
        each.target.id for each in found.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }


def test_the_page_describes_every_setting_of_the_learner() -> None:
    learn = ROOT / "training" / "bloodrage_training" / "learn"
    kinds = ("Learning", "Rollouts", "Ppo", "Imitation", "Rounds", "Search", "Merge")
    named = {"name", "kind"}.union(*(settings(learn / "config.py", each) for each in kinds))
    part = TRAINING.read_text(encoding="utf-8").partition("\n## Settings\n")[2].partition("\n## ")[0]
    described = [
        each for row in re.findall(r"^\| (`[^|]+) \|", part, re.MULTILINE) for each in re.findall(r"`(\w+)`", row)
    ]
    assert sorted(described) == sorted(named)
