"""Conversion of numbers from users."""

import operator
import reprlib
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .chance import MAX_SEED

MAX_GAMES: Final = 10**7  # of a batch: some 150 GB
NO_ACTION: Final = -1  # illegal at any time
FLOAT32, UINT8, INT8 = (
    np.dtype(each) for each in (np.float32, np.uint8, np.int8)
)  # numpy takes these faster than the types


def whole_number(name: str, value: Any) -> int:
    """Return an integer of any type as an int. Raise TypeError for others, including a bool and a masked array."""
    try:
        if isinstance(value, (bool, np.ma.MaskedArray)):
            raise TypeError
        return operator.index(value)
    except TypeError:
        shown = "a masked array" if isinstance(value, np.ma.MaskedArray) else reprlib.repr(value)
        raise TypeError(f"{name} must be a whole number, not {shown}") from None


def number_of_games(name: str, value: Any) -> int:
    """Return the size of a batch as an int. Raise TypeError for a non-integer, ValueError for one out of range."""
    number = whole_number(name, value)
    if not 1 <= number <= MAX_GAMES:
        raise ValueError(f"{name} is {reprlib.repr(number)}; give 1 to {MAX_GAMES:,}")
    return number


def checked_seed(seed: Any) -> int:
    """Return the seed of a game as an int. Raise TypeError for a non-integer, ValueError for one out of range."""
    number = whole_number("seed", seed)
    if not 0 <= number <= MAX_SEED:
        raise ValueError(f"seed must be 0 to 2**63 - 1, not {reprlib.repr(number)}")
    return number


def whole_numbers(name: str, values: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return integers of any type as int64. Raise TypeError for others, ValueError for none or beyond 64 bits."""
    if np.ma.isMaskedArray(values):
        raise TypeError(f"{name} must be whole numbers, not a masked array; give values.filled(...)")
    try:
        numbers = np.asarray(values)
    except ValueError:  # rows of different lengths
        raise ValueError(f"{name} must be whole numbers in one row, not {reprlib.repr(values)}") from None
    if numbers.size == 0:
        raise ValueError(f"{name} must be whole numbers, one for each game, not none")
    if numbers.dtype == object and any(type(each) is int and abs(each) > MAX_SEED for each in numbers.flat):
        raise ValueError(f"{name} must be within 64 bits, not {reprlib.repr(values)}")
    if not np.issubdtype(numbers.dtype, np.integer):
        raise TypeError(f"{name} must be whole numbers, not an array of {numbers.dtype}")
    if numbers.dtype == np.uint64 and numbers.size and numbers.max() > MAX_SEED:
        raise ValueError(f"{name} must be below 2**63, not {numbers.max()}")
    return numbers.astype(np.int64, copy=False)


def observation_type(given: npt.DTypeLike) -> "np.dtype[Any]":
    """Return the dtype of observations. Raise ValueError unless it is float32 or uint8."""
    try:
        found = np.dtype(given)
    except TypeError:
        found = None
    if found not in (FLOAT32, UINT8):
        raise ValueError(f"observation_dtype must be float32 or uint8, not {given!r:.60}")
    return found


def as_id(action: Any) -> int:
    """Return the number of an action given as a numpy integer or similar, NO_ACTION if it is not an integer."""
    try:
        return NO_ACTION if isinstance(action, np.ma.MaskedArray) else operator.index(action)
    except TypeError:
        return NO_ACTION
