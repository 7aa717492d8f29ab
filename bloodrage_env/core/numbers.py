"""Numbers that users give."""

import operator
import reprlib
from typing import Any

from .chance import MAX_SEED


def whole_number(name: str, value: Any) -> int:
    """An integer of any type as an int; TypeError for anything else, a bool too."""
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {reprlib.repr(value)}") from None


def checked_seed(seed: Any) -> int:
    """The seed of a game as an int. TypeError for what is no whole number, ValueError for one out of range."""
    number = whole_number("seed", seed)
    if not 0 <= number <= MAX_SEED:
        raise ValueError(f"seed must be 0 to 2**63 - 1, not {reprlib.repr(number)}")
    return number
