"""The entry points of the engine. Each takes the array of games and the index of one, since numba passes arrays fast
and single records slowly.

An index, seat or number out of its range is a ValueError, an argument of another type a TypeError; both name the
argument, and nothing is changed.
"""

from typing import Final

import numpy as np

from ....core.compile.decorators import Ints, entry, rule
from ....core.engine.play import play_for
from ..mode import TEAM
from .checks import CHECKS, check_game
from .flow import FLOW
from .ids import NUM_OPTIONS, Option
from .state import COMPILER, States

begin, step, pick = FLOW.begin, FLOW.step, FLOW.pick


@rule
def reset_with(
    states: States, index: int, seed: int, num_players: int, skip_forced: int, combat: int, setup: int, max_turns: int,
    placing: int, words: Ints,
) -> int:  # fmt: skip
    """Do as `reset`; `words` are those of decks and squads."""
    check_game(states, index)
    options = np.empty(NUM_OPTIONS, dtype=np.int64)
    options[Option.NUM_PLAYERS] = num_players
    options[Option.SKIP_FORCED] = skip_forced
    options[Option.COMBAT] = combat
    options[Option.SETUP] = setup
    options[Option.MAX_TURNS] = max_turns
    options[Option.PLACING] = placing
    options[Option.DECKS : Option.PLACING] = words
    begin(states[index], seed, options)
    return int(states[index].seat)


if TEAM == 1:

    @entry
    def reset(
        states: States, index: int, seed: int,
        num_players: int, skip_forced: int, combat: int, setup: int, max_turns: int,
        deck_0: int, deck_0_more: int, deck_1: int, deck_1_more: int,
        squad_0: int, squad_0_more: int, squad_1: int, squad_1_more: int, placing: int,
    ) -> int:  # fmt: skip
        """Set up a new game in place; returns the seat to act.

        `seed` (0 to 2**63 - 1) decides all that is left to chance (rules 9.5); the other arguments are the numbers of
        the options (rules 9.7), decks and squads in two words each, as `decks.py` packs them.
        """
        words = np.array((deck_0, deck_0_more, deck_1, deck_1_more, squad_0, squad_0_more, squad_1, squad_1_more))
        return reset_with(states, index, seed, num_players, skip_forced, combat, setup, max_turns, placing, words)

else:

    @entry
    def reset(  # type: ignore[misc]
        states: States, index: int, seed: int,
        num_players: int, skip_forced: int, combat: int, setup: int, max_turns: int,
        deck_0: int, deck_0_more: int, deck_1: int, deck_1_more: int,
        deck_2: int, deck_2_more: int, deck_3: int, deck_3_more: int,
        squad_0: int, squad_0_more: int, squad_1: int, squad_1_more: int,
        squad_2: int, squad_2_more: int, squad_3: int, squad_3_more: int, placing: int,
    ) -> int:  # fmt: skip
        """Do the same for four seats."""
        words = np.array((
            deck_0, deck_0_more, deck_1, deck_1_more, deck_2, deck_2_more, deck_3, deck_3_more,
            squad_0, squad_0_more, squad_1, squad_1_more, squad_2, squad_2_more, squad_3, squad_3_more,
        ))  # fmt: skip
        return reset_with(states, index, seed, num_players, skip_forced, combat, setup, max_turns, placing, words)


PLAY: Final = play_for(COMPILER, FLOW, CHECKS)
apply, go_on, legal_mask, refresh = PLAY.apply, PLAY.go_on, PLAY.legal_mask, PLAY.refresh
seat_to_act, is_openly_forced, is_over = PLAY.seat_to_act, PLAY.is_openly_forced, PLAY.is_over
scores, clone, play_random = PLAY.scores, PLAY.clone, PLAY.play_random
