"""The toy game, installed: its entry point on the path of Python, as `pip install` writes it."""

import importlib
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bloodrage_env import games

TOY = Path(__file__).parent / "toy_game"


def install(folder: Path) -> None:
    """Write what an installed distribution has of its metadata; its code stays where it is."""
    project = tomllib.loads((TOY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = folder / f"toy_game-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in named.items())
        for group, named in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(points))


def forget() -> None:
    """Have the registry look for games again."""
    importlib.invalidate_caches()
    games._points.cache_clear()
    games.spec.cache_clear()


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The toy is installed; its name."""
    folder = tmp_path_factory.mktemp("installed")
    install(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        forget()
        yield "toy"
    forget()
