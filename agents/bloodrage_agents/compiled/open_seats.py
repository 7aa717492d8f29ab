"""Games with open seats, whose answers come from outside: compiled agents have the others and play on by themselves."""

from bloodrage_env.engine import api
from bloodrage_env.engine.chance import below
from bloodrage_env.engine.compiled import Floats2, Ints, Ints2, States, entry
from bloodrage_env.observation import write_observation

from .heuristics import pick

OPEN = -2  # in place of a style: the seat is answered for from outside
RANDOM = -1  # in place of a style: every legal action equally likely


@entry
def answer_some(states: States, which: Ints, actions: Ints) -> None:
    """Answer the open question of each game of `which` by `actions[game]`; an illegal action changes nothing."""
    for game in which:
        api.step(states[game], actions[game])


@entry
def play_on(states: States, which: Ints, styles: Ints2, words: Ints2) -> None:
    """Play each game of `which` until an open seat is asked, or to the end.

    `styles` is int64[N, 4], by seat: an index of STYLES, RANDOM or OPEN. `words` int64[N, 4] is the generator of each
    game (`engine/chance.py`), which goes on.
    """
    for game in which:
        s = states[game]
        while s.over == 0 and styles[game, s.seat] != OPEN:
            style = int(styles[game, s.seat])
            if style == RANDOM:
                api.step(s, api.pick(s, below(words[game], int(s.num_legal))))
            else:
                api.step(s, pick(s, style, words[game]))


@entry
def observe_some(states: States, which: Ints, seats: Ints, observations: Floats2) -> None:
    """Fill row `game` of `observations` with what `seats[game]` sees, for each game of `which`.

    `seats` is int64[N], `observations` float32[N, OBSERVATION_SIZE].
    """
    for game in which:
        write_observation(states[game], seats[game], observations[game])
