"""Styles: compiled agents that can play seats of many games in one call."""

from collections.abc import Callable
from typing import Final

import numpy as np

from bloodrage_env.core.compile.apart import apart
from bloodrage_env.core.compile.decorators import Compiler, Ints, Record, Records, rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.engine.chance import NUM_WORDS, seed_words

RANDOM: Final = -1  # in place of the number of a style: every legal action is equally likely
OPEN: Final = -2  # ... the seat is answered for from outside
STREAM: Final = 1  # of the generator; random play has stream 0

ChooseMany = Callable[[Records, Ints, Ints, Ints], None]


@rule
def check_styles(styles: Ints, num_styles: int) -> None:
    """Raise ValueError for a style that does not exist. Negative numbers mean "no style"."""
    for style in styles:
        if style >= num_styles:
            raise ValueError("styles must be indices of STYLES, or -1")


def choose_many_for(compiler: Compiler, pick: Callable[[Record, int, Ints], int], num_styles: int) -> ChooseMany:
    """Make the entry of a game. `pick` gives the action of a style, 0 to `num_styles - 1`, by a generator."""

    @compiler.entry
    def choose_many(states: Records, styles: Ints, seeds: Ints, actions: Ints) -> None:
        """Fill `actions[i]` as by `choose` with `seeds[i]`, for each game with a seat to act and `styles[i]` >= 0."""
        if not apart((states, styles, seeds, actions)):
            raise ValueError("states, styles, seeds and actions must not share memory")
        if len(styles) != len(states):
            raise ValueError("styles must be as many as states")
        if len(seeds) != len(states):
            raise ValueError("seeds must be as many as states")
        if len(actions) != len(states):
            raise ValueError("actions must be as many as states")
        check_styles(styles, num_styles)
        words = local_zeros(NUM_WORDS, np.int64)
        for i in range(len(states)):
            if styles[i] >= 0 and states[i].over == 0:
                seed_words(words, seeds[i], STREAM)
                actions[i] = pick(states[i], styles[i], words)

    return choose_many
