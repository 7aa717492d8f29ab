"""Many games of Blood Rage at once: one compiled call steps them all (`core/batch.py`, `core/vector.py`)."""

from collections.abc import Sequence
from typing import Any

from .core import vector
from .game import GAME
from .options import Options

check_which = GAME.batch.checks.check_which


class VectorGames(vector.VectorGames):
    """N games of Blood Rage that step together: `core.vector.VectorGames` says how. `num_players`: 2 to 5."""

    game = GAME

    def __init__(self, num_games: int, num_players: int | Sequence[int] = Options.num_players, **options: Any) -> None:
        super().__init__(num_games, num_players, **options)
