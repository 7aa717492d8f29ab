"""Rollouts of several actions in the same redeals, compiled for each game: `flat` searches with them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from bloodrage_env.core.compile.apart import apart
from bloodrage_env.core.compile.decorators import Compiler, Ints, Record, Records
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.compile.memory_copies import copy_record
from bloodrage_env.core.engine.chance import NUM_WORDS, seed_words
from bloodrage_env.core.engine.checks import check_seed
from bloodrage_env.core.engine.flow import Flow

from .mcts.deals import draw_seed
from .mcts.nodes import MOST_SEATS, Doubles

RollOut = Callable[[Records, int, int, int, int, int, Ints, Doubles], None]


def roll_out_for(
    compiler: Compiler,
    flow: Flow,
    check_game: Callable[[Records, int], None],
    redeal: Callable[[Records, int, int, int], Records],
    play_out: Callable[[Record, Ints], None],
    outcome: Callable[[Record, Doubles], None],
    state: "np.dtype[Any]",
) -> RollOut:
    """Make the entry for one game.

    `play_out` ends a rollout, and `outcome` writes its value for each seat. `state` is the dtype of the game's record.
    """
    step = flow.step

    @compiler.entry
    def roll_out(
        states: Records, index: int, observer: int, seed: int, first: int, count: int, actions: Ints, sums: Doubles
    ) -> None:
        """Roll out each of some actions of `observer`, the seat to act, in redeals `first` to `first + count - 1`.

        Add the values of the outcomes for `observer` to `sums` (float64, one per action). All actions use the same
        redeals, which follow from `seed`.
        """
        if not apart((states, actions, sums)):
            raise ValueError("states, actions and sums must not share memory")
        check_game(states, index)
        if states[index].over != 0 or observer < 0 or observer != states[index].seat:
            raise ValueError("observer must be the seat to act")
        check_seed(seed)
        if first < 0:
            raise ValueError("first must be 0 or more")
        if len(sums) != len(actions):
            raise ValueError("sums must be as many as actions")
        for action in actions:
            if action < 0 or action >= len(states[index].mask) or states[index].mask[action] == 0:
                raise ValueError("actions must be legal")
        words = local_zeros(NUM_WORDS, np.int64)
        values = np.zeros(MOST_SEATS)
        worlds = np.zeros(1, state)
        for deal in range(first, first + count):
            seed_words(words, seed, deal)
            dealt = redeal(states, index, observer, draw_seed(words))
            for i in range(len(actions)):
                copy_record(worlds, 0, dealt[0])
                step(worlds[0], actions[i])
                play_out(worlds[0], words)
                outcome(worlds[0], values)
                sums[i] += values[observer]

    return roll_out
