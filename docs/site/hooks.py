"""What `mkdocs.yml` asks for: pages from outside docs/, links to source files, and the gallery.

The pages in docs/ are written for a code host, where a link to a source file shows the file. The site has pages with
these files, and here each link is turned to them.
"""

import functools
import sys
from pathlib import Path
from typing import Any

import api_pages
import gallery
import notebook_pages
import sources
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import engine_page  # noqa: E402
import results  # noqa: E402
from generate import table  # noqa: E402

ASSETS = ("iframe-worker.js", "site.css")
HOME = "---\nhide: [navigation]\n---\n"  # it is not in a section
_origins: dict[str, str] = {}  # by page, the path in the repository of the file it is made of


@functools.cache
def _gallery() -> list[Path]:
    """The pages of the gallery: they are made once, also where `mkdocs serve` builds again and again."""
    return gallery.make()


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add all pages that are not in docs/, and what they show."""

    def add(path: str, **content: Any) -> None:
        files.append(File.generated(config, path, **content))

    notebooks, pictures = notebook_pages.pages()
    _origins.clear()
    _origins.update({f.src_uri: f"docs/{f.src_uri}" for f in files.documentation_pages()})
    _origins.update({page: path for path, page in sources.TOP_PAGES.items()})
    _origins.update({page: page for page in notebooks})
    for path, page in sources.TOP_PAGES.items():
        head = HOME if page == "index.md" else ""
        add(page, content=head + (sources.ROOT / path).read_text(encoding="utf-8"))
    for page, text in {**notebooks, **api_pages.pages(), **results.pages()}.items():
        add(page, content=text)
    for path, picture in pictures.items():
        add(path, content=picture)
    for notebook in notebook_pages.FOLDER.glob("*.ipynb"):
        add(f"notebooks/{notebook.name}", abs_src_path=str(notebook))
    for name in ASSETS:
        add(f"assets/{name}", abs_src_path=str(HERE / name))
    add("gallery.md", content=(HERE / "gallery.md").read_text(encoding="utf-8"))
    for each in _gallery():
        add(f"gallery/{each.name}", abs_src_path=str(each))
    linked = [
        target
        for page, origin in _origins.items()
        if (file := files.get_file_from_path(page)) is not None
        for target in sources.targets(file.content_string, origin)
    ]
    for page, text in sources.source_pages(linked).items():
        add(page, content=text)
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Turn the links of a page from files of the repository to pages of the site; add the names of the engine."""
    if page.file.src_uri == "engine.md":
        markdown += engine_page.reference(table)
    origin = _origins.get(page.file.src_uri)
    return markdown if origin is None else sources.rewritten(markdown, origin, page.file.src_uri)
