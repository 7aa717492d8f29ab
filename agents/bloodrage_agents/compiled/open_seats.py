"""Games with open seats, whose answers come from outside: compiled agents have the others and play on by themselves."""

from bloodrage_env import engine
from bloodrage_env.core.chance import NUM_WORDS, below
from bloodrage_env.core.compiled import Floats2, Ints, Ints2, entry
from bloodrage_env.engine import MAX_SEATS, States
from bloodrage_env.observation import OBSERVATION_SIZE, write_observation
from bloodrage_env.vector import check_which

from .heuristics import NUM_STYLES, RANDOM, pick

OPEN = -2  # in place of a style: the seat is answered for from outside


@entry
def answer_some(states: States, which: Ints, actions: Ints) -> None:
    """Answer the open question of each game of `which` by `actions[game]`; an illegal action changes nothing."""
    check_which(states, which)
    if len(actions) != len(states):
        raise ValueError("actions must be as many as states")
    for game in which:
        engine.step(states[game], actions[game])


@entry
def play_on(states: States, which: Ints, styles: Ints2, words: Ints2) -> None:
    """Play each game of `which` until an open seat is asked, or to the end.

    `styles` is int64[N, MAX_SEATS], by seat: an index of STYLES, RANDOM or OPEN. `words` int64[N, 4] is the generator
    of each game (`core/chance.py`), which goes on.
    """
    check_which(states, which)
    if styles.shape != (len(states), MAX_SEATS):
        raise ValueError("styles must have the shape (len(states), MAX_SEATS)")
    if words.shape != (len(states), NUM_WORDS):
        raise ValueError("words must have the shape (len(states), NUM_WORDS)")
    for row in styles:
        for style in row:
            if style < OPEN or style >= NUM_STYLES:
                raise ValueError("styles must be indices of STYLES, RANDOM or OPEN")
    for game in which:
        s = states[game]
        while s.over == 0 and styles[game, s.seat] != OPEN:
            style = int(styles[game, s.seat])
            if style == RANDOM:
                engine.step(s, engine.pick(s, below(words[game], int(s.num_legal))))
            else:
                engine.step(s, pick(s, style, words[game]))


@entry
def observe_some(states: States, which: Ints, seats: Ints, observations: Floats2) -> None:
    """Fill row `game` of `observations` with what `seats[game]` sees, for each game of `which`.

    `seats` is int64[N], `observations` float32[N, OBSERVATION_SIZE].
    """
    check_which(states, which)
    if len(seats) != len(states):
        raise ValueError("seats must be as many as states")
    if observations.shape != (len(states), OBSERVATION_SIZE):
        raise ValueError("observations must have the shape (len(states), OBSERVATION_SIZE)")
    for game in which:
        if seats[game] < 0 or seats[game] >= states[game].num_players:
            raise ValueError("seats must be those of their games")
    for game in which:
        write_observation(states[game], seats[game], observations[game])
