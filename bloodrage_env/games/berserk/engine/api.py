"""The entry points of the engine. Each takes the array of games and the index of one, since numba passes arrays fast
and single records slowly.

An index, seat or number out of its range is a ValueError, an argument of another type a TypeError; both name the
argument, and nothing is changed.
"""

from typing import Final

from ....core.engine.play import play_for
from .checks import CHECKS
from .flow import FLOW
from .ids import NUM_OPTIONS
from .state import COMPILER

begin, step, pick = FLOW.begin, FLOW.step, FLOW.pick
PLAY: Final = play_for(COMPILER, FLOW, CHECKS, NUM_OPTIONS)
reset, apply, go_on, legal_mask, refresh = PLAY.reset, PLAY.apply, PLAY.go_on, PLAY.legal_mask, PLAY.refresh
seat_to_act, is_openly_forced, is_over = PLAY.seat_to_act, PLAY.is_openly_forced, PLAY.is_over
scores, clone, play_random = PLAY.scores, PLAY.clone, PLAY.play_random
