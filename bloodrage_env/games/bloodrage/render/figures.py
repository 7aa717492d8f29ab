"""Figures as shapes: the silhouette shows the kind, the colour and the lettered badge show the clan."""

from functools import lru_cache
from typing import Final

from ....render.shapes import INK, Disc, Path, Point, Shape, Words
from ..notation.words import CLAN_LETTERS
from .colours import CLAN_FILL, CLAN_INK, WHITE
from .geometry import CROWD_SIZE, FIGURE_SIZE
from .scenery import BADGES, BANNERS
from .silhouettes import FIGURES, placed

KIND_NAMES: Final = ("leader", "warrior", "ship", "monster 1", "monster 2", "Mystic")
HALF: Final = 16.0  # figures are drawn in a square from -HALF to HALF
BADGE_AT: Final = (10.5, 11.0)  # in that square
BADGE_SCALE: Final = 0.6
SMALLEST_BADGE: Final = 0.94  # on the board, for letters of a size that can be read
LETTER: Final = 7.6


@lru_cache(maxsize=4000)
def figure(
    seat: int, look: str, at: Point, size: float = FIGURE_SIZE, count: int = 1, marked: bool = True
) -> tuple[Shape, ...]:
    """Return a figure of a clan at a point in the form of `look` (`silhouettes.look`), with the badge if `marked`."""
    x, y = at
    scale = size / (2 * HALF)
    shapes: list[Shape] = [*placed(FIGURES[look], x, y, scale, CLAN_FILL[seat])]
    if marked:
        at_least = max(BADGE_SCALE * scale, SMALLEST_BADGE if size >= CROWD_SIZE else 0)
        shapes += badge(seat, (x + BADGE_AT[0] * scale, y + BADGE_AT[1] * scale), at_least)
    if count > 1:
        bx, by = x - 10 * scale, y + 11 * scale
        shapes.append(Disc(bx, by, 6 * scale, WHITE, INK, 1))
        shapes.append(Words(bx, by + 2.8 * scale, f"×{count}", LETTER * scale, INK, True, "middle"))
    return tuple(shapes)


def badge(seat: int, at: Point, scale: float) -> tuple[Shape, ...]:
    """Return the badge of a clan at a point: shape, colour and letter."""
    x, y = at
    size = 13.0 if len(CLAN_LETTERS[seat]) == 1 else 12.0
    letter = Words(x, y + 4.7 * scale, CLAN_LETTERS[seat], round(size * scale, 2), CLAN_INK[seat], True, "middle")
    return (Path(BADGES[seat], CLAN_FILL[seat], INK, 1.6, x, y, scale), letter)


def symbols() -> dict[str, tuple[Shape, ...]]:
    """Return the figures, in size `geometry.FIGURE_SIZE` and without a clan, and the badges, with their
    letters and as shapes alone, by their names in pages.
    """
    scale = FIGURE_SIZE / (2 * HALF)
    drawn: dict[str, tuple[Shape, ...]] = {
        f"figure-{name}": placed(parts, 0, 0, scale) for name, parts in FIGURES.items()
    }
    for seat in range(len(BADGES)):
        drawn[f"emblem-{seat}"] = badge(seat, (0, 0), 1)
        drawn[f"shape-{seat}"] = badge(seat, (0, 0), 1)[:1]
        drawn[f"banner-{seat}"] = BANNERS[seat]
    return drawn
