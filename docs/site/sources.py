"""From files of the repository to pages of the site: where a link leads, and pages that show source files."""

import ast
import posixpath
import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOP_PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
LINK = re.compile(r"(?<=\]\()([^)#\s]+)((?:#[^)\s]*)?)(?=\))")
NO_SOURCES = ("__pycache__", ".egg-info", ".ipynb_checkpoints")
LANGUAGES = {".py": "python", ".js": "javascript", ".css": "css", ".html": "html", ".toml": "toml", ".json": "json"}
HEAD = """---
search:
  exclude: true
hide: [navigation, toc]
---
"""


def site_path(path: str) -> str | None:
    """The page or picture of the site that has a file or folder of the repository, None if there is no such file."""
    if path in TOP_PAGES:
        return TOP_PAGES[path]
    where = ROOT / path
    if not where.exists():
        return None
    if path == "notebooks":
        return "notebooks/index.md"
    if where.suffix == ".ipynb":
        return path.removesuffix(".ipynb") + ".md"
    if path.startswith("docs/") and where.suffix in (".md", ".png"):
        return path.removeprefix("docs/")
    if path == "docs/results":
        return "results/index.md"
    if path.startswith("docs/results/"):
        return path.removeprefix("docs/").removesuffix(".json") + ".md"
    return f"source/{path}/index.md" if where.is_dir() else f"source/{path}.md"


def targets(text: str, origin: str) -> list[str]:
    """The files and folders of the repository to which a page links; `origin` is the path of its file."""
    found = [posixpath.normpath(posixpath.join(posixpath.dirname(origin), each[1])) for each in LINK.finditer(text)]
    return [each for each in found if site_path(each) is not None]


def rewritten(text: str, origin: str, page: str) -> str:
    """A page whose links lead to pages of the site; those that lead to no file stay, and the build refuses them."""

    def link(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), match[1]))
        found = site_path(path)
        return match[0] if found is None else posixpath.relpath(found, posixpath.dirname(page) or ".") + match[2]

    return LINK.sub(link, text)


def source_pages(linked: Iterable[str]) -> dict[str, str]:
    """Pages that show these source files, and everything in these folders; text by page."""
    pages: dict[str, str] = {}
    left = list(linked)
    while left:
        path = left.pop()
        page = site_path(path)
        if page is None or not page.startswith("source/") or page in pages:
            continue
        if (ROOT / path).is_dir():
            children = _children(path)
            pages[page] = _folder(path, children)
            left += children
        else:
            pages[page] = _file(path)
    return pages


def _children(path: str) -> list[str]:
    names = sorted((each.is_dir(), each.name) for each in (ROOT / path).iterdir())
    return [f"{path}/{name}" for _, name in names if not name.endswith(NO_SOURCES)]


def _folder(path: str, children: Iterable[str]) -> str:
    rows = []
    for each in children:
        name = posixpath.basename(each) + ("/" if (ROOT / each).is_dir() else "")
        rows.append(
            f"| [`{name}`]({posixpath.relpath(site_path(each) or '', f'source/{path}')}) | {_summary(each)} |\n"
        )
    return f"{_head(path)}| | |\n|---|---|\n{''.join(rows)}"


def _head(path: str) -> str:
    return f"{HEAD}# `{path}`\n\n"


def _summary(path: str) -> str:
    """The first paragraph of the docstring of a module or package, in one line."""
    where = ROOT / path
    module = where / "__init__.py" if where.is_dir() else where
    if module.suffix != ".py" or not module.is_file():
        return ""
    doc = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return " ".join(doc.split("\n\n")[0].split()).replace("|", "\\|")


def _file(path: str) -> str:
    content = (ROOT / path).read_bytes()
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return f"{_head(path)}A binary file of {len(content) // 1024} KB.\n"
    language = LANGUAGES.get(posixpath.splitext(path)[1], "text")
    fence = "`" * (3 + max(map(len, re.findall(r"`+", text)), default=0))
    return f'{_head(path)}{fence} {{.{language} linenums="1"}}\n{text.rstrip()}\n{fence}\n'
