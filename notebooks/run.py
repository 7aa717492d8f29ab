"""Runs the notebooks and keeps what they show: `python notebooks/run.py`, or with names of some.

Of an output only a picture (PNG) or text is kept, of stderr nothing, and of what overwrites itself, such as progress,
the last state.
"""

import argparse
import re
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent
LIMIT = 600  # seconds for a cell
KEPT = ("image/png", "text/plain")


def executed(path: Path) -> Any:
    """A notebook run from top to bottom, without its counts and times. Raise CellExecutionError."""
    book = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(FOLDER)}}
    NotebookClient(book, timeout=LIMIT, kernel_name="python3", resources=where, record_timing=False).execute()
    for number, cell in enumerate(book.cells):
        cell["id"] = f"cell-{number:02}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = kept(cell.outputs)
    book.metadata = {name: book.metadata[name] for name in ("kernelspec", "language_info")}
    return book


def kept(outputs: Any) -> list[Any]:
    """What is kept of the outputs of a cell."""
    found: list[Any] = []
    for output in outputs:
        if "data" in output:
            kind = next(name for name in KEPT if name in output.data)
            found.append(nbformat.v4.new_output("display_data", {kind: output.data[kind]}))
        elif output.output_type == "error":
            found.append(output)
        elif output.name == "stdout":
            text = output.text
            if found and found[-1].output_type == "stream":
                text = found.pop().text + text
            found.append(nbformat.v4.new_output("stream", name="stdout", text=_without_folders(_overwritten(text))))
    return found


def _overwritten(text: str) -> str:
    """Lines without what was overwritten on them."""
    return re.sub(r"[^\n]*\r", "", text)


def _without_folders(text: str) -> str:
    """Files in a temporary folder by their names alone; columns of a table stay where they are."""
    folder = re.escape(tempfile.gettempdir()) + r"/\w+/"
    in_table = re.sub(
        rf"^({folder})(\S+)(?=  )", lambda found: found[2] + " " * len(found[1]), text, flags=re.MULTILINE
    )
    return re.sub(folder, "", in_table)


def main() -> None:
    """Run and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="such as 01_play_and_look (all)")
    for path in sorted(FOLDER.glob("*.ipynb")):
        names = parser.parse_args().names
        if not names or path.stem in names:
            nbformat.write(executed(path), path)
            print(f"{path.name}: {path.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
