"""The page of a review at a table: the page of a replay with scripts of the server."""

from collections.abc import Sequence
from html import escape
from typing import Final

from . import STATIC

SHARED: Final = ("board/colours.css", "render/page.css", "render/talk.css")


def review_page(title: str, styles: Sequence[str], body: str) -> str:
    """Return the page as text. `title` is that of the game, `styles` are addresses of its own style sheets, `body` is
    the markup of its replay page, whose script `board/replay.js` exports a `Player`.
    """
    links = "\n".join(f'<link rel="stylesheet" href="{each}">' for each in (*SHARED, *styles))
    text = (STATIC / "review.html").read_text(encoding="utf-8")
    return text.replace("{{title}}", escape(title)).replace("{{styles}}", links).replace("{{body}}", body)
