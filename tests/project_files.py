"""The project's files, for tests that read them."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def files(*patterns: str) -> list[Path]:
    """The files that match these patterns, relative to the root, in order.

    Each pattern matches a file, so that a folder that has moved does not leave a test with nothing to look at.
    """
    found = {pattern: {path for path in ROOT.glob(pattern) if path.is_file()} for pattern in patterns}
    assert [pattern for pattern, paths in found.items() if not paths] == []
    return sorted(set().union(*found.values()))


def name_of(path: Path) -> str:
    """The path of a file as messages show it."""
    return str(path.relative_to(ROOT))


def code_of(path: Path) -> str:
    """The code of a module without docstrings, whose examples may name a game."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
    return ast.unparse(tree)
