"""What a seat sees of a game, by the sections of the observation."""

from typing import Any

import numpy as np

from bloodrage_env.games.bloodrage.game import GAME


def seen(states: Any, seat: int) -> dict[str, Any]:
    """The observation of game 0, each section as an array of its shape."""
    vector = np.zeros(GAME.observation_size, dtype=np.float32)
    GAME.observe.observe(states, 0, seat, vector)
    return GAME.by_section(vector)
