"""A game at a table as its parts see it, which the game imports, and its result."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ..core.compile.decorators import Records
from ..core.engine.game import Game as Rules
from ..core.shown.presentation import Presentation
from ..core.shown.table_page import Entry, TablePage
from .seating import Seat


@dataclass(frozen=True)
class Result:
    """The result of a game: its id, the score of each seat, and the seats that have won."""

    game: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]


class Game(Protocol):
    """The game at the table (`games.Game`)."""

    rules: Rules
    shown: Presentation
    page: TablePage
    logs: dict[int, list[tuple[int, Entry]]]
    version: int
    earlier: tuple[Result, ...]
    rematch: str | None
    seats: tuple[Seat, ...]
    names: tuple[str, ...]

    @property
    def people(self) -> list[int]:
        """The seats that are played by people."""

    @property
    def states(self) -> Records:
        """The true state, an array of one record."""

    @property
    def number(self) -> int:
        """The number of the open question."""

    @property
    def held(self) -> int | None:
        """The seat that may still undo its turn while all others wait, or None."""

    def asked(self, seat: int) -> Records | None:
        """Return the game at the question that a person can answer now, or None."""

    def number_for(self, seat: int) -> int:
        """Return the number of the open question as a seat sees it."""

    def answer(self, seat: int, number: int, *actions: int) -> None:
        """Apply a person's answers. Raise Refused."""

    def entries(self, make: Callable[[], dict[int, Entry]]) -> dict[int, Entry]:
        """Return the entries of `make`, or none if it fails."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""

    @property
    def persons(self) -> list[int]:
        """The seats of people, also of those for whom an agent plays."""

    def hand_over(self, seat: int, agent: str | None, text: str) -> None:
        """Have an agent, or for None the person of a seat, play on."""

    def rewind(self, to: int) -> None:
        """Return to the question with this number."""

    def answers_of(self, seat: int, start: int) -> int:
        """Return how many answers a seat has given from question `start` on."""
