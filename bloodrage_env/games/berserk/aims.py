"""How fast Berserk is to be (`core/aims.py`)."""

from typing import Final

from ...core.aims import Aims
from .shape import TEAM

AIMS: Final = Aims(
    record=2000.0 * TEAM,
    cold=30.0,
    others={
        "fixed set-up": {"setup": "fixed"},
        "table of differences": {"combat": "difference"},
    },
)
