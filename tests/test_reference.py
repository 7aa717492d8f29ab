"""The API reference: every public name has its sections and an example, and the examples run."""

import contextlib
import dataclasses
import doctest
import importlib
import inspect
import io
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, is_typeddict
from unittest import mock

import pytest
from pool_here import Here
from project_files import ROOT

from bloodrage_env.cli import main
from bloodrage_training.dataset import command as dataset
from bloodrage_training.tournament import command as tournament

sys.path.insert(0, str(ROOT / "docs" / "site"))
import api_pages

pytest.importorskip("torch")  # what the extras bring is public too
NAMES = [
    (module, name)
    for _, _, modules in api_pages.PAGES.values()
    for module, names in modules.items()
    for name in names.split()
]
SECTION = re.compile(r"^(\w+)\n-{3,}\n((?:.*\n?)*?)(?=\n\w+\n-{3,}\n|\Z)", re.MULTILINE)
ENTRY = re.compile(r"^(\S.*?)(?: :.*)?$", re.MULTILINE)


def sections(of: object) -> dict[str, str]:
    """The sections of a docstring, and its beginning as ""."""
    doc = inspect.cleandoc(getattr(of, "__doc__", None) or "")
    return {"": SECTION.split(doc)[0], **dict(SECTION.findall(doc))}


def entries(section: str) -> set[str]:
    """The names of a section, without stars."""
    return {name.strip().lstrip("*") for line in ENTRY.findall(section) for name in line.split(",")}


def lacking(of: Any, whole: bool) -> list[str]:
    """What a docstring lacks. A method without parameters needs no sections; fields have comments beside them."""
    if isinstance(of, type) and (
        dataclasses.is_dataclass(of) or is_typeddict(of) or getattr(of, "_is_protocol", False)
    ):
        return []
    found, signature = sections(of), inspect.signature(of)
    wanted = {
        name for name in signature.parameters if name not in ("self", "cls", "args", "kwargs")
    }  # the last two of a protocol
    named = entries(found.get("Parameters", "")) | entries(found.get("Attributes", ""))
    lacks = [f"parameter {name}" for name in sorted(wanted - named)]
    lacks += [f"there is no parameter {name}" for name in sorted(entries(found.get("Parameters", "")) - wanted)]
    returns = signature.return_annotation not in (None, "None", inspect.Signature.empty)
    if not isinstance(of, type) and (whole or wanted) and returns and "Returns" not in found:
        lacks.append("Returns")
    return lacks


def public(of: type, name: str) -> Iterator[tuple[str, Any]]:
    """The methods that the page of a class shows."""
    shown = api_pages.METHODS[name].split() if name in api_pages.METHODS else None
    for each, member in vars(of).items():
        called = getattr(member, "__func__", member)
        if (
            inspect.isfunction(called)
            and called.__name__ == each
            and called.__doc__
            and (not each.startswith("_") if shown is None else each in shown)
        ):
            yield f"{name}.{each}", called


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_a_public_name_has_its_sections(module: str, name: str) -> None:
    of = getattr(importlib.import_module(module), name)
    lacks = {name: lacking(of, True)} | (
        {each: lacking(called, False) for each, called in public(of, name)} if isinstance(of, type) else {}
    )
    assert {each: found for each, found in lacks.items() if found} == {}
    assert ">>> " in sections(of).get("Examples", ""), "no example"


def test_methods_that_a_page_names_are_there() -> None:
    classes = {name: getattr(importlib.import_module(module), name) for module, name in NAMES}
    assert api_pages.METHODS.keys() <= classes.keys()
    missing = {
        name: [each for each in of.split() if not hasattr(classes[name], each)]
        for name, of in api_pages.METHODS.items()
    }
    assert {name: found for name, found in missing.items() if found} == {}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that examples read, made as the page says."""
    made = tmp_path_factory.mktemp("reference")
    with contextlib.chdir(made), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for line in api_pages.MADE:
            with (
                mock.patch.object(tournament, "make_pool", return_value=Here()),
                mock.patch.object(dataset, "make_pool", return_value=Here()),
            ):
                assert main(shlex.split(line)[1:]) == 0
    return made


def has_gpu() -> bool:
    """Whether numba finds a GPU."""
    cuda = pytest.importorskip("numba.cuda")
    return bool(cuda.is_available())


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_an_example_runs(module: str, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also the examples of the methods. A fresh namespace: an example imports what it uses."""
    if name == "GpuGames" and not has_gpu():
        pytest.skip("needs a GPU")
    of = getattr(importlib.import_module(module), name)
    examples = [(name, of), *(public(of, name) if isinstance(of, type) else ())]
    monkeypatch.chdir(folder)
    failures = io.StringIO()
    for each, documented in examples:
        test = doctest.DocTestParser().get_doctest(documented.__doc__ or "", {}, each, None, None)
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=failures.write)
    assert failures.getvalue() == ""
