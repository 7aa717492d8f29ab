"""Figures as shapes: the outline tells the kind, colour and letter the clan."""

from functools import lru_cache
from typing import Final

from ..engine import Figure
from ..notation.words import CLAN_LETTERS
from .geometry import FIGURE_SIZE, LETTER_AT, Point, figure_outline
from .shapes import CLAN_FILL, CLAN_INK, INK, WHITE, Disc, Polygon, Shape, Words

KIND_NAMES: Final = ("leader", "warrior", "ship", "monster 1", "monster 2", "Mystic")


@lru_cache(maxsize=4000)
def figure(seat: int, kind: int, at: Point, size: float = FIGURE_SIZE, count: int = 1) -> tuple[Shape, ...]:
    """A figure of a clan about a point; monsters carry their number, several alike how many they are."""
    x, y = at
    scale = size / FIGURE_SIZE
    letter = Words(
        x, y + size * (LETTER_AT[kind] / 2 + 0.165), CLAN_LETTERS[seat], 13.5 * scale, CLAN_INK[seat], True, "middle"
    )
    shapes: list[Shape] = [Polygon(figure_outline(kind, x, y, size), CLAN_FILL[seat], INK, max(1.4 * scale, 0.8))]
    shapes.append(letter)
    badge = {Figure.MONSTER_1: "1", Figure.MONSTER_2: "2"}.get(Figure(kind), "")
    if count > 1:
        badge = f"x{count}"
    if badge:
        bx, by = x + 11 * scale, y + 10 * scale
        shapes.append(Disc(bx, by, 6.5 * scale, WHITE, INK, 1))
        shapes.append(Words(bx, by + 3.6 * scale, badge, 10 * scale, INK, True, "middle"))
    return tuple(shapes)
