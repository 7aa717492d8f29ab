"""The table page of Blood Rage."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from ....core.shown.lesson import Lesson, lesson_from
from ....core.shown.puzzles import Position, load
from ....core.shown.table_page import TablePage
from ....render import art
from ....render.review import review_page
from ....render.svg import markup
from .. import SPEC
from ..engine import TITLE
from ..options import Options
from ..render import PICTURES
from ..render import STATIC as RENDERED
from ..render.colours import DARK
from ..render.geometry import BOARD
from ..render.picture import board_background
from ..render.replay_page import body, colours, symbols, texts
from . import seen, story
from .habits import habits
from .levels import LEVELS
from .reasons import reasons

STATIC: Final = Path(__file__).parent / "static"
LESSONS: Final = ("first_age", "last_ages")


def files() -> Mapping[str, tuple[str, str]]:
    """Return the board, the colours of the clans, and the page of a review, by address."""
    return {
        **art.files(TITLE, PICTURES, SPEC.name),
        "/board/board.svg": (_background(), "image/svg+xml"),
        "/board/colours.css": (colours(), "text/css"),
        "/review": (review_page(SPEC.title, (), body(f"A game of {SPEC.title}")), "text/html"),
    }


def _background() -> str:
    """Return the static part of the board, and the figures as symbols."""
    frame = f"{BOARD.x:g} {BOARD.y:g} {BOARD.w:g} {BOARD.h:g}"
    parts = f"<defs>{symbols()}</defs>{markup(board_background(), DARK)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" id="board" viewBox="{frame}">{parts}</svg>'


def all_texts() -> dict[str, Any]:
    """Return names, geometry and cards for the scripts."""
    return {**texts(), **seen.card_table()}


@cache
def lessons() -> tuple[Lesson, ...]:
    """The guided games."""
    return tuple(lesson_from(STATIC.parent / "lessons" / f"{name}.json", Options) for name in LESSONS)


@cache
def puzzle_set() -> tuple[Position, ...]:
    """The puzzles, from `research/puzzles`."""
    return load(STATIC.parent / "puzzles.json", Options)


PAGE: Final = TablePage(
    data_folder="games",
    static=STATIC,
    folders={"game": STATIC, "board": RENDERED},
    files=files,
    texts=all_texts,
    opening=story.opening,
    entries=story.entries,
    seen=seen.seen,
    lists={},
    levels=LEVELS,
    lessons=lessons,
    reasons=reasons,
    puzzles=puzzle_set,
    habits=habits,
)
