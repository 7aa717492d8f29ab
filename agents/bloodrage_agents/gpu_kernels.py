"""The kernels of styles and of the inputs of networks. A thread has a game."""

from typing import Any, NamedTuple

import numpy as np
from numba import cuda, types

from bloodrage_env import games
from bloodrage_env.core.chance import NUM_WORDS, seed_words
from bloodrage_env.core.compiled import Bytes2, Floats2, Ints, Mask, Records
from bloodrage_env.core.local_arrays import local_zeros

from . import parts
from .styles import STREAM


class Kernels(NamedTuple):
    """The kernels for many games, or their sources."""

    choose_by_style: Any
    write_inputs: Any


def sources(name: str) -> tuple[Kernels, types.Record]:
    """Makes the kernels of a game as plain functions. Returns them and the record of the game."""
    choose, write_row = parts.open_seats(name).choose, parts.forward(name).write_row

    def choose_by_style(states: Records, styles: Ints, seeds: Ints, actions: Ints) -> None:
        """Fill the actions of the games whose seats to act have a style, as `choose_many`."""
        game = cuda.grid(1)
        if game < len(states) and styles[game] >= 0:
            words = local_zeros(NUM_WORDS, np.int64)
            seed_words(words, seeds[game], STREAM)
            actions[game] = choose(states[game], styles[game], words)

    def write_inputs(states: Records, which: Ints, moved: Mask, order: Ints, counts: Bytes2, more: Floats2) -> None:
        """Write the inputs of the open decisions of some games, as `write_rows`."""
        row = cuda.grid(1)
        if row < len(which):
            write_row(states[which[row]], moved[row], order, counts[row], more[row])

    return Kernels(choose_by_style, write_inputs), games.game(name).batch.one_game.record
