"""Many games of Berserk at once: one compiled call steps them all (`core/batch.py`, `core/vector.py`)."""

from typing import Any

from ..core import vector
from .game import GAME
from .options import Options


class VectorGames(vector.VectorGames):
    """N games of Berserk that step together: `core.vector.VectorGames` says how."""

    game = GAME

    def __init__(self, num_games: int, **options: Any) -> None:
        super().__init__(num_games, Options.num_players, **options)
