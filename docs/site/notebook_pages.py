"""The notebooks as pages: their text, code, and the outputs that are kept in them."""

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"


def pages() -> tuple[dict[str, str], dict[str, bytes]]:
    """The pages and their pictures, by their path in the site."""
    texts: dict[str, str] = {}
    pictures: dict[str, bytes] = {}
    rows = ""
    for path in sorted(FOLDER.glob("*.ipynb")):
        book = json.loads(path.read_text(encoding="utf-8"))
        parts = [_cell(f"{path.stem}_{number}", cell, pictures) for number, cell in enumerate(book["cells"])]
        title, text = "\n\n".join(parts).split("\n", 1)
        file = f"[As a notebook]({path.name}){{ download }}"
        texts[f"notebooks/{path.stem}.md"] = f"{title}\n\n{file}\n{text}\n"
        rows += f"| [{title.lstrip('# ')}]({path.stem}.md) |\n"
    how = "They need Jupyter and `pip install -e '.[notebooks,train]'`."
    texts["notebooks/index.md"] = f"# Notebooks\n\n{how}\n\n| |\n|---|\n{rows}"
    return texts, pictures


def _cell(name: str, cell: dict[str, Any], pictures: dict[str, bytes]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    parts = [f"```python\n{source}\n```"]
    for number, output in enumerate(cell["outputs"]):
        data = output.get("data", {})
        if "image/png" in data:
            picture = f"{name}_{number}.png"
            pictures[f"notebooks/{picture}"] = b64decode("".join(data["image/png"]))
            parts.append(f"![What the code above shows]({picture})")
        else:
            text = "".join(output.get("text", data.get("text/plain", "")))
            parts.append(f"```text\n{text.rstrip()}\n```")
    return "\n\n".join(parts)
