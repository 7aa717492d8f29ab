"""The documentation site: where links lead, and the built pages, opened as files in Chromium."""

import importlib
import os
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHOWN = (  # a page of each kind
    "index.html",
    "gallery.html",
    "rules.html",
    "architecture.html",
    "api/environments.html",
    "notebooks/01_play_and_look.html",
    "source/bloodrage_env/games/bloodrage/engine/index.html",
    "source/bloodrage_env/games/bloodrage/engine/rules/action.py.html",
)


@pytest.fixture(scope="module")
def parts() -> Iterator[Any]:
    """The modules of docs/site by name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs" / "site"))

        def load(name: str) -> ModuleType:
            return importlib.import_module(name)

        yield load


@pytest.fixture(scope="module")
def site(parts: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site, with small pages in the gallery; any warning of the build is an error."""
    pytest.importorskip("material")
    pytest.importorskip("mkdocstrings")
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    folder = tmp_path_factory.mktemp("site")
    pages = [tmp_path_factory.mktemp("gallery") / f"{name}.html" for name in ("berserk", "replay", "report")]
    for page in pages:
        page.write_text(f"<!doctype html><title>{page.stem}</title><p>{page.stem}", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts("gallery"), "make", lambda: pages)
        config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder))
        assert config.strict
        build(config)
    return folder


class Links(HTMLParser):
    """`links` are the addresses of a page, `loaded` those that are loaded with it, `ids` its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.add(values["href"])
        elif tag == "link" and values.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.add(values["href"])
        elif "src" in values:
            self.loaded.add(values["src"])


@pytest.mark.parametrize(
    ("origin", "page", "link", "target"),
    [
        ("README.md", "index.md", "docs/rules.md#1-components", "rules.md#1-components"),
        (
            "README.md",
            "index.md",
            "bloodrage_env/games/bloodrage/engine",
            "source/bloodrage_env/games/bloodrage/engine/index.md",
        ),
        ("README.md", "index.md", "docs/images/play.png", "images/play.png"),
        ("docs/study.md", "study.md", "agents/ismcts.md", "agents/ismcts.md"),
        ("docs/agents/ismcts.md", "agents/ismcts.md", "../../README.md", "../index.md"),
        ("docs/agents/ismcts.md", "agents/ismcts.md", "../../tests/scenario.py", "../source/tests/scenario.py.md"),
        ("notebooks/01_play_and_look.ipynb", "notebooks/01_play_and_look.md", "../docs/agents.md", "../agents.md"),
        ("docs/agents/flat.md", "agents/flat.md", "../results/search.json", "../results/search.md"),
        ("docs/benchmarks.md", "benchmarks.md", "results", "results/index.md"),
        ("docs/study.md", "study.md", "../missing.py", "../missing.py"),
        ("docs/study.md", "study.md", "https://example.org/a.md", "https://example.org/a.md"),
    ],
)
def test_a_link_to_a_file_leads_to_its_page(parts: Any, origin: str, page: str, link: str, target: str) -> None:
    """A link that leads nowhere is left as it is, so that the build refuses it."""
    assert parts("sources").rewritten(f"see [it]({link}).", origin, page) == f"see [it]({target})."


def test_a_folder_brings_all_of_its_files(parts: Any) -> None:
    pages = parts("sources").source_pages(["bloodrage_env/games/berserk/notation"])
    folder = ROOT / "bloodrage_env" / "games" / "berserk" / "notation"
    files = {f"source/bloodrage_env/games/berserk/notation/{path.name}.md" for path in folder.glob("*.py")}
    assert files
    assert set(pages) == {"source/bloodrage_env/games/berserk/notation/index.md", *files}
    for name in files:
        source = (folder / Path(name).stem).read_text(encoding="utf-8")
        assert source.rstrip() in pages[name]


@pytest.mark.slow
def test_every_link_of_the_site_leads_somewhere_and_nothing_is_loaded_from_outside(site: Path) -> None:
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    assert len(pages) > 100
    wrong = set()
    for path, page in pages.items():
        wrong |= {(path.name, each) for each in page.loaded if re.match(r"(https?:)?//", each)}
        for link in page.links | page.loaded:
            parts = urlsplit(link)
            if parts.scheme or path.name == "404.html":
                continue
            target = Path(os.path.normpath(path.parent / unquote(parts.path))) if parts.path else path
            found = target.is_file() and (
                not parts.fragment
                or target not in pages
                or unquote(parts.fragment) in pages[target].ids
                or parts.fragment == "__top"
            )
            if not found:
                wrong.add((str(path.relative_to(site)), link))
    assert wrong == set()


@pytest.fixture
def opened(site: Path, browser: Any) -> Iterator[Any]:
    """Opens a page as a file; a request that leaves the folder, or an error in it, fails the test that asks."""
    contexts = []

    def go(name: str, width: int, dark: bool = False) -> Any:
        contexts.append(
            browser.new_context(viewport={"width": width, "height": 800}, color_scheme="dark" if dark else "light")
        )
        page = contexts[-1].new_page()
        page.troubles = []
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("console", lambda message: page.troubles.append(message.text))
        inside = (site.as_uri(), "about:", "data:")
        page.on("request", lambda each: None if each.url.startswith(inside) else page.troubles.append(each.url))
        page.goto((site / name).as_uri())
        return page

    yield go
    for context in contexts:
        context.close()


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize("dark", [False, True])
def test_a_page_fits_a_phone(opened: Any, name: str, dark: bool) -> None:
    page = opened(name, 390, dark)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("h1").first.is_visible()
    red, green, blue = map(
        int, re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor"))[:3]
    )
    assert (red + green + blue < 200) == dark
    assert page.troubles == []


@pytest.mark.slow
@pytest.mark.browser
def test_the_leaderboard_is_seen_whole(opened: Any) -> None:
    page = opened("leaderboard.html", 1280)
    assert page.locator("table th").count() >= 8
    assert (
        page.evaluate(
            "(() => { const t = document.querySelector('.md-typeset__scrollwrap'); "
            "return t.scrollWidth - t.clientWidth; })()"
        )
        <= 0
    )


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_search_works_without_network(opened: Any, width: int) -> None:
    page = opened("architecture.html", width)
    page.locator("input[name=query]" if width > 1000 else "label.md-header__button[for=__search]").click()
    page.locator(".md-search-result__meta", has_text="Type to start searching").wait_for()
    page.locator("input[name=query]").press_sequentially("openly forced")
    found = page.locator(".md-search-result__link", has_text="Glossary").first
    found.wait_for()
    found.click()
    page.wait_for_url("**/glossary.html*")
    assert page.troubles == []


@pytest.mark.slow
@pytest.mark.browser
def test_the_gallery_shows_whole_pages(opened: Any) -> None:
    page = opened("gallery.html", 1280)
    for name in ("replay", "report", "berserk"):
        frame = page.locator(f"iframe[src='gallery/{name}.html']")
        frame.scroll_into_view_if_needed()
        assert frame.bounding_box()["width"] > 1000
        page.frame_locator(f"iframe[src='gallery/{name}.html']").get_by_text(name, exact=True).wait_for()
    assert page.troubles == []
