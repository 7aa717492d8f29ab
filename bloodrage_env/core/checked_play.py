"""Random games in which every invariant of a game is looked at after every decision."""

from collections.abc import Callable

import numpy as np

from .chance import below, new_words, seed_words
from .compiled import Compiler, Ints, Record, Records
from .flow import Flow

HOLDS = 0  # of a game's invariants: none is violated


def checked_play_for(
    compiler: Compiler, flow: Flow, broken: Callable[[Record, Records], int]
) -> Callable[[int, int, Ints, Ints], int]:
    """Make the entry for one game. `broken` returns the invariant that a record violates, or HOLDS; its second argument
    has room for one game.
    """
    state, begin, step, pick = compiler.state, flow.begin, flow.step, flow.pick

    @compiler.rule
    def play_and_look(states: Records, copies: Records, seed: int, words: Ints, tally: Ints) -> None:
        """Play `states[0]` to its end, or until it violates an invariant; `copies` has room for one game."""
        s = states[0]
        seed_words(words, seed, 1)
        while s.over == 0 and tally[1] == HOLDS:
            step(s, pick(s, below(words, int(s.num_legal))))
            tally[0] += 1
            tally[2] = max(int(tally[2]), int(s.depth))
            tally[1] = broken(s, copies)
        tally[3] += s.truncated

    @compiler.entry
    def play_checked(first_seed: int, games: int, options: Ints, tally: Ints) -> int:
        """Play random games from consecutive seeds and look at every invariant after every decision.

        `options` are the numbers of the options. Returns the seed of the first game that violates an invariant, or -1.
        `tally`, int64[4], gets: decisions, the invariant violated, the greatest depth of the stack, games cut off.
        """
        if first_seed < 0:
            raise ValueError("first_seed must be 0 to 2**63 - 1")
        if games < 0:
            raise ValueError("games must be 0 or more")
        if len(tally) != 4:
            raise ValueError("tally must be four numbers")
        states = np.zeros(1, state)
        copies = np.zeros(1, state)
        words = new_words()
        for seed in range(first_seed, first_seed + games):
            begin(states[0], seed, options)
            play_and_look(states, copies, seed, words, tally)
            if tally[1] != HOLDS:
                return seed
        return -1

    return play_checked
