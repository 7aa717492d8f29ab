"""`bloodrage compile`: everything compiled and kept on disk, so that later starts are quick."""

import argparse
import importlib
import time
from typing import Final

# Every module with compiled functions that Python calls.
MODULES: Final = ("engine", "observation", "vector", "notation.facts", "notation.trace")


def run(_args: argparse.Namespace) -> int:
    """Compile, or find that it is done."""
    began = time.perf_counter()
    for module in MODULES:
        importlib.import_module(f"{__package__.rpartition('.')[0]}.{module}")
    from ..engine import compile_all

    count = compile_all()
    print(f"{count} compiled functions ready after {time.perf_counter() - began:.1f} s.")
    return 0
