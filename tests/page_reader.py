"""Reads a page of `bloodrage_training.report.page`: checks that it is well-formed, and gives its tables."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from xml.etree import ElementTree

VOID = {"meta", "link", "br", "img", "input", "hr"}


@dataclass
class Page(HTMLParser):
    """`tables` has, by caption, the rows as lists of texts; a second line of a cell follows after " | "."""

    source: str
    tables: dict[str, list[list[str]]] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    style: str = ""
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[str] = []
        self._rows: list[list[str]] = []
        self._caption = ""
        self.feed(self.source)
        self.close()
        assert not self._open, f"never closed: {self._open}"
        assert len(self.ids) == len(set(self.ids))
        assert {f"#{name}" for name in self.ids} >= set(self.links)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.tags.add(tag)
        self.attributes |= values.keys()
        self.style += values.get("style") or ""
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [values["href"] or ""] if "href" in values and tag != "link" else []
        if tag not in VOID:
            self._open.append(tag)
        if tag == "table":
            self._rows, self._caption = [], ""
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")
        elif tag == "small" and "td" in self._open:
            self._rows[-1][-1] += " | "

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= dict(attrs).keys()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, f"</{tag}> closes another"
        if tag == "table":
            self.tables[self._caption] = self._rows

    def handle_data(self, data: str) -> None:
        if "style" in self._open:
            self.style += data
        else:
            self.text += data
        if "caption" in self._open:
            self._caption += data
        elif "td" in self._open or "th" in self._open:
            self._rows[-1][-1] += data

    def table(self, beginning: str) -> dict[str, dict[str, str]]:
        """The table whose caption begins so: rows by name, cells by the head of their column."""
        (rows,) = (rows for caption, rows in self.tables.items() if caption.startswith(beginning))
        return {row[0]: dict(zip(rows[0][1:], row[1:], strict=True)) for row in rows[1:]}

    def charts(self) -> list[ElementTree.Element]:
        """Every drawing, parsed as XML."""
        return [ElementTree.fromstring(found) for found in re.findall(r"<svg.*?</svg>", self.source, re.DOTALL)]

    def check_alone(self, replays: bool = False) -> None:
        """Nothing is fetched; nothing runs but what opens `replays`; drawings say what they show, in finite numbers."""
        assert not self.tags & {"object", "embed", "img", "image", "use", "base", "form"}
        assert (self.tags & {"script", "iframe"}) == ({"script", "iframe"} if replays else set())
        assert not [name for name in self.attributes if name in ("src", "xlink:href") or name.startswith("on")]
        assert not re.search(r"@import|url\(|//", self.style)
        assert not re.search(r"&(?!#?\w+;)", self.source)
        for chart in self.charts():
            assert chart.get("role") == "img"
            assert chart.get("aria-label")
        assert not re.search(r"\b(nan|inf)\b", self.source)
