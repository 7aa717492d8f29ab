"""The entries of a game, which Python calls.

Each takes the array of games and the index of one, because numba passes arrays fast and single records slowly. An
index, seat or number out of range, or an array of a wrong length, raises ValueError; an argument of another type raises
TypeError. Both name the argument, and nothing is changed.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..compile.apart import apart
from ..compile.decorators import Compiler, Ints, Mask, Records
from ..compile.local_arrays import local_zeros
from .chance import NUM_WORDS, below, seed_words
from .checks import Checks, check_count, check_seed
from .flow import RESUMED, Flow


class Play(NamedTuple):
    """The entries of a game."""

    reset: Callable[[Records, int, int, Ints], int]
    apply: Callable[[Records, int, int], int]
    go_on: Callable[[Records, int, int], int]
    legal_mask: Callable[[Records, int], Any]
    refresh: Callable[[Records, int], int]
    seat_to_act: Callable[[Records, int], int]
    is_openly_forced: Callable[[Records, int], bool]
    is_over: Callable[[Records, int], bool]
    scores: Callable[[Records, int], Any]
    clone: Callable[[Records, int], Records]
    play_random: Callable[[Records, int, int, int], int]


def play_for(compiler: Compiler, flow: Flow, checks: Checks, num_options: int) -> Play:
    """Make the entries for one game, whose options are so many numbers."""
    begin, step, fill_mask, pick, score = flow.begin, flow.step, flow.fill_mask, flow.pick, flow.score
    resume_once, is_forced, check_game = flow.go_on, flow.is_forced, checks.check_game

    @compiler.entry
    def reset(states: Records, index: int, seed: int, options: Ints) -> int:
        """Set up a new game in place. Return the seat to act.

        `seed`, 0 to 2**63 - 1, and `options`, int64[num_options] (`GameOptions.numbers()`), decide all that is left to
        chance. Raise ValueError for another seed, and for options that are out of range or not a valid combination.
        """
        if not apart((states, options)):
            raise ValueError("states and options must not share memory")
        check_game(states, index)
        if len(options) != num_options:
            raise ValueError("options must have NUM_OPTIONS numbers")
        begin(states[index], seed, options)
        return int(states[index].seat)

    @compiler.entry
    def apply(states: Records, index: int, action: int) -> int:
        """Answer the open question. Return the seat to act next, GAME_OVER (-1), or ILLEGAL (-2).

        An illegal action of any number changes nothing, nor does any action after the end.
        """
        check_game(states, index)
        return step(states[index], action)

    @compiler.entry
    def go_on(states: Records, index: int, action: int) -> int:
        """Do one part of `apply`, to observe the events in between.

        Answers the open question with `action`. With RESUMED (-1), one routine continues, or the only answer of a
        skipped question is given. Return the answered action, RESUMED, or, where `apply` stops too, STOPPED (-2)
        without a change. Raise ValueError for an illegal action.
        """
        check_game(states, index)
        s = states[index]
        if s.over == 0 and action != RESUMED and (action < 0 or action >= len(s.mask) or s.mask[action] == 0):
            raise ValueError("action must be legal, or RESUMED")
        return resume_once(s, action)

    @compiler.entry
    def legal_mask(states: Records, index: int) -> Mask:
        """Return a copy of the action mask, int8[num_actions], 1 for legal actions, all zero after the end."""
        check_game(states, index)
        mask: Mask = states[index].mask.copy()
        return mask

    @compiler.entry
    def refresh(states: Records, index: int) -> int:
        """Recompute the mask after manual changes of fields. Return the number of legal actions."""
        check_game(states, index)
        fill_mask(states[index])
        return int(states[index].num_legal)

    @compiler.entry
    def seat_to_act(states: Records, index: int) -> int:
        """Return the seat to act, GAME_OVER (-1) after the end."""
        check_game(states, index)
        return int(states[index].seat)

    @compiler.entry
    def is_openly_forced(states: Records, index: int) -> bool:
        """Return whether every seat can see that the open question has one legal answer."""
        check_game(states, index)
        return is_forced(states[index])

    @compiler.entry
    def is_over(states: Records, index: int) -> bool:
        """Return whether the game has ended or was cut off (field `truncated`)."""
        check_game(states, index)
        return bool(states[index].over == 1)

    @compiler.entry
    def scores(states: Records, index: int) -> Ints:
        """Return the score of each seat, int64[num_players]. The highest score wins."""
        check_game(states, index)
        s = states[index]
        result = np.zeros(s.num_players, dtype=np.int64)
        for seat in range(s.num_players):
            result[seat] = score(s, seat)
        return result

    @compiler.entry
    def clone(states: Records, index: int) -> Records:
        """Return an independent copy of one game, as an array of one record."""
        check_game(states, index)
        return states[index : index + 1].copy()

    @compiler.entry
    def play_random(states: Records, index: int, seed: int, max_decisions: int) -> int:
        """Answer at random for `max_decisions` decisions or to the end. Return the number of decisions."""
        check_game(states, index)
        check_seed(seed)
        check_count(max_decisions)
        s = states[index]
        words = local_zeros(NUM_WORDS, np.int64)
        seed_words(words, seed, 0)
        for count in range(max_decisions):
            if s.over == 1:
                return count
            step(s, pick(s, below(words, int(s.num_legal))))
        return max_decisions

    return Play(
        reset, apply, go_on, legal_mask, refresh, seat_to_act, is_openly_forced, is_over, scores, clone, play_random
    )
