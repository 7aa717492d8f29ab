"""Observations: how a game writes the information of one seat, and the entries for one game.

A game writes counts as bytes. The float and the sparse form are made from them in one pass each, with the scales of the
game's sections.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..compile.apart import apart
from ..compile.borrowed import borrowed
from ..compile.decorators import Bytes, Compiler, Floats, Mask, Records, Shorts
from .batch import Sizes
from .checks import Checks
from .flow import Flow
from .writer import Writer


class Observe(NamedTuple):
    """The entries of a game's observation."""

    observe: Callable[[Records, int, int, Floats], None]
    observe_bytes: Callable[[Records, int, int, Bytes], None]
    observe_sparse: Callable[[Records, int, int, Shorts, Bytes], int]
    step_and_observe: Callable[[Records, int, int, Floats, Mask], int]
    step_and_observe_bytes: Callable[[Records, int, int, Bytes, Mask], int]


def observe_for(compiler: Compiler, flow: Flow, checks: Checks, writer: Writer, sizes: Sizes) -> Observe:
    """Make the entries for one game."""
    num_actions, size = sizes.actions, sizes.observation
    write_bytes, write_floats, _, to_sparse = writer
    step = flow.step
    check_game, check_seat = checks

    @compiler.rule
    def check_length(length: int) -> None:
        """Raise ValueError unless `length` is that of an observation."""
        if length != size:
            raise ValueError("observation must have OBSERVATION_SIZE numbers")

    @compiler.rule
    def check_mask(mask: Mask) -> None:
        """Raise ValueError unless `mask` has the length of a mask."""
        if len(mask) != num_actions:
            raise ValueError("mask must have NUM_ACTIONS numbers")

    @compiler.entry
    def observe(states: Records, index: int, seat: int, observation: Floats) -> None:
        """Fill `observation`, float32[OBSERVATION_SIZE], with the information of `seat`, which need not be to act."""
        if not apart((states, observation)):
            raise ValueError("states and observation must not share memory")
        check_game(states, index)
        check_seat(states[index], seat)
        check_length(len(observation))
        write_floats(states[index], seat, observation)

    @compiler.entry
    def observe_bytes(states: Records, index: int, seat: int, observation: Bytes) -> None:
        """Do as `observe` into uint8[OBSERVATION_SIZE]: counts, which times the scales are the floats."""
        if not apart((states, observation)):
            raise ValueError("states and observation must not share memory")
        check_game(states, index)
        check_seat(states[index], seat)
        check_length(len(observation))
        write_bytes(states[index], seat, observation)

    @compiler.entry
    def observe_sparse(states: Records, index: int, seat: int, columns: Shorts, counts: Bytes) -> int:
        """Write the counts of an observation that are not zero, uint8, and their rising `columns`, uint16.

        Return how many there are. Raise ValueError if either array is too short; OBSERVATION_SIZE is always enough.
        Elements beyond the result can change.
        """
        if not apart((states, columns, counts)):
            raise ValueError("states, columns and counts must not share memory")
        check_game(states, index)
        check_seat(states[index], seat)
        row = np.empty(size, np.uint8)
        write_bytes(states[index], seat, row)
        return to_sparse(row, columns, counts, 0)

    @compiler.quick_entry
    def step_and_observe(states: Records, index: int, action: int, observation: Floats, mask: Mask) -> int:
        """Do as `apply`, and write the next decision in the same call.

        Fills `observation`, float32[OBSERVATION_SIZE], and `mask`, int8[NUM_ACTIONS], for the seat to act next. Returns
        what `apply` returns. After GAME_OVER or ILLEGAL, both arrays are unchanged.
        """
        states, observation, mask = borrowed(states), borrowed(observation), borrowed(mask)
        if not apart((states, observation, mask)):
            raise ValueError("states, observation and mask must not share memory")
        check_game(states, index)
        check_length(len(observation))
        check_mask(mask)
        s = states[index]
        result = step(s, action)
        if result >= 0:
            write_floats(s, result, observation)
            for i in range(num_actions):
                mask[i] = s.mask[i]
        return result

    @compiler.quick_entry
    def step_and_observe_bytes(states: Records, index: int, action: int, observation: Bytes, mask: Mask) -> int:
        """Do as `step_and_observe` into uint8[OBSERVATION_SIZE]."""
        states, observation, mask = borrowed(states), borrowed(observation), borrowed(mask)
        if not apart((states, observation, mask)):
            raise ValueError("states, observation and mask must not share memory")
        check_game(states, index)
        check_length(len(observation))
        check_mask(mask)
        s = states[index]
        result = step(s, action)
        if result >= 0:
            write_bytes(s, result, observation)
            for i in range(num_actions):
                mask[i] = s.mask[i]
        return result

    return Observe(observe, observe_bytes, observe_sparse, step_and_observe, step_and_observe_bytes)
