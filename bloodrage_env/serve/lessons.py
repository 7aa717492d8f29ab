"""The guided games of a game (`core/shown/lesson.py`) at a table."""

from typing import Any

from ..core.shown.lesson import LEARNER, Lesson
from .games import Game


def lesson_of(game: Game) -> Lesson | None:
    """The lesson that a game follows; None for other games, and for one that has left it."""
    replay, given = game.replay(), _given(game)
    for lesson in game.page.lessons():
        if lesson.is_followed(replay.seed, replay.options, replay.actions, given):
            return lesson
    return None


def _given(game: Game) -> list[int]:
    """The answers of the person who learns that are not applied yet."""
    return dict(game.together.ahead[1]).get(LEARNER, [])


def next_action(game: Game) -> int | None:
    """The next action of the lesson that a game follows; None if there is none."""
    lesson = lesson_of(game)
    return lesson.action(game.number) if lesson is not None else None


def lesson_view(game: Game, seat: int) -> dict[str, Any] | None:
    """What the page shows of a lesson to the person who learns; None for others, and outside a lesson.

    - `place`: the number of the lesson among those of the game; `step`, `steps`: how many of the steps have begun, and
      how many there are;
    - `pages`: texts to read before the open question; `actions`: the answers to it and to the questions that follow it,
      as the lesson asks for them, empty at its end; both None while another seat is asked;
    - `number` of the open question; `scenes`: texts for what is shown over the board, by a part of its title,
      and for a turn that is done, by the decision of another seat that waits.
    """
    lesson = lesson_of(game)
    if lesson is None or seat != LEARNER:
        return None
    asked = game.over or game.asked(seat) is not None
    number = lesson.question(game.number, len(_given(game))) if asked else game.number
    return {
        "number": number,
        "place": game.page.lessons().index(lesson),
        "step": lesson.step(number),
        "steps": len(lesson.steps),
        "pages": lesson.steps.get(number, ()) if asked else None,
        "actions": lesson.row(number) if asked else None,
        "scenes": lesson.scenes,
    }
