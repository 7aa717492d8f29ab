"""The scripts and the style sheets of a page, each joined to one file, so that a page takes few requests.

The modules stay as they are, and can be read at their own addresses too. In the joined script each module is a function
of its own, called once, after those of the modules that it imports.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

STYLES: Final = re.compile(r'(?:<link rel="stylesheet" href="[^"]+">\n)+')
STYLE: Final = re.compile(r'href="([^"]+)"')
SCRIPT: Final = re.compile(r'(?<=<script type="module" src=")[^"]+(?=">)')
IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.M)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.M)
Read = Callable[[str], str]  # the text at an address


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


def one_script(address: str, read: Read) -> str:
    """Return a module and all that it imports as one module. Raise ValueError if modules import each other."""
    found: dict[str, str] = {}

    def add(address: str, above: tuple[str, ...]) -> str:
        """Return the text of a module, after those that it imports are in `found`."""
        if address in above:
            raise ValueError(f"{address} imports itself by {above[-1]}")
        text = read(address)
        names = []
        for each, place in IMPORT.findall(text):
            other = normpath(f"{PurePosixPath(address).parent}/{place}")
            if other not in found:
                body = add(other, (*above, address))
                given = ", ".join(EXPORT.findall(read(other)))
                found[other] = f"const {_name(other)} = (() => {{\n{body}\nreturn {{ {given} }};\n}})();\n"
            names.append(f"const {{{each.replace(' as ', ': ')}}} = {_name(other)};\n")
        return f"// {address}\n{''.join(names)}{EXPORT.sub('', IMPORT.sub('', text))}"

    last = add(address, ())
    return "\n".join([*found.values(), last])


def _name(address: str) -> str:
    return "of_" + re.sub(r"\W", "_", address.removesuffix(".js"))


def kept(content: bytes, media_type: str) -> Callable[[Request], Any]:
    """Return what answers with a content that never changes: a browser keeps it, and asks for it again by its tag."""
    headers = {"etag": f'"{hashlib.sha256(content).hexdigest()[:32]}"', "cache-control": "no-cache"}

    async def answer(request: Request) -> Response:
        if request.headers.get("if-none-match", "").removeprefix("W/") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=media_type, headers=headers)

    return answer
