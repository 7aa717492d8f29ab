"""The notebooks run from top to bottom; what is kept of their outputs is what a run shows, in kind, and is small."""

import importlib.util
import io
import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import nbformat
import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("PIL")
from PIL import Image

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
PICTURES = {  # how many each shows
    "01_play_and_look": 5,
    "02_write_an_agent": 4,
    "03_train_by_self_play": 3,
    "04_what_cards_are_worth": 4,
    "05_search": 7,
}
SMALL = 400 * 1024  # bytes of a notebook
DRAWS = re.compile(r"^(?:board|dots|heat|learning|histograms|curves|bars|budgets|spread|compared)\(", re.MULTILINE)
MACHINE_PATH = re.compile(r"(?<![\w.])/(home|root|tmp|work|Users|usr|var|mnt)\b|[A-Z]:\\")

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def pictures_of(cell: Any) -> list[Image.Image]:
    """The pictures that a cell shows."""
    found = [output.data["image/png"] for output in cell.get("outputs", ()) if "image/png" in output.get("data", {})]
    return [Image.open(io.BytesIO(b64decode(each))) for each in found]


def kinds(cell: Any) -> list[str]:
    """What kinds of output a cell shows: "stdout", "image/png", ..."""
    return [kind for output in cell.outputs for kind in (output.get("data") or [output.get("name", "error")])]


def test_every_notebook_is_listed() -> None:
    assert {path.stem for path in NOTEBOOKS} == PICTURES.keys()


@every_notebook
def test_what_is_kept_is_pictures_and_text(path: Path) -> None:
    """A cell that ends in a picture has one with something in it; no counts, times or pages are kept."""
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    assert path.stat().st_size < SMALL
    for number, cell in enumerate(book.cells):
        assert cell["id"] == f"cell-{number:02}"
        assert not cell.metadata, cell.source
        if cell.cell_type == "code":
            assert cell.execution_count is None
            assert set(kinds(cell)) <= {"stdout", "image/png"}, cell.source
            shown = pictures_of(cell)
            assert len(shown) == bool(DRAWS.search(cell.source)), cell.source
            assert all(len(each.convert("L").getcolors()) > 8 for each in shown), cell.source
    assert sum(len(pictures_of(cell)) for cell in book.cells) == PICTURES[path.stem]
    assert book.metadata.kernelspec.name == "python3"
    assert set(book.metadata) == {"kernelspec", "language_info"}


@every_notebook
def test_no_path_of_a_machine_is_named(path: Path) -> None:
    assert not MACHINE_PATH.search(path.read_text(encoding="utf-8"))


@every_notebook
def test_links_lead_somewhere(path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    prose = "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")
    for target in re.findall(r"\]\(([^)]+)\)", prose):
        assert target.startswith("https://") or (FOLDER / target).is_file(), target


@pytest.mark.slow
@every_notebook
def test_a_notebook_runs_and_shows_what_is_kept(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell runs, and shows as much, and of the same kinds, as the outputs that are kept of it."""
    for name in ("TMPDIR", "IPYTHONDIR"):  # what a notebook writes goes with the test
        monkeypatch.setenv(name, str(tmp_path))
    spec = importlib.util.spec_from_file_location("run", FOLDER / "run.py")
    assert spec is not None
    assert spec.loader is not None
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    kept, book = nbformat.read(path, as_version=4), run.executed(path)
    assert len(book.cells) == len(kept.cells)
    for now, before in zip(book.cells, kept.cells, strict=True):
        if now.cell_type == "code":
            assert kinds(now) == kinds(before), now.source
