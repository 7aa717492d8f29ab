"""Berserk with open seats (`bloodrage_agents/open_seats.py`); the styles have the others."""

from typing import Final

from bloodrage_env.games.berserk.engine import COMPILER, FLOW
from bloodrage_env.games.berserk.game import GAME
from bloodrage_env.games.berserk.observation import SIZES, write_floats

from ....open_seats import open_seats_for
from .heuristics import pick
from .weights import NUM_STYLES

SEATS: Final = open_seats_for(COMPILER, FLOW, GAME.batch.checks, SIZES, write_floats, pick, NUM_STYLES)
