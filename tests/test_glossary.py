"""The glossary and the table of settings: complete, and without what nothing uses."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
TRAINING = ROOT / "docs" / "training.md"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FIELD = re.compile(r"^\| ([^|]+) \| [^|]+ \|$", re.MULTILINE)


def terms() -> list[str]:
    """The terms of the glossary."""
    heads = {"term", "---"}
    return [term for term in FIELD.findall(GLOSSARY.read_text(encoding="utf-8")) if term not in heads]


def test_every_term_of_the_glossary_is_used_and_listed_once() -> None:
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
    kinds = ("Learning", "Rollouts", "Ppo", "Imitation", "Rounds", "League", "Search", "Merge")
    named = {"name", "kind"}.union(*(settings(learn / "config.py", each) for each in kinds))
    part = TRAINING.read_text(encoding="utf-8").partition("\n## Settings\n")[2].partition("\n## ")[0]
    described = [
        each for row in re.findall(r"^\| (`[^|]+) \|", part, re.MULTILINE) for each in re.findall(r"`(\w+)`", row)
    ]
    assert sorted(described) == sorted(named)
