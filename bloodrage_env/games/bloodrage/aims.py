"""The target speeds of Blood Rage (`core/api/aims.py`), for games of four players."""

from dataclasses import replace
from typing import Final

from ...core.api.aims import USUAL, Aims

AIMS: Final[Aims] = replace(
    USUAL,
    record=6000.0,  # 5,000 and what reserved ids cost
    cold=60.0,
    options={"num_players": 4},
    others={
        "five players": {"num_players": 5, "sets": ("p5",)},
        "with ks": {"sets": ("ks",)},
        "with mystics": {"sets": ("mystics",)},
        "with gods": {"sets": ("gods",)},
        "five players, all sets": {"num_players": 5, "sets": ("p5", "ks", "mystics", "gods")},
    },
)
