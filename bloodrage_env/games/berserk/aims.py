"""How fast Berserk is to be (`core/api/aims.py`)."""

from dataclasses import replace
from typing import Final

from ...core.api.aims import USUAL, Aims
from .mode import TEAM

AIMS: Final[Aims] = replace(
    USUAL,
    record=2000.0 * TEAM,
    cold=30.0,
    others={
        "fixed set-up": {"setup": "fixed"},
        "table of differences": {"combat": "difference"},
    },
)
