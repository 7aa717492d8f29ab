"""Blood Rage with open seats (`bloodrage_agents/open_seats.py`); the styles have the others."""

from typing import Final

from bloodrage_env.games.bloodrage.engine import COMPILER, FLOW
from bloodrage_env.games.bloodrage.game import GAME
from bloodrage_env.games.bloodrage.observation import SIZES, write_floats

from ....open_seats import open_seats_for
from .heuristics import NUM_STYLES, pick

SEATS: Final = open_seats_for(COMPILER, FLOW, GAME.batch.checks, SIZES, write_floats, pick, NUM_STYLES)
