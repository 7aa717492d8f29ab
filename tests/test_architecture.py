"""What `docs/architecture.md` says of the code's shape holds: layers, writers, homes."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "bloodrage_env"
ENGINE = PACKAGE / "engine"

# The layers from the bottom. What is not named stands at the top: commands, the package itself.
LAYERS = ({"engine", "errors"}, {"observation", "notation", "replay", "render"}, {"env", "vector", "bloodrage_v0"})
TOP = len(LAYERS)


def layer_of(module: str) -> int:
    """The layer of a part of the package."""
    return next((level for level, names in enumerate(LAYERS) if module in names), TOP)


def imports_of(path: Path) -> set[str]:
    """The parts of the package that a file imports at its head, those only for type checks included."""
    inside = path.relative_to(PACKAGE).parts
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level > 0:
            package = list(inside[: len(inside) - node.level])
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found.update([*package, *name.split(".")][0] for name in names)
    return found


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    upward = {module for module in imports_of(path) if layer_of(module) > layer_of(own)}
    assert upward == set()


def test_only_primitives_write_scores_figures_and_cards() -> None:
    """Beside them set-up, and a redeal, which fills a copy of its own."""
    fields = "glory|glory_from|rage|stat_step|figures|on_board|occupied|hand|hand_size|upgrades|discards|gone|main|late"
    write = re.compile(rf"\bs\.(?:{fields})\b(?:\[[^\]]*\])?\s*[-+|&]?=(?!=)")
    writers = {
        str(path.relative_to(ENGINE))
        for path in ENGINE.rglob("*.py")
        if path.parent.name != "dealing" and write.search(path.read_text(encoding="utf-8"))
    }
    assert writers == {"primitives.py", "rules/setup.py"}


def test_only_hooks_and_effects_name_cards() -> None:
    named = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if re.search(r"\bCard\.[A-Z]", path.read_text(encoding="utf-8"))
    }
    assert {name for name in named if not name.startswith("engine/effects/")} == {"engine/hooks.py"}


def test_the_map_names_every_file_of_the_engine() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.split("## The engine, file by file")[1].split("\n## ")[0]
    files = {str(path.relative_to(ENGINE)) for path in ENGINE.rglob("*") if path.suffix in (".py", ".csv")}
    named = re.findall(r"`([\w/]+\.(?:py|csv))`", table.split("|---|")[1])
    assert sorted(named) == sorted(name for name in files if not name.endswith("__init__.py"))


def test_the_picture_names_every_part_of_the_package() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    parts = {path.name for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert {name for name in parts - {"__init__.py"} if f"../bloodrage_env/{name})" not in page} == set()
