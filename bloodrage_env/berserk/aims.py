"""How fast Berserk is to be (`core/aims.py`)."""

from typing import Final

from ..core.aims import Aims

AIMS: Final = Aims(
    engine=3_000_000.0,
    batch=1_500_000.0,
    sparse=1_500_000.0,
    threads=1.6,
    calls=800_000.0,
    aec=250_000.0,
    copy=0.3,
    record=2000.0,
    cold=30.0,
    warm=0.8,
    others={
        "fixed set-up": {"setup": "fixed"},
        "table of differences": {"combat": "difference"},
    },
)
