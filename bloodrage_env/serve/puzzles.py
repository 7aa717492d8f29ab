"""Puzzles at a table: a question of a finished game whose answer is graded against the search."""

from typing import Any, Final

import numpy as np

from ..study import Judged, Move
from .games import Game
from .puzzle import Puzzle
from .seating import Refused

AGAIN, SHOW, LEAVE, GRADE = "again", "show", "leave", "grade"
WAYS: Final = (GRADE, AGAIN, SHOW, LEAVE)  # what can be done at a puzzle


def puzzle_view(game: Game) -> dict[str, Any] | None:
    """Return what the page shows of the puzzle of a game, None without one: `title`, `number`, `answered`, whether
    there is an answer, `shown`, whether the better line was played out, `grade` of the answer, once it is known, and
    with it the `agents`.
    """
    puzzle = game.puzzle
    if puzzle is None:
        return None
    answer = given(game)
    grade = None if answer is None else puzzle.grades.get(answer)
    return {
        "title": puzzle.title,
        "number": puzzle.number,
        "answered": answer is not None,
        "shown": puzzle.shown,
        "grade": grade,
        "agents": puzzle.agents if grade else {},
    }


def given(game: Game) -> int | None:
    """Return the answer to the puzzle of a game, None while it is open."""
    puzzle = game.puzzle
    if puzzle is None or game.number <= puzzle.start:
        return None
    return int(game.replay().actions[puzzle.start])


def grade_data(judged: Judged, best: int, texts: dict[int, str], line: tuple[Move, ...]) -> dict[str, Any]:
    """Return the grade of an answer as plain data: `text`, `best`, the texts of the answers, `solved`, whether the
    answer is the best one or not certain to be worse, `cost` in thousandths of the win probability, `price` in
    hundredths of places and score or None, and the `line` of the best answer as [seat, text].
    """
    return {
        "text": texts[judged.action],
        "best": texts[best],
        "is_best": judged.action == best,
        "solved": judged.better is None,
        "cost": round(1000 * judged.cost),
        "price": None if judged.price is None else [round(100 * each) for each in judged.price],
        "line": [[move.seat, move.text] for move in line],
    }


def move(game: Game, way: str) -> None:
    """Take the answer to a puzzle back, play out the better line, or leave the puzzle."""
    puzzle = game.puzzle
    assert puzzle is not None
    if way == LEAVE:
        game.puzzle = None
    elif way == SHOW:
        _play_line(game, puzzle)
    else:
        game.rewind(puzzle.start)
    puzzle.shown = way == SHOW


def _play_line(game: Game, puzzle: Puzzle) -> None:
    """Play the line of the best answer at the table, from the question on, as far as it is legal. Forced questions and
    secret choices of others, which a line leaves out, have their first legal answer.
    """
    game.rewind(puzzle.start)
    for each in puzzle.line:
        while not game.over and _is_left_out(game, puzzle.seat):
            game.play(int(np.flatnonzero(game.states[0].mask)[0]))
        if game.over or game.seat_to_act != each.seat or not game.states[0].mask[each.action]:
            return
        game.play(each.action)


def _is_left_out(game: Game, seat: int) -> bool:
    return bool(game.states[0].num_legal == 1) or (game.seat_to_act != seat and game.shown.secret(game.states))


def check(game: Game, seat: int, way: str) -> Puzzle:
    """Return the puzzle of a game. Raise Refused for a seat that has none, and for what can't be done at it."""
    puzzle = game.puzzle
    if puzzle is None or puzzle.seat != seat:
        raise Refused(409, "there is no puzzle at this table")
    if way not in WAYS:
        raise Refused(422, f"at a puzzle you can {', '.join(WAYS)}: choose one of them")
    if way != LEAVE and given(game) is None:
        raise Refused(409, "the puzzle has no answer yet: choose one")
    if way == SHOW and not puzzle.line:
        raise Refused(409, "the answer is not graded yet: grade it first")
    return puzzle
