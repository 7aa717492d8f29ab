"""The scripts and the style sheets of a page, each joined to one file, so that a page takes few requests.

The modules stay as they are, and can be read at their own addresses too.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..render.modules import Read, one_script

STYLES: Final = re.compile(r'(?:<link rel="stylesheet" href="[^"]+">\n)+')
STYLE: Final = re.compile(r'href="([^"]+)"')
SCRIPT: Final = re.compile(r'(?<=<script type="module" src=")[^"]+(?=">)')


def reader(files: Mapping[str, tuple[str, str]], folders: Mapping[str, Path]) -> Read:
    """Return what reads the text at an address without its first slash. The parameters are those of `TablePage`."""

    def read(address: str) -> str:
        if f"/{address}" in files:
            return files[f"/{address}"][0]
        folder, _, name = address.partition("/")
        return (folders[folder] / name).read_text(encoding="utf-8")

    return read


def page(path: str, text: str, read: Read) -> Iterator[Route]:
    """Yield the routes of a page at a path: the page, and, if it has a module, the joined files beside that."""
    source = SCRIPT.search(text)
    if source is None:
        yield Route(path, kept(text.encode(), "text/html"))
        return
    script = PurePosixPath(source[0].lstrip("/"))
    sheets = [each.lstrip("/") for links in STYLES.findall(text) for each in STYLE.findall(links)]
    begin = "/" if source[0].startswith("/") else ""
    named = {kind: str(script.with_suffix(f".all.{kind}")) for kind in ("js", "css")}
    text = SCRIPT.sub(begin + named["js"], text)
    text = STYLES.sub(f'<link rel="stylesheet" href="{begin}{named["css"]}">\n', text)
    yield Route(path, kept(text.encode(), "text/html"))
    yield Route(f"/{named['js']}", kept(one_script(str(script), read).encode(), "text/javascript"))
    yield Route(f"/{named['css']}", kept("\n".join(map(read, sheets)).encode(), "text/css"))


def kept(content: bytes, media_type: str) -> Callable[[Request], Any]:
    """Return what answers with a content that never changes: a browser keeps it, and asks for it again by its tag."""
    headers = {"etag": f'"{hashlib.sha256(content).hexdigest()[:32]}"', "cache-control": "no-cache"}

    async def answer(request: Request) -> Response:
        if request.headers.get("if-none-match", "").removeprefix("W/") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=media_type, headers=headers)

    return answer
