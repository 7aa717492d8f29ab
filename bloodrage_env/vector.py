"""Many games at once: one compiled call steps them all (`core/engine/batch.py`, `core/api/vector.py`)."""

from collections.abc import Sequence
from typing import Any

from . import games
from .core.api import vector
from .core.api.keywords import refuse_unknown


class VectorGames(vector.VectorGames):
    """N games that are stepped together; `core.api.vector.VectorGames` describes arguments, arrays and errors.

    `game` is the name of a game (`games.py`). `num_players` is one number for all games or a sequence of N numbers; by
    default it is that of the game's options.
    """

    def __init__(
        self,
        num_games: int,
        num_players: int | Sequence[int] | None = None,
        *,
        game: str = games.FIRST,
        **options: Any,
    ) -> None:
        self.game = games.game(game)
        refuse_unknown(type(self), options, self.game.options)
        super().__init__(num_games, self.game.options.num_players if num_players is None else num_players, **options)

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles contain; the game is its name."""
        return super().__getstate__() | {"game": self.game.name}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Restore; ValueError for a pickle of another version, or records that are not games."""
        self.game = games.game(saved["game"])
        super().__setstate__(saved | {"game": self.game})
