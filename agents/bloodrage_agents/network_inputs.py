"""The inputs of networks: the functions that write them for the games of a batch, made for one game."""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from bloodrage_env.core.compile.apart import apart
from bloodrage_env.core.compile.borrowed import borrowed
from bloodrage_env.core.compile.decorators import (
    Bytes,
    Bytes2,
    Compiler,
    Floats,
    Floats2,
    Ints,
    Mask,
    Mask2,
    Record,
    Records,
)
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.engine.batch import Sizes
from bloodrage_env.core.engine.sparse import append_set
from bloodrage_env.core.engine.tables import Section, length
from bloodrage_env.core.engine.writer import Writer


class Changes(NamedTuple):
    """What each legal action changes, as inputs of the action head."""

    names: tuple[str, ...]
    units: tuple[int, ...]  # a change is divided by its unit
    write: Callable[[Record, Mask], None] | None  # fills int8[num_actions * len(names)] with counts


NO_CHANGES: Final = Changes((), (), None)


class Inputs(NamedTuple):
    """The inputs of a network for an open decision of a game."""

    sections: tuple[Section, ...]  # the observation, the ledger, what a game adds, and last the scores of the actions
    observation: Writer
    write_more: Callable[[Record, Floats], None]  # fills, for the seat to act, what comes after the ledger
    num_ledger: int = 0
    write_ledger: Callable[[Record, Floats], None] | None = None  # fills the ledger, for the seat to act
    changes: Changes = NO_CHANGES


def further_for(compiler: Compiler, inputs_of_game: Inputs) -> Callable[[Record, int, Floats], None]:
    """Make the rule that writes the inputs after the observation."""
    num_ledger, write_more = inputs_of_game.num_ledger, inputs_of_game.write_more

    @compiler.rule
    def write_nothing(s: Record, out: Floats) -> None:
        """Write no ledger."""

    write_ledger = inputs_of_game.write_ledger or write_nothing

    @compiler.rule
    def write_further(s: Record, ledger: int, out: Floats) -> None:
        """Fill `out`, float32[num_inputs - OBSERVATION_SIZE], for the seat to act."""
        out[:num_ledger] = 0.0
        if ledger != 0:
            write_ledger(s, out[:num_ledger])
        write_more(s, out[num_ledger:])

    return write_further


def gather_for(
    compiler: Compiler,
    write_inputs: Callable[[Record, int, Floats], None],
    num_inputs: int,
    check_which: Callable[[Records, Ints], None],
    check_open: Callable[[Record], None],
) -> Callable[[Records, Ints, int, Ints, Ints, Floats], int]:
    """Make the entry that returns the inputs of many games to a learner."""

    @compiler.entry
    def gather_inputs(states: Records, which: Ints, ledger: int, offsets: Ints, index: Ints, values: Floats) -> int:
        """Write the nonzero inputs of the open decisions of these games, one after the other.

        Row i has the inputs `index[offsets[i] : offsets[i + 1]]` and their `values`; its legal actions are the last
        ones. Return the number of elements. Raise ValueError if `index` is too short.
        """
        if not apart((states, which, offsets, index, values)):
            raise ValueError("states, which, offsets, index and values must not share memory")
        check_which(states, which)
        if len(offsets) != len(which) + 1:
            raise ValueError("offsets must have a number for each of which, and one more")
        if len(values) != len(index):
            raise ValueError("values must be as many as index")
        for game in which:
            check_open(states[game])
        inputs = np.zeros(num_inputs, dtype=np.float32)
        at = 0
        offsets[0] = 0
        for i in range(len(which)):
            write_inputs(states[which[i]], ledger, inputs)
            at = append_set(inputs, index, values, at)
            offsets[i + 1] = at
        return at

    return gather_inputs


def rows_for(
    compiler: Compiler,
    inputs_of_game: Inputs,
    sizes: Sizes,
    check_which: Callable[[Records, Ints], None],
    check_open: Callable[[Record], None],
) -> tuple[Callable[[Records, Ints, int, Mask, Ints, Bytes2, Floats2], None], Callable[..., None]]:
    """Make the entry that writes the inputs of many games as bytes, and the rule for one game."""
    write_bytes, write_further = inputs_of_game.observation.write_bytes, further_for(compiler, inputs_of_game)
    num_inputs, num_observed = length(inputs_of_game.sections), sizes.observation
    num_more = num_inputs - num_observed

    @compiler.rule
    def check_order(order: Ints) -> None:
        """Raise ValueError unless `order` permutes the inputs of the observation and the other inputs separately."""
        taken = local_zeros(num_inputs, np.uint8)
        if len(order) != num_inputs:
            raise ValueError("order must have a number for each input")
        for i in range(num_inputs):
            if order[i] < 0 or order[i] >= num_inputs or (order[i] < num_observed) != (i < num_observed):
                raise ValueError("order must keep numbers of the observation within it")
            if taken[order[i]] != 0:
                raise ValueError("order must have each number once")
            taken[order[i]] = 1

    @compiler.rule
    def write_row(s: Record, ledger: int, moved: int, order: Ints, counts: Bytes, more: Floats) -> None:
        """Write the inputs of an open decision, as `write_rows`. With `moved`, they are in `order`."""
        write_bytes(s, int(s.seat), counts)
        write_further(s, ledger, more)
        if moved != 0:
            seen, thought = local_zeros(num_observed, np.uint8), local_zeros(num_more, np.float32)
            for i in range(num_observed):
                seen[i] = counts[i]
            for i in range(num_more):
                thought[i] = more[i]
            for i in range(num_observed):
                counts[order[i]] = seen[i]
            for i in range(num_more):
                more[order[num_observed + i] - num_observed] = thought[i]

    @compiler.entry
    def write_rows(
        states: Records, which: Ints, ledger: int, moved: Mask, order: Ints, counts: Bytes2, more: Floats2
    ) -> None:
        """Write the inputs of the open decisions of these games.

        Fills a row of `counts`, uint8[N, OBSERVATION_SIZE], with the observation as bytes, and one of `more`,
        float32[N, num_inputs - OBSERVATION_SIZE], with the other inputs. In rows of `moved`, int8[N], input i is at
        position `order[i]`.
        """
        if not apart((states, which, moved, order, counts, more)):
            raise ValueError("states, which, moved, order, counts and more must not share memory")
        check_which(states, which)
        check_order(order)
        if len(moved) != len(which):
            raise ValueError("moved must be as many as which")
        if counts.shape != (len(which), num_observed):
            raise ValueError("counts must have the shape (len(which), OBSERVATION_SIZE)")
        if more.shape != (len(which), num_more):
            raise ValueError("more must have the shape (len(which), num_inputs - OBSERVATION_SIZE)")
        for game in which:
            check_open(states[game])
        counts, more = borrowed(counts), borrowed(more)
        for row in range(len(which)):
            write_row(states[which[row]], ledger, int(moved[row]), order, counts[row], more[row])

    return write_rows, write_row


def changes_for(
    compiler: Compiler,
    changes: Changes,
    num_actions: int,
    check_which: Callable[[Records, Ints], None],
    check_open: Callable[[Record], None],
) -> tuple[Callable[[Record, Mask], None], Callable[[Records, Ints, Mask2], None]]:
    """Make the rule that writes what the legal actions change, and the entry for many games."""
    size = num_actions * len(changes.names)

    @compiler.rule
    def write_none(s: Record, out: Mask) -> None:
        """Write no changes."""

    write = changes.write or write_none

    @compiler.entry
    def write_changes(states: Records, which: Ints, changes: Mask2) -> None:
        """Fill a row of `changes`, int8[N, num_actions * num_changes], for the open decisions of these games.

        Those of action a begin at a * num_changes, as counts; of illegal actions they are 0.
        """
        if not apart((states, which, changes)):
            raise ValueError("states, which and changes must not share memory")
        check_which(states, which)
        if changes.shape != (len(which), size):
            raise ValueError("changes must have the shape (len(which), NUM_ACTIONS * num_changes)")
        for game in which:
            check_open(states[game])
        changes = borrowed(changes)
        for row in range(len(which)):
            write(states[which[row]], changes[row])

    return write, write_changes
