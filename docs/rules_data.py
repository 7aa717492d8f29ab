"""The rules as data, for the pages that search in them: made from `docs/rules.md`."""

import json
import re
from typing import Any

NUMBER = re.compile(r"\*\*([0-9.]+)\*\* ")  # at the beginning of a paragraph
FOR_PROGRAMS = "## How the environment asks"  # the last section of a page; its paragraphs are 7.1 and so on
ITEM = re.compile(r"^(?:- |[0-9]+\. )", re.MULTILINE)


def rules_data(text: str) -> str:
    """The JSON of a list of {"heading", "level", "paragraphs"}, in the order of the page.

    A paragraph is {"number": "4.6" or "", "parts"}; a part is a text, {"items": texts} or {"rows": rows of texts}. The
    section FOR_PROGRAMS and what refers to it is left out: nobody asks people so.
    """
    sections: list[dict[str, Any]] = []
    text = re.sub(r"<!--.*?-->\n?", "", text)
    text, _, asked = text.partition(FOR_PROGRAMS)
    text = re.sub(r"\s\(7\.\d\)", "", text) if asked else text
    for block in text.strip().split("\n\n"):
        heading = re.match(r"(#+) (.*)", block)
        if heading:
            sections.append({"heading": plain(heading[2]), "level": len(heading[1]), "paragraphs": []})
            continue
        numbered = NUMBER.match(block)
        paragraphs = sections[-1]["paragraphs"]
        if numbered or not paragraphs:
            paragraphs.append({"number": numbered[1] if numbered else "", "parts": []})
        paragraphs[-1]["parts"] += parts(block[numbered.end() :] if numbered else block)
    return json.dumps(sections, ensure_ascii=False, indent=0) + "\n"


def parts(block: str) -> list[Any]:
    """What a block of the page, without its number, is made of."""
    if block.startswith("|"):
        rows = [[plain(cell) for cell in line.strip("|").split("|")] for line in block.splitlines()]
        return [{"rows": [rows[0], *rows[2:]]}]
    before, *items = re.split(ITEM, block)
    found: list[Any] = [plain(before)] if before.strip() else []
    return [*found, {"items": [plain(item) for item in items]}] if items else found


def plain(text: str) -> str:
    """Text without the marks of Markdown, in one line."""
    text = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", text)
    return " ".join(re.sub(r"[*`]", "", text).split())
