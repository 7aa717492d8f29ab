"""The project's files, for tests that read them."""

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
