"""The entry points of the engine. Each takes the array of games and the index of one, since numba passes arrays fast
and single records slowly.

An index, seat or number out of its range, or an array of a wrong length, is a ValueError, an argument of another type a
TypeError; both name the argument, and nothing is changed.
"""

from typing import Final

import numpy as np

from ....core.compile.decorators import entry
from ....core.engine.checks import Checks
from ....core.engine.play import play_for
from .checks import check_game, check_seat
from .flow import FLOW
from .ids import NUM_OPTIONS, Option
from .information import asked_in_secret
from .state import COMPILER, STATE, States

begin, step, pick = FLOW.begin, FLOW.step, FLOW.pick


@entry
def new_game(seed: int, num_players: int, first_game: bool = False, skip_forced: bool = True, sets: int = 0) -> States:
    """Return a new game as an array of one record.

    `seed` (0 to 2**63 - 1) and the options decide decks, tokens and first player (rules 2). With `first_game` Age 1
    has no draft (rules 3.1.4); with `skip_forced` questions are not asked of which everybody can see that they
    have one legal answer (rules 7.7). `sets` has the bit `1 << CardSet` for each set of cards beside the
    base game (rules 6.4.1.1). Raise ValueError for another seed, for `sets` with a bit that `PLAYABLE` lacks, and for a
    number of players other than 2 to 4, or 5 with P5.
    """
    options = np.empty(NUM_OPTIONS, dtype=np.int64)
    options[Option.NUM_PLAYERS] = num_players
    options[Option.FIRST_GAME] = first_game
    options[Option.SKIP_FORCED] = skip_forced
    options[Option.SETS] = sets
    states = np.zeros(1, STATE)
    begin(states[0], seed, options)
    return states


PLAY: Final = play_for(COMPILER, FLOW, Checks(check_game, check_seat), NUM_OPTIONS)
reset, apply, go_on, legal_mask = PLAY.reset, PLAY.apply, PLAY.go_on, PLAY.legal_mask
seat_to_act, is_openly_forced, is_over = PLAY.seat_to_act, PLAY.is_openly_forced, PLAY.is_over
scores, clone, play_random = PLAY.scores, PLAY.clone, PLAY.play_random


@entry
def is_secret(states: States, index: int) -> bool:
    """Whether the open question is asked in secret: the other seats are not shown who is asked, nor what (rules 7.8).

    Where `hide` has blanked it, too.
    """
    check_game(states, index)
    return asked_in_secret(states[index])
