"""`bloodrage compile`: everything compiled and kept on disk, so that later starts are quick."""

import argparse
import importlib
import pkgutil
import time
from typing import Final

from .opponents import has_agents

# Every module with compiled functions that Python calls, and the packages of the repository that have nothing else.
MODULES: Final = ("engine", "observation", "vector", "notation.facts", "notation.trace")
PACKAGES: Final = ("agents.compiled", "training.compiled")


def run(_args: argparse.Namespace) -> int:
    """Compile, or find that it is done."""
    began = time.perf_counter()
    for module in MODULES:
        importlib.import_module(f"{__package__.rpartition('.')[0]}.{module}")
    if has_agents():
        for name in PACKAGES:
            package = importlib.import_module(name)
            for each in pkgutil.iter_modules(package.__path__, f"{name}."):
                importlib.import_module(each.name)
    from ..engine import compile_all

    count = compile_all()
    print(f"{count} compiled functions ready after {time.perf_counter() - began:.1f} s.")
    return 0
