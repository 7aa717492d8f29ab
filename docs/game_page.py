"""The guide `add_a_game.md`: the sources of the toy game of the tests, part by part."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Final

from bloodrage_env.core.engine.spec import GameSpec

TOY: Final = Path(__file__).resolve().parents[1] / "tests" / "toy_game"
FILES: Final = (
    "pyproject.toml", "__init__.py", "engine.py", "game.py", "words.py", "agents.py", "styles.py", "network.py",
    "training.py",
)  # fmt: skip
_PART: Final = re.compile(r"\{part:([\w.]+)(?::([^}]+))?\}")


def page(template: str, note: str) -> str:
    """The page, with the sources in the places that the template names."""
    texts = {name: (TOY / name).read_text(encoding="utf-8") for name in FILES}
    assert {path.name for path in TOY.iterdir() if path.is_file()} == set(FILES), "the guide shows every file"
    counts = {name: text.count("\n") for name, text in texts.items()}
    rows = [f"| `{name}` | {count} | {_summary(texts[name])} |" for name, count in counts.items()]
    filled = _PART.sub(lambda part: _code(part[1], _section(texts[part[1]], part[2])), template)
    places = {
        "note": note,
        "lines": str(sum(counts.values())),
        "files": str(len(FILES)),
        "table": "\n".join(rows),
        "parts": "\n".join(_parts()),
    }
    for name, text in places.items():
        filled = filled.replace(f"{{{name}}}", text)
    return filled


def _summary(text: str) -> str:
    """The first line of a docstring; for the project's own file what it is."""
    found = re.match(r'"""(.*?)(?:"""|\n)', text)
    return found[1].rstrip(".") if found else "the package and its entry point"


def _section(text: str, heading: str | None) -> str:
    """The part of a file below a heading `# ---- heading ...`, what is before the first one, or all of it."""
    if heading is None:
        return text
    if heading == "imports":
        return text.partition("\n# ---- ")[0]
    begin = text.index(f"# ---- {heading}")
    end = text.find("\n# ---- ", begin)
    return text[begin : end if end >= 0 else None]


def _code(name: str, text: str) -> str:
    language = "toml" if name.endswith(".toml") else "python"
    return f"In `{name}`:\n\n```{language}\n{text.strip()}\n```"


def _parts() -> list[str]:
    """A row for each part that a spec can have, from the comments beside its fields."""
    source = Path(__file__).resolve().parents[1] / "bloodrage_env" / "core" / "engine" / "spec.py"
    comments = dict(re.findall(r"^    (\w+): str(?: = part\(.*?\))?  # (.*)$", source.read_text("utf-8"), re.MULTILINE))
    names = [each.name for each in fields(GameSpec) if each.name in comments]
    return [f"| `{name}` | {comments[name].replace('|', '/')} |" for name in names]
