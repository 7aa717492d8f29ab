"""The entry points of the engine. Each takes the array of games and the index of one, since numba passes arrays fast
and single records slowly.

An index, seat or number out of its range, or an array of a wrong length, is a ValueError, an argument of another type a
TypeError; both name the argument, and nothing is changed.
"""

import numpy as np

from .actions import NUM_ACTIONS
from .chance import below, new_words, seed_words
from .checks import check_count, check_game, check_options, check_seed
from .compiled import Ints, Mask, State, States, entry, rule
from .flow import advance, answer, fill_mask, openly_forced
from .ids import NUM_OPTIONS, Option
from .information import asked_in_secret
from .rules.setup import set_up
from .state import STATE

GAME_OVER = -1
ILLEGAL = -2


@rule
def begin(s: State, seed: int, options: Ints) -> None:
    """Set up and go on to the first question; `options` has a number for each `Option`."""
    check_seed(seed)
    check_options(options)
    set_up(s, seed, options)
    advance(s)


@rule
def as_options(num_players: int, first_game: bool, skip_forced: bool, sets: int) -> Ints:
    """The options as `begin` takes them."""
    options = np.empty(NUM_OPTIONS, dtype=np.int64)
    options[Option.NUM_PLAYERS] = num_players
    options[Option.FIRST_GAME] = first_game
    options[Option.SKIP_FORCED] = skip_forced
    options[Option.SETS] = sets
    return options


@entry
def reset(
    states: States, index: int, seed: int, num_players: int, first_game: bool = False, skip_forced: bool = True,
    sets: int = 0,
) -> int:  # fmt: skip
    """Set up a new game in place; returns the seat to act.

    `seed` (0 to 2**63 - 1) and the options decide decks, tokens and first player (rules 2). With `first_game` Age 1
    has no draft (rules 3.1.4); with `skip_forced` questions are not asked of which everybody can see that they
    have one legal answer (rules 7.7). `sets` has the bit `1 << CardSet` for each set of cards beside the
    base game (rules 6.4.1.1). ValueError for another seed, a set that can't be played yet, or a number of players
    other than 2 to 4, or 5 with P5.
    """
    check_game(states, index)
    s = states[index]
    begin(s, seed, as_options(num_players, first_game, skip_forced, sets))
    return int(s.seat)


@entry
def new_game(seed: int, num_players: int, first_game: bool = False, skip_forced: bool = True, sets: int = 0) -> States:
    """A new game as an array of one record; the arguments are those of `reset`."""
    states = np.zeros(1, STATE)
    begin(states[0], seed, as_options(num_players, first_game, skip_forced, sets))
    return states


@rule
def step(s: State, action: int) -> int:
    """Answer the open question: the seat to act next, GAME_OVER, or ILLEGAL with nothing changed."""
    if s.over == 1:
        return GAME_OVER
    if action < 0 or action >= NUM_ACTIONS or s.mask[action] == 0:
        return ILLEGAL
    answer(s, action)
    advance(s)
    return GAME_OVER if s.over == 1 else int(s.seat)


@entry
def apply(states: States, index: int, action: int) -> int:
    """Answer the open question of a game: returns the seat to act next, GAME_OVER (-1), or ILLEGAL (-2).

    An illegal action, of whatever number, changes nothing; nor does any action after the end.
    """
    check_game(states, index)
    return step(states[index], action)


@entry
def legal_mask(states: States, index: int) -> Mask:
    """int8[NUM_ACTIONS], 1 where the seat to act may answer so; a copy. All zero after the end."""
    check_game(states, index)
    return states[index].mask.copy()


@entry
def refresh(states: States, index: int) -> int:
    """Recompute the mask after fields were edited by hand (scenarios); returns how many actions are legal."""
    check_game(states, index)
    fill_mask(states[index])
    return int(states[index].num_legal)


@entry
def seat_to_act(states: States, index: int) -> int:
    """The seat whose decision is open, GAME_OVER (-1) after the end."""
    check_game(states, index)
    return int(states[index].seat)


@entry
def is_openly_forced(states: States, index: int) -> bool:
    """Whether everybody can see that the open question has one legal answer (rules 7.7)."""
    check_game(states, index)
    return openly_forced(states[index])


@entry
def is_secret(states: States, index: int) -> bool:
    """Whether the open question is asked in secret: the other seats are not shown who is asked, nor what (rules 7.8).

    Where `hide` has blanked it, too.
    """
    check_game(states, index)
    return asked_in_secret(states[index])


@entry
def is_over(states: States, index: int) -> bool:
    """Whether the game has ended, or was cut off at `MAX_DECISIONS` (field `truncated`)."""
    check_game(states, index)
    return bool(states[index].over == 1)


@entry
def scores(states: States, index: int) -> Ints:
    """int64[num_players]: glory; the most wins (rules 5)."""
    check_game(states, index)
    s = states[index]
    result = np.zeros(s.num_players, dtype=np.int64)
    for seat in range(s.num_players):
        result[seat] = s.glory[seat]
    return result


@entry
def clone(states: States, index: int) -> States:
    """A true copy of one game, as an array of one record."""
    check_game(states, index)
    return states[index : index + 1].copy()


@entry
def play_random(states: States, index: int, seed: int, max_decisions: int) -> int:
    """Answer at random, each legal action equally likely, for so many decisions or to the end; returns how many."""
    check_game(states, index)
    check_seed(seed)
    check_count(max_decisions)
    s = states[index]
    words = new_words()
    seed_words(words, seed, 0)
    for count in range(max_decisions):
        if s.over == 1:
            return count
        step(s, pick(s, below(words, int(s.num_legal))))
    return max_decisions


@rule
def pick(s: State, rank: int) -> int:
    """The legal action of this rank."""
    for action in range(NUM_ACTIONS):
        if s.mask[action] == 1:
            if rank == 0:
                return action
            rank -= 1
    return ILLEGAL
