"""A module and all that it imports as one script. Each is a function of its own, called once, after what it imports."""

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Final

from . import STATIC

IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.M)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.M)
Read = Callable[[str], str]  # the text at an address


def script(folder: Path, name: str) -> str:
    """Return a module of a folder, and all that it imports, as one. `../render` is the folder of what games share."""
    folders = {"game": folder, "render": STATIC}

    def read(address: str) -> str:
        place, _, file = address.partition("/")
        return (folders[place] / file).read_text(encoding="utf-8")

    return one_script(f"game/{name}", read)


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
