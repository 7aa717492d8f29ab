"""How fast Blood Rage is to be (`core/aims.py`); games of four players are measured."""

from typing import Final

from .core.aims import Aims

AIMS: Final = Aims(
    engine=3_000_000.0,
    batch=1_500_000.0,
    sparse=2_200_000.0,
    threads=1.6,
    calls=900_000.0,
    aec=400_000.0,
    copy=0.3,
    record=6000.0,
    cold=60.0,
    warm=0.8,
    options={"num_players": 4},
    others={
        "five players": {"num_players": 5, "sets": ("p5",)},
        "with ks": {"sets": ("ks",)},
        "with mystics": {"sets": ("mystics",)},
        "with gods": {"sets": ("gods",)},
        "five players, all sets": {"num_players": 5, "sets": ("p5", "ks", "mystics", "gods")},
    },
)
