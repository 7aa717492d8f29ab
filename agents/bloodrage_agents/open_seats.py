"""Games in which some seats are open: their answers come from outside, and compiled agents play the other seats."""

from collections.abc import Callable
from typing import NamedTuple

from bloodrage_env.core.compile.apart import apart
from bloodrage_env.core.compile.borrowed import borrowed
from bloodrage_env.core.compile.decorators import Compiler, Floats, Floats2, Ints, Ints2, Record, Records
from bloodrage_env.core.engine.batch import BatchChecks, Sizes
from bloodrage_env.core.engine.chance import NUM_WORDS, below
from bloodrage_env.core.engine.flow import Flow

from .styles import OPEN, RANDOM


class OpenSeats(NamedTuple):
    """The entries of a game."""

    answer_some: Callable[[Records, Ints, Ints], None]
    play_on: Callable[[Records, Ints, Ints2, Ints2], None]
    observe_some: Callable[[Records, Ints, Ints, Floats2], None]
    choose: Callable[[Record, int, Ints], int]  # the action of a style by a generator: a rule, for code of a GPU


def open_seats_for(
    compiler: Compiler,
    flow: Flow,
    checks: BatchChecks,
    sizes: Sizes,
    write_floats: Callable[[Record, int, Floats], None],
    choose: Callable[[Record, int, Ints], int],
    num_styles: int,
) -> OpenSeats:
    """Make the entries for one game. `choose` gives the action of a style, 0 to `num_styles - 1`, by a generator."""
    step, pick, check_which = flow.step, flow.pick, checks.check_which
    max_seats, size = sizes.seats, sizes.observation

    @compiler.entry
    def answer_some(states: Records, which: Ints, actions: Ints) -> None:
        """Answer the open question of each game of `which` by `actions[game]`; an illegal action changes nothing."""
        if not apart((states, which, actions)):
            raise ValueError("states, which and actions must not share memory")
        check_which(states, which)
        if len(actions) != len(states):
            raise ValueError("actions must be as many as states")
        for game in which:
            step(states[game], actions[game])

    @compiler.entry
    def play_on(states: Records, which: Ints, styles: Ints2, words: Ints2) -> None:
        """Play each game of `which` until an open seat is asked, or to the end.

        `styles` is int64[N, MAX_SEATS], by seat: the number of a style, RANDOM or OPEN. `words` int64[N, 4] is the
        generator of each game (`core/engine/chance.py`), which goes on.
        """
        if not apart((states, which, styles, words)):
            raise ValueError("states, which, styles and words must not share memory")
        check_which(states, which)
        if styles.shape != (len(states), max_seats):
            raise ValueError("styles must have the shape (len(states), MAX_SEATS)")
        if words.shape != (len(states), NUM_WORDS):
            raise ValueError("words must have the shape (len(states), NUM_WORDS)")
        for row in styles:
            for style in row:
                if style < OPEN or style >= num_styles:
                    raise ValueError("styles must be indices of STYLES, RANDOM or OPEN")
        words = borrowed(words)
        for game in which:
            s = states[game]
            while s.over == 0 and styles[game, s.seat] != OPEN:
                style = int(styles[game, s.seat])
                if style == RANDOM:
                    step(s, pick(s, below(words[game], int(s.num_legal))))
                else:
                    step(s, choose(s, style, words[game]))

    @compiler.entry
    def observe_some(states: Records, which: Ints, seats: Ints, observations: Floats2) -> None:
        """Fill row `game` of `observations` with what `seats[game]` sees, for each game of `which`.

        `seats` is int64[N], `observations` float32[N, OBSERVATION_SIZE].
        """
        if not apart((states, which, seats, observations)):
            raise ValueError("states, which, seats and observations must not share memory")
        check_which(states, which)
        if len(seats) != len(states):
            raise ValueError("seats must be as many as states")
        if observations.shape != (len(states), size):
            raise ValueError("observations must have the shape (len(states), OBSERVATION_SIZE)")
        for game in which:
            if seats[game] < 0 or seats[game] >= states[game].num_players:
                raise ValueError("seats must be those of their games")
        observations = borrowed(observations)
        for game in which:
            write_floats(states[game], seats[game], observations[game])

    return OpenSeats(answer_some, play_on, observe_some, choose)
