"""Stamps of compiled functions: hashes over all of their sources.

numba stamps a cached function with its own file only, so a function would be used although a rule that it calls has
changed. The stamp here covers every source of an entry, in any package.
"""

import functools
import hashlib
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

# An import at the head of a module: its dots, its module, the names; or a module.
_IMPORT = re.compile(r"^(?:from (\.*)([\w.]*) import (\([^)]*\)|.*)|import ([\w.]+))", re.MULTILINE)
FURTHER: Final = "SOURCES"  # the name in a module of further files that what is compiled depends on
_packages = {__name__.partition(".")[0]}  # those with compiled functions


def register(function: Callable[..., Any]) -> None:
    """Register the package of a compiled function. Modules of this package are part of later stamps."""
    _packages.add(function.__module__.partition(".")[0])


def stamp(function: Callable[..., Any]) -> str:
    """Return the SHA-256 (hex) of all sources of a compiled function.

    These are its module, all modules that it imports, directly or not, from packages with compiled functions (constants
    leave no trace in compiled code), the tables in their folders, and the modules that compile. Call it after all of
    them have been imported.
    """
    return _stamp_of(frozenset(modules_of(function)))


def modules_of(function: Callable[..., Any]) -> set[str]:
    """Return the modules of a function, and of the compiled functions in its closure."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    enclosed = [modules_of(each.py_func) for each in cells if hasattr(each, "py_func")]
    return {function.__module__}.union(*enclosed)


def variant(function: Callable[..., Any]) -> str:
    """What tells apart the files of compiled functions whose sources differ by what `SOURCES` name: "" if none does."""
    return _variant_of(frozenset(modules_of(function)))


@functools.cache
def _variant_of(modules: frozenset[str]) -> str:
    further = [each for name in sources(modules) for each in getattr(sys.modules[name], FURTHER, ())]
    content = b"\0".join(each.read_bytes() for each in further)
    return f"-{hashlib.sha256(content).hexdigest()[:8]}" if further else ""


@functools.cache
def _stamp_of(modules: frozenset[str]) -> str:
    digest = hashlib.sha256()
    for name in sources(modules):
        digest.update(f"{name}\0{_content_of(name)}\0".encode())
    return digest.hexdigest()


def sources(modules: Iterable[str]) -> list[str]:
    """Return the modules and all that they import, directly or not, from packages with compiled functions, sorted."""
    found: set[str] = set()
    paths = (f"{__package__}.{path}" for path in ("numba_private", "numba_public"))
    waiting = {*modules, f"{__package__}.decorators", *(each for each in paths if each in sys.modules)}
    while waiting:
        found |= waiting
        waiting = {each for name in waiting for each in _imported(name)} - found
    return sorted(found)


@functools.cache
def _imported(module: str) -> frozenset[str]:
    """Return the imports at the head of a module, of packages with compiled functions."""
    file = file_of(module)
    inside = module if file.name == "__init__.py" else module.rpartition(".")[0]
    found = set()
    for dots, source, names, plain in _IMPORT.findall(file.read_text(encoding="utf-8")):
        above = inside.split(".")[: len(inside.split(".")) + 1 - len(dots)] if dots else []
        base = ".".join([*above, source or plain]).strip(".")
        found |= {base, *(f"{base}.{name}" for name in re.findall(r"\w+", names))}
    return frozenset(each for each in found if each.partition(".")[0] in _packages and each in sys.modules)


@functools.cache
def _content_of(module: str) -> str:
    """Return the SHA-256 (hex) of a module's source, the tables in its folder, and its files `SOURCES`."""
    file = file_of(module)
    digest = hashlib.sha256()
    for each in (file, *_tables(file.parent), *getattr(sys.modules[module], FURTHER, ())):
        content = each.read_bytes()
        # The length keeps two files apart whose texts are cut at another place.
        digest.update(f"{each.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


@functools.cache
def _tables(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.csv"))


def file_of(module: str) -> Path:
    """Return the file of an imported module."""
    return Path(str(sys.modules[module].__file__))
