"""The engine: all that others may call. Everything takes a structured array of games and the index of one.

Both plain Python and numba code may call these. A game is one record of `STATE`; its fields are described in
`state.py`, the rules it follows in `docs/rules.md`.
"""

from .actions import BLOCKS, NUM_ACTIONS
from .api import (
    GAME_OVER,
    ILLEGAL,
    apply,
    clone,
    is_openly_forced,
    is_over,
    is_secret,
    legal_mask,
    new_game,
    play_random,
    refresh,
    reset,
    scores,
    seat_to_act,
)
from .compiled import State, States, compile_all
from .dealing.hide import hide, hide_into
from .dealing.redeal import redeal
from .ids import MAX_SEATS
from .state import MAX_DECISIONS, STATE

__all__ = [
    "BLOCKS",
    "GAME_OVER",
    "ILLEGAL",
    "MAX_DECISIONS",
    "MAX_SEATS",
    "NUM_ACTIONS",
    "STATE",
    "State",
    "States",
    "apply",
    "clone",
    "compile_all",
    "hide",
    "hide_into",
    "is_openly_forced",
    "is_over",
    "is_secret",
    "legal_mask",
    "new_game",
    "play_random",
    "redeal",
    "refresh",
    "reset",
    "scores",
    "seat_to_act",
]
