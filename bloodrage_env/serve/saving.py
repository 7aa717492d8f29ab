"""Saving a game, with further attempts after a failure."""

from collections.abc import Callable
from typing import Any

from .faults import described
from .games import Game
from .storage import Storage


class Saving:
    """Write one game. `report` takes a line for the operator, `later` schedules another attempt after a failure."""

    def __init__(
        self, game_id: str, game: Game, storage: Storage, report: Callable[[str], None], later: Callable[[], None]
    ) -> None:
        self._id = game_id
        self._game = game
        self._storage = storage
        self._report = report
        self._later = later
        self._saved = True
        self._seated = seated(game)  # as they are saved
        self.warned: set[int] = set()  # the viewers who see that it is not saved

    @property
    def waits(self) -> bool:
        """Whether a failed save must be repeated, or a viewer still sees that one failed."""
        return not self._saved or bool(self.warned)

    def save(self, warned: set[int], calmed: set[int] | None = None) -> None:
        """Write the game. The viewers `warned` are shown a failure; those in `calmed` (default: the same) are shown a
        success.
        """
        try:
            self._storage.save(self._id, self._game)
            if self._seated != seated(self._game):
                self._storage.save_seats(self._id, self._game)
                self._seated = seated(self._game)
        except Exception as error:  # play goes on, whatever can't be written
            if self._saved:
                said = error if isinstance(error, OSError) else described(error)
                self._report(f"game {self._id} can't be saved: {said}. It is tried again until it can.")
            self._saved = False
            self.warned |= warned
            self._later()
            return
        if not self._saved:
            self._report(f"game {self._id} is saved again")
        self._saved = True
        self.warned -= warned if calmed is None else calmed


def seated(game: Game) -> tuple[Any, ...]:
    """Return what is saved beside the moves of a game."""
    return game.seats, game.together.ahead, game.rematch
