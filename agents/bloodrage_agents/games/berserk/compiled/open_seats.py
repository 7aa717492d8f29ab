"""Berserk with open seats (`bloodrage_agents/open_seats.py`); the styles have the others."""

from typing import Final

from ....open_seats import open_seats_for
from ..mode import COMPILER, FLOW, GAME, SIZES, WRITER
from .heuristics import pick
from .weights import NUM_STYLES

SEATS: Final = open_seats_for(COMPILER, FLOW, GAME.batch.checks, SIZES, WRITER.write_floats, pick, NUM_STYLES)
