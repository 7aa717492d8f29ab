"""The transcript of language models on the page of a replay, shown at each decision."""

from collections.abc import Sequence
from typing import Any

from ..encoding import as_json
from . import STATIC
from .modules import script


def with_talk(page: str, lines: Sequence[dict[str, Any]], seats: Sequence[str]) -> str:
    """Return the page of a replay with a transcript, as `language.transcript` loads it; without lines, the page alone.

    A page that shows steps sends the event `step` to the document, with the step and the seat that looks.
    """
    if not lines:
        return page
    data = as_json({"lines": list(lines), "seats": list(seats)}, compact=True, ascii_only=False)
    head, body, rest = page.partition("<body")
    tag, end, content = rest.partition(">")
    start = 'showTalk(JSON.parse(document.getElementById("talk-data").textContent), document.getElementById("talk"));'
    return (
        f"{head}{body}{tag}{end}\n"
        '<section id="talk" tabindex="0" aria-label="Talk with the language model" hidden></section>'
        f"<style>{(STATIC / 'talk.css').read_text(encoding='utf-8')}</style>"
        f'<script type="application/json" id="talk-data">{data.replace("<", chr(92) + "u003c")}</script>'
        f'<script>"use strict";\n{{\n{script(STATIC, "talk.js")}{start}\n}}</script>{content}'
    )
