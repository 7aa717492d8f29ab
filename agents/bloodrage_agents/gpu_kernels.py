"""The kernels of styles, of the inputs of networks and of a search. A thread has a game."""

from typing import Any, Final, NamedTuple

import numpy as np
from numba import cuda, types

from bloodrage_env import games
from bloodrage_env.core.compile.decorators import Bytes2, Floats2, Ints, Ints2, Mask, Mask2, Records, Scores
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.engine.chance import NUM_WORDS, seed_words
from bloodrage_env.core.engine.sparse import nth_set

from . import parts
from .gpu import ASKED, CHOICE, OVER
from .styles import STREAM

WORD: Final = 4  # bytes that a thread copies at once


class Kernels(NamedTuple):
    """The kernels for many games, or their sources."""

    choose_by_style: Any
    write_inputs: Any
    write_changes: Any
    copy_games: Any
    begin_worlds: Any
    play_worlds: Any


def sources(name: str) -> tuple[Kernels, types.Record]:
    """Make the kernels of a game as plain functions. Return them and the record of the game."""
    choose, write_row, draw = parts.open_seats(name).choose, parts.forward(name).write_row, parts.forward(name).draw
    write_all_changes = parts.forward(name).write_changes_of
    one_game = games.game(name).batch.one_game
    step, write_rewards, size = one_game.step, one_game.write_rewards, games.game(name).state.itemsize // WORD

    def choose_by_style(states: Records, styles: Ints, seeds: Ints, actions: Ints) -> None:
        """Fill the actions of the games whose seats to act have a style, as `choose_many`."""
        game = cuda.grid(1)
        if game < len(states) and styles[game] >= 0:
            words = local_zeros(NUM_WORDS, np.int64)
            seed_words(words, seeds[game], STREAM)
            actions[game] = choose(states[game], styles[game], words)

    def write_inputs(
        states: Records, which: Ints, ledger: int, moved: Mask, order: Ints, counts: Bytes2, more: Floats2
    ) -> None:
        """Write the inputs of the open decisions of some games, as `write_rows`."""
        row = cuda.grid(1)
        if row < len(which):
            write_row(states[which[row]], ledger, moved[row], order, counts[row], more[row])

    def write_changes(states: Records, which: Ints, changes: Mask2) -> None:
        """Write what the legal actions of some games change, as `write_changes` of the CPU."""
        row = cuda.grid(1)
        if row < len(which):
            write_all_changes(states[which[row]], changes[row])

    def copy_games(source: Scores, which: Ints, lanes: int, target: Scores) -> None:
        """Copy some games to the start of another array, with `lanes` threads for each. The arrays are in words."""
        row, lane = cuda.grid(1) // lanes, cuda.grid(1) % lanes
        if row < len(which):
            for word in range(lane, size, lanes):
                target[row * size + word] = source[which[row] * size + word]

    def begin_worlds(worlds: Records, actions: Ints, seeds: Ints, words: Ints2) -> None:
        """Answer the questions of the first worlds, and set their generators."""
        world = cuda.grid(1)
        if world < len(actions):
            seed_words(words[world], seeds[world], STREAM)
            step(worlds[world], actions[world])

    def play_worlds(
        worlds: Records, which: Ints, logits: Floats2, words: Ints2, observers: Ints, stops: Ints, rewards: Floats2
    ) -> None:
        """Play some worlds to the next choice. Worlds with a row of `logits` first answer by a policy's chances."""
        row = cuda.grid(1)
        if row < len(which):
            world = which[row]
            s = worlds[world]
            if row < len(logits):
                step(s, draw(s, logits[row], words[world]))
            while s.over == 0 and s.num_legal == 1:
                step(s, nth_set(s.mask[:], 0))
            if s.over == 1:
                stops[world] = OVER
                write_rewards(s, rewards, world)
            else:
                stops[world] = CHOICE if s.seat == observers[world] else ASKED

    return Kernels(choose_by_style, write_inputs, write_changes, copy_games, begin_worlds, play_worlds), one_game.record
