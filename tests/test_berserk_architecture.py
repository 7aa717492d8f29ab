"""What `docs/architecture.md` says of Berserk's shape holds."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "bloodrage_env" / "games" / "berserk"
ENGINE = PACKAGE / "engine"


def imports_of(path: Path) -> set[str]:
    """The modules that a file imports from this project, by their names from `bloodrage_env` on."""
    inside = ["bloodrage_env", *path.relative_to(ROOT / "bloodrage_env").parts[:-1]]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level > 0:
            base = inside[: len(inside) + 1 - node.level]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found |= {".".join([*base, name]) for name in names}
    return found


def test_it_imports_shared_modules_only() -> None:
    for path in PACKAGE.rglob("*.py"):
        for name in imports_of(path):
            assert re.match(r"bloodrage_env\.(games\.berserk|core|encoding|errors|files|render|study|text)\b", name), (
                f"{path.name}: {name}"
            )


def test_the_first_game_and_the_core_know_nothing_of_it() -> None:
    for path in (ROOT / "bloodrage_env").rglob("*.py"):
        if not path.is_relative_to(PACKAGE) and path.name not in ("berserk_v0.py", "__init__.py"):
            assert not any("berserk" in name for name in imports_of(path)), path


def test_others_know_the_engine_by_its_facade() -> None:
    for path in PACKAGE.rglob("*.py"):
        if not path.is_relative_to(ENGINE):
            assert not any(".engine." in name.replace(".core.engine", "") for name in imports_of(path)), path


def test_no_code_names_a_card() -> None:
    named = {
        path.name for path in PACKAGE.rglob("*.py") if re.search(r"\bCard\.[A-Z]", path.read_text(encoding="utf-8"))
    }
    assert named == set()


def test_only_primitives_write_wounds_cells_and_what_lies_on_cards() -> None:
    """Beside them set-up, and a redeal, which fills a copy of its own."""
    fields = "at|standing|cell|wounds|moves|tokens|died|by_enemy|fell_at|bonfire|fires"
    write = re.compile(rf"\bs\.(?:{fields})\b(?:\[[^=\n]*\])?\s*[-+|&]?=(?!=)")
    writers = {
        str(path.relative_to(ENGINE))
        for path in ENGINE.rglob("*.py")
        if path.parent.name != "dealing" and write.search(path.read_text(encoding="utf-8"))
    }
    assert writers == {"primitives.py", "rules/setup.py"}


def test_chapters_read_no_texts_of_cards() -> None:
    """They ask hooks; keywords, bonuses and reactions are known there."""
    readers = {
        path.name
        for path in (ENGINE / "rules").glob("*.py")
        if re.search(r"\bEffect\.", path.read_text(encoding="utf-8"))
    }
    assert readers == set()
