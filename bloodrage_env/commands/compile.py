"""`bloodrage compile`: everything compiled and kept on disk, so that later starts are quick."""

import argparse
import importlib
import pkgutil
import time
from typing import Final

from ..engine import compile_all

# Every module with compiled functions that Python calls, and the packages that have nothing else.
_NAMES: Final = ("engine", "observation", "game")
MODULES: Final = tuple(f"bloodrage_env.{name}" for name in _NAMES)
PACKAGES: Final = ("bloodrage_agents.compiled", "bloodrage_training.learn.compiled")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """There are none."""


def run(_args: argparse.Namespace) -> int:
    """Compile, or find that it is done."""
    began = time.perf_counter()
    load_all()
    count = compile_all()
    print(f"{count} compiled functions ready after {time.perf_counter() - began:.1f} s.")
    return 0


def load_all() -> None:
    """Import every module with compiled functions that Python calls."""
    for module in MODULES:
        importlib.import_module(module)
    for name in PACKAGES:
        package = importlib.import_module(name)
        for each in pkgutil.iter_modules(package.__path__, f"{name}."):
            importlib.import_module(each.name)
