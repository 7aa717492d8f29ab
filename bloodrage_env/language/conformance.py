"""1,000 answers with what each of them means, for readers of answers of language models.

`python -m bloodrage_env.language.conformance` reads all of them and prints those that this reader reads in another way.
`conformance.json` can be used without the code: it contains the positions, as seeds and actions, and the answers, each
with its position, its form, its text, and the ids that it plays or the class in which it is refused.
"""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .. import games
from ..core.compile.decorators import Records
from .final import RefusedError
from .prompt import Parts, TextGame

FORMAT: Final = 1
FILE: Final = Path(__file__).with_name("conformance.json")
MAX_BYTES: Final = 4 * 2**20

# Takes an answer, what a seat knows, the seat and the game. Returns the ids that the answer plays in a row, or the
# class of its refusal.
Read = Callable[[str, Records, int, str], list[int] | str]


@dataclass(frozen=True)
class Question:
    """A position: the game, its options, its seed and the actions so far, and the kind of the open question."""

    game: str
    options: dict[str, Any]
    seed: int
    actions: tuple[int, ...]
    kind: str

    def known(self) -> tuple[Records, int]:
        """Return what the seat to act knows, and the seat."""
        states, seat = self.states()
        return games.game(self.game).hide(states, 0, seat), seat

    def states(self) -> tuple[Records, int]:
        """Return the game, and the seat to act."""
        game = games.game(self.game)
        states = game.new_game(self.seed, games.options_from(self.game, **self.options))
        for action in self.actions:
            game.play.apply(states, 0, action)
        return states, int(game.play.seat_to_act(states, 0))


@dataclass(frozen=True)
class Row:
    """An answer: the number of its position, its form, its text, and the ids that it plays or the class of refusal."""

    position: int
    form: str
    text: str
    means: list[int] | str


def load(path: Path = FILE) -> tuple[list[Question], list[Row]]:
    """Return the positions and the answers."""
    content = json.loads(path.read_bytes())
    questions = [Question(**{**each, "actions": tuple(each["actions"])}) for each in content["positions"]]
    return questions, [Row(*each) for each in content["answers"]]


def read_here(text: str, known: Records, seat: int, game: str) -> list[int] | str:
    """Read an answer with the reader of this project."""
    reader = TextGame(game, Parts(actions="steps"))
    try:
        first = reader.read(text, known, seat)
    except RefusedError as error:
        return str(error.refusal)
    return [first, *(step.action for step in reader.reader.plan)]


def wrong(read: Read, questions: Sequence[Question], rows: Sequence[Row]) -> list[tuple[Row, list[int] | str]]:
    """Return the answers that a reader reads in another way, each with its reading."""
    known = [each.known() for each in questions]
    found = [(row, read(row.text, *known[row.position], questions[row.position].game)) for row in rows]
    return [(row, means) for row, means in found if means != row.means]


def summary(faults: Sequence[tuple[Row, list[int] | str]], count: int) -> str:
    """Return the number of answers that were read as they are meant, and the kinds of the others."""
    refused = sum(isinstance(means, str) and not isinstance(row.means, str) for row, means in faults)
    classes = sum(isinstance(means, str) and isinstance(row.means, str) for row, means in faults)
    played = len(faults) - refused - classes
    return (
        f"{count} answers: {count - len(faults)} as they are meant, {played} played otherwise, {refused} refused, "
        f"{classes} refused in another class"
    )


def main() -> int:
    """Read the answers of the set; print the faults and a summary."""
    questions, rows = load()
    faults = wrong(read_here, questions, rows)
    for row, means in faults:
        print(f"{row.form}, {questions[row.position].kind}: {row.text!r} means {row.means}, was read as {means}")
    print(summary(faults, len(rows)))
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
