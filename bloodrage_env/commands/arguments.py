"""How arguments of the command line are read; a light module, since every start of the command loads it."""

import argparse
import math
from collections.abc import Callable
from typing import Final

MAX_SEED: Final = 2**63 - 1
SEED: Final = "of all deals, where every agent is trusted (a secret is drawn, and kept in the store)"


def number(low: int, high: int) -> Callable[[str], int]:
    """Reads a whole number from `low` to `high`."""

    def parse(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 20 or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {low} to {high}")
        return int(text)

    return parse


def positive(text: str) -> float:
    """Reads a number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return value
