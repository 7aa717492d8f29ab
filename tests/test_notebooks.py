"""The notebooks run from top to bottom and show pictures; they are kept without outputs and name no machine's path."""

import re
from base64 import b64decode
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LIMIT = 600  # seconds for a cell; a whole notebook takes less than three minutes on two free cores
PICTURES = {  # how many boards and frames, and how many charts, each shows
    "01_play_and_look": (5, 1),
    "02_write_an_agent": (1, 2),
    "03_train_by_self_play": (1, 3),
    "04_what_cards_are_worth": (0, 4),
}
MACHINE_PATH = re.compile(r"(?<![\w.])/(home|root|tmp|work|Users|usr|var|mnt)\b|[A-Z]:\\")

CHART = re.compile(r'<img src="data:image/svg\+xml;base64,([^"]+)"')
DRAWN = re.compile(r'class="(?:dot|bar|path)"')

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def chart_svg(html: str) -> str:
    """The SVG of a chart; empty for an output that is none."""
    found = CHART.match(html)
    return b64decode(found[1]).decode() if found else ""


def test_every_notebook_is_listed() -> None:
    assert {path.stem for path in NOTEBOOKS} == PICTURES.keys()


@every_notebook
def test_no_outputs_are_kept(path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    for cell in book.cells:
        assert not cell.metadata, cell.source
        if cell.cell_type == "code":
            assert cell.outputs == [], cell.source
            assert cell.execution_count is None, cell.source
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
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell runs; its pictures are SVG with something drawn, in as many cells as there should be."""
    for name in ("TMPDIR", "IPYTHONDIR"):  # what a notebook writes goes with the test
        monkeypatch.setenv(name, str(tmp_path))
    book = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(FOLDER)}}
    NotebookClient(book, timeout=LIMIT, kernel_name="python3", resources=where).execute()
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    shown = [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    boards = [html for html in shown if html.startswith("<svg") and "<polygon" in html]
    frames = [html for html in shown if html.startswith("<iframe") and "&lt;svg" in html]
    charts = [html for html in shown if DRAWN.search(chart_svg(html))]
    assert (len(boards) + len(frames), len(charts)) == PICTURES[path.stem]
