"""Checks records: ranges and invariants, and random games in which every state is checked."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from ..compile.apart import apart
from ..compile.decorators import Compiler, Ints, Record, Records
from ..compile.local_arrays import local_zeros
from ..compile.memory_copies import copy_record
from .chance import NUM_WORDS, below, seed_words
from .flow import Flow
from .ranges import first_out_of_range, in_range_for
from .record import NONE, Group, bounds
from .stack import NO_QUESTION

# The invariants that every game has.
HOLDS = 0  # none is violated
QUESTION = 1  # a game that goes on has a question that its stack asks, with the legal answers of the rules
OUT_OF_RANGE = -1  # in place of an invariant: a number is out of its range


class StateChecks(NamedTuple):
    """Functions that check whole records."""

    broken_invariant: Callable[[Records, int], int]
    check_state: Callable[[Records, int], None]
    play_checked: Callable[[Records, int, int, Ints, Ints], int]


def state_checks_for(
    compiler: Compiler,
    flow: Flow,
    check_game: Callable[[Records, int], None],
    groups: Sequence[Group],
    broken: Callable[[Record], int],
    question_holds: Callable[[Record], bool],
    invariants: type[IntEnum],
) -> StateChecks:
    """Make the checks for one game.

    `broken` returns the invariant that a record with all numbers in range violates, or HOLDS. `question_holds` returns
    whether the routine on top can ask the open question of this seat. `invariants` are those of the game, including
    HOLDS and QUESTION.
    """
    state, begin, step, pick, fill_mask = compiler.state, flow.begin, flow.step, flow.pick, flow.fill_mask
    in_range = in_range_for(compiler, groups)
    max_decisions = int(bounds(groups)[1][0]["decisions"])

    @compiler.rule
    def mask_holds(s: Record, copies: Records) -> bool:
        """Return whether the mask is that of the rules and not empty. `copies` is a work array of one game."""
        copy_record(copies, 0, s)
        copy = copies[0]
        fill_mask(copy)
        for action in range(len(s.mask)):
            if s.mask[action] != copy.mask[action]:
                return False
        return bool(s.num_legal >= 1 and s.num_legal == copy.num_legal)

    @compiler.rule
    def asks(s: Record, copies: Records) -> bool:
        """QUESTION: an unfinished game has a question and is not cut off with it, a finished one has none."""
        if s.over == 1:
            return bool(s.decision == NO_QUESTION and s.seat == NONE and s.num_legal == 0 and s.mask.sum() == 0)
        return bool(s.truncated == 0 and s.decisions < max_decisions and question_holds(s) and mask_holds(s, copies))

    @compiler.shared_rule
    def fault_in(states: Records, index: int, copies: Records) -> int:
        """Return OUT_OF_RANGE, the first violated invariant, or HOLDS. `copies` is a work array of one game."""
        if not in_range(states, index):
            return OUT_OF_RANGE
        found = broken(states[index])
        if found == HOLDS and not asks(states[index], copies):
            return QUESTION
        return found

    @compiler.entry
    def broken_invariant(states: Records, index: int) -> int:
        """Return the first violated invariant, Invariant.NONE (0) if none, -1 if a number is out of range."""
        check_game(states, index)
        return fault_in(states, index, np.zeros(1, state))

    @compiler.rule
    def play_and_look(states: Records, copies: Records, seed: int, words: Ints, tally: Ints) -> None:
        """Play `states[0]` to its end, or until a state fails. `copies` is a work array of one game."""
        s = states[0]
        seed_words(words, seed, 1)
        tally[1] = fault_in(states, 0, copies)
        while s.over == 0 and tally[1] == HOLDS:
            step(s, pick(s, below(words, int(s.num_legal))))
            tally[0] += 1
            tally[2] = max(int(tally[2]), int(s.depth))
            tally[1] = fault_in(states, 0, copies)
        tally[3] += s.truncated

    @compiler.entry
    def play_checked(states: Records, first_seed: int, games: int, options: Ints, tally: Ints) -> int:
        """Play random games from consecutive seeds in `states[0]` and check every state.

        `options` are the numbers of the options. Return the seed of the first game with an invalid state, which
        `states[0]` then contains, or -1. `tally`, int64[4], receives: decisions, the violated invariant (OUT_OF_RANGE,
        -1, for a number out of range), the greatest depth of the stack, games cut off.
        """
        if not apart((states, options, tally)):
            raise ValueError("states, options and tally must not share memory")
        if len(states) < 1:
            raise ValueError("states must have room for a game")
        if first_seed < 0:
            raise ValueError("first_seed must be 0 to 2**63 - 1")
        if games < 0:
            raise ValueError("games must be 0 or more")
        if len(tally) != 4:
            raise ValueError("tally must be four numbers")
        copies = np.zeros(1, state)
        words = local_zeros(NUM_WORDS, np.int64)
        for seed in range(first_seed, first_seed + games):
            begin(states[0], seed, options)
            play_and_look(states, copies, seed, words, tally)
            if tally[1] != HOLDS:
                return seed
        return -1

    def check_state(states: Records, index: int) -> None:
        """Raise ValueError for an invalid record. The message names the number out of range or the invariant.

        A valid record can be played, observed, hidden and redealt without memory access beyond it.
        """
        found = broken_invariant(states, index)
        if found == OUT_OF_RANGE:
            raise ValueError(f"this state is damaged: {first_out_of_range(groups, states, index)}")
        if found != HOLDS:
            raise ValueError(f"this state is damaged: it violates the invariant {invariants(found).name}")

    return StateChecks(broken_invariant, check_state, play_checked)
