"""A small game that `choice.py` has compiled by private parts of numba, in a process of its own: it plays, or fails."""

from enum import IntEnum
from typing import Annotated, Any

import numpy as np

from .decorators import Mask, entry, quick_entry, record_type, rule, shared_rule

STATE = np.dtype((np.record, [("height", np.int16), ("worth", np.int32, 5)]))
State = Annotated[np.record, record_type(STATE)]
States = Annotated[np.ndarray, record_type(STATE)[::1]]


class Place(IntEnum):
    """A number with a name."""

    FIRST = 0
    LAST = 3


@rule
def pay(s: State, place: int, worth: int = 1) -> int:
    """Literals, members of an IntEnum and defaults are arguments."""
    s.worth[place] += worth
    return int(s.worth[place])


@shared_rule
def oldest(s: State) -> int:
    """Two entries call it."""
    if s.height < 0:
        raise ValueError("height is negative")
    return int(s.height) + pay(s, 4, 0)


@entry
def step(states: States, i: int, worth: int = 2, twice: bool = False) -> int:
    """Python and another entry call it."""
    s = states[i]
    pay(s, Place.LAST)
    return pay(s, Place.FIRST, 2 * worth if twice else worth) + oldest(s)


@quick_entry
def mask(states: States, i: int, out: Mask) -> None:
    """Call an entry."""
    out[step(states, i) % len(out)] = 1


@entry
def copies(states: States) -> States:
    """Return games."""
    return states.copy()


def expect(fine: bool) -> None:
    """End the trial if this is not so."""
    if not fine:
        raise AssertionError("what the trial computes is wrong")


def called(states: Any, i: Any, worth: Any = 2, twice: Any = False) -> int:
    """Call with arguments of any type."""
    return step(states, i, worth, twice)


def refused(*arguments: Any) -> bool:
    """Whether an entry refuses arguments of another type."""
    try:
        called(*arguments)
    except TypeError:
        return True
    return False


def play() -> None:
    """Call everything."""
    states = np.zeros(2, STATE)
    states["height"] = 5
    expect([step(states, 0), called(states, np.int8(0), Place.LAST), called(states, False, twice=1)] == [7, 10, 14])
    out = np.zeros(4, np.int8)
    mask(states, 0, out)
    expect(out.tolist() == [1, 0, 0, 0])
    expect(copies(states)[0].worth.tolist() == [11, 0, 0, 4, 0])
    expect(refused(states, 0, 1.5) and refused(np.zeros(2), 0) and refused(states, "0"))
    states["height"] = -1
    try:
        step(states, 0)
    except ValueError:
        return
    expect(False)


play()
