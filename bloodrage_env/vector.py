"""Many games at once: one compiled call steps them all (`core/engine/batch.py`, `core/api/vector.py`)."""

from collections.abc import Sequence
from typing import Any

from . import games
from .core.api import vector
from .core.api.keywords import refuse_unknown


class VectorGames(vector.VectorGames):
    """N games of one kind that are stepped together. `core.api.vector.VectorGames` describes arrays and methods.

    Parameters
    ----------
    num_games : int
        N, 1 or more.
    num_players : int or sequence of int, optional
        One number for all games, or N numbers. By default the number of the game's options.
    game : str
        The name of a game, as in `games.names()`.
    **options
        Further arguments of `core.api.vector.VectorGames`, and options of the game.

    Raises
    ------
    ValueError
        An unknown game, or a value that is out of range.
    TypeError
        An unknown option, or a value of another type.

    Examples
    --------
    >>> from bloodrage_env import VectorGames
    >>> batch = VectorGames(3, 2, seed=1, observations="bytes")
    >>> batch.reset()
    >>> batch.step(batch.masks.argmax(1))
    >>> batch.observations.dtype, batch.masks.shape
    (dtype('uint8'), (3, 301))
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
