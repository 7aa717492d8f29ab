"""The entries that write what one seat may know."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .apart import apart
from .batch import Sizes
from .checks import Checks
from .compiled import Compiler, Floats, Ints, Mask, Record, Records
from .flow import Flow
from .sparse import append_set


class Observe(NamedTuple):
    """The entries of a game's observation."""

    observe: Callable[[Records, int, int, Floats], None]
    observe_sparse: Callable[[Records, int, int, Ints, Floats], int]
    step_and_observe: Callable[[Records, int, int, Floats, Mask], int]


def observe_for(
    compiler: Compiler,
    flow: Flow,
    checks: Checks,
    write_observation: Callable[[Record, int, Floats], None],
    sizes: Sizes,
) -> Observe:
    """Make the entries for one game."""
    num_actions, size = sizes.actions, sizes.observation
    step = flow.step
    check_game, check_seat = checks

    @compiler.rule
    def check_observation(observation: Floats) -> None:
        """`observation` has room for the numbers of an observation, and no more."""
        if len(observation) != size:
            raise ValueError("observation must have OBSERVATION_SIZE numbers")

    @compiler.entry
    def observe(states: Records, index: int, seat: int, observation: Floats) -> None:
        """Fill `observation`, float32[OBSERVATION_SIZE], with what `seat` may know of a game; any seat, at any time."""
        if not apart((states, observation)):
            raise ValueError("states and observation must not share memory")
        check_game(states, index)
        check_seat(states[index], seat)
        check_observation(observation)
        write_observation(states[index], seat, observation)

    @compiler.entry
    def observe_sparse(states: Records, index: int, seat: int, indices: Ints, values: Floats) -> int:
        """The numbers of an observation that are not zero: `indices`, int64, rising, and `values`, float32, of the same
        positions; returns how many there are. ValueError if either array has no room for them; OBSERVATION_SIZE is
        always enough.
        """
        if not apart((states, indices, values)):
            raise ValueError("states, indices and values must not share memory")
        check_game(states, index)
        check_seat(states[index], seat)
        observation = np.empty(size, np.float32)
        write_observation(states[index], seat, observation)
        return append_set(observation, indices, values, 0)

    @compiler.quick_entry
    def step_and_observe(states: Records, index: int, action: int, observation: Floats, mask: Mask) -> int:
        """`apply`, and the next decision in one call.

        Fills `observation`, float32[OBSERVATION_SIZE], and `mask`, int8[NUM_ACTIONS], for the seat to act next; returns
        what `apply` returns. After GAME_OVER or ILLEGAL both arrays are left as they were.
        """
        if not apart((states, observation, mask)):
            raise ValueError("states, observation and mask must not share memory")
        check_game(states, index)
        check_observation(observation)
        if len(mask) != num_actions:
            raise ValueError("mask must have NUM_ACTIONS numbers")
        result = step(states[index], action)
        if result >= 0:
            write_observation(states[index], result, observation)
            mask[:] = states[index].mask
        return result

    return Observe(observe, observe_sparse, step_and_observe)
