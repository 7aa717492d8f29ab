"""A guided game: a game with fixed moves, and the texts that explain it."""

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..engine.options import GameOptions

LEARNER: Final = 0  # the seat of the person
# `title`, `text`, and `mark`, a CSS selector of what the text is about, or ""; `icons` of the board that are met first
# here, as [name, text].
Page = dict[str, Any]


@dataclass(frozen=True)
class Lesson:
    """A game of one person that follows `moves`, the seat and the action of each question.

    While a game follows them, the other seats play theirs, and the page asks the person for theirs. `agent` plays the
    other seats afterwards. `steps` are the pages of text before the question of that number; those of number
    `len(moves)` end the lesson. The first `begin` moves are played before the person comes. `scenes` are pages about
    what the page of the game shows over the board, by a part of its title, and about a turn that is done, by the
    decision of another seat that waits ("CALL").
    """

    title: str
    seed: int
    options: GameOptions
    agent: str  # a spec
    begin: int
    moves: tuple[tuple[int, int], ...]
    steps: Mapping[int, Sequence[Page]]
    scenes: Mapping[str, Page]

    def is_followed(self, seed: int, options: GameOptions, actions: Sequence[int], given: Sequence[int]) -> bool:
        """Return whether a game is this one, and has not left its moves. `given` are answers of the person that are not
        applied yet.
        """
        if seed != self.seed or options != self.options or not self.begin <= len(actions) <= len(self.moves):
            return False
        own = [action for seat, action in self.moves[len(actions) :] if seat == LEARNER]
        if list(given) != own[: len(given)]:
            return False
        return all(played == action for played, (_, action) in zip(actions, self.moves, strict=False))

    def action(self, number: int) -> int | None:
        """Return the action of a question by its number, None at the end of the lesson."""
        return self.moves[number][1] if number < len(self.moves) else None

    def question(self, number: int, given: int) -> int:
        """Return the number of the question that the person is asked when that of `number` is open.

        It differs where all choose at once: others can be asked before the person, who has `given` some answers ahead.
        """
        own = (at for at, (seat, _) in enumerate(self.moves) if at >= number and seat == LEARNER)
        return next(itertools.islice(own, given, None), len(self.moves))

    def row(self, number: int) -> list[int]:
        """Return the actions of the person from a question on, until another seat is asked."""
        row = itertools.takewhile(lambda move: move[0] == LEARNER, self.moves[number:])
        return [action for _, action in row]

    def step(self, number: int) -> int:
        """Return how many of the steps have begun at the question of this number."""
        return sum(begun <= number for begun in self.steps)


def lesson_from(path: Path, options: type[GameOptions]) -> Lesson:
    """Return the lesson of a file: JSON with the fields of `Lesson`."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return Lesson(
        title=content["title"],
        seed=content["seed"],
        options=options.from_json(content["options"] | {"skip_forced": False}),
        agent=content["agent"],
        begin=content.get("begin", 0),
        moves=tuple((seat, action) for seat, action in content["moves"]),
        steps={int(number): [_page(page) for page in pages] for number, pages in content["steps"].items()},
        scenes={title: _page(page) for title, page in content["scenes"].items()},
    )


def _page(content: Mapping[str, Any]) -> Page:
    return {**content, "mark": content.get("mark", ""), "icons": content.get("icons", [])}
