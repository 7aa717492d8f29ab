"""A question of a finished game whose answer is graded."""

from dataclasses import dataclass, field
from typing import Any

from ..study import Move


@dataclass
class Puzzle:
    """A question of a game, for the person at `seat`. Agents do not play until the person leaves the puzzle.

    `start` is the number of the question, `best` the answer of the search, `number` that of a puzzle that comes with
    the game, `agents` says which agents solve it.
    """

    seat: int
    start: int
    best: int
    title: str
    number: int | None = None
    agents: dict[str, bool] = field(default_factory=dict)
    grades: dict[int, dict[str, Any]] = field(default_factory=dict)  # by answer
    line: tuple[Move, ...] = ()  # that begins with the best answer, once it is known
    shown: bool = False  # whether the line was played out last
