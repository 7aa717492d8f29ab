"""The drawings, all our own: figures, gods, huts, trees, mountains and icons, as curves about the origin.

A drawing is a row of `Path`. Those of figures are in a square from -16 to 16; what has the colour `BODY` is painted
with the colour of the clan.
"""

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final, TypeAlias

from ....render.shapes import INK, Path
from ..engine import Card
from .colours import BONE, EMBER, GOLD, IRON, STEEL, WHITE, WOOD

BODY: Final = "currentColor"
GIANT_SCALE: Final = 0.86  # giants are drawn larger than the square
Drawing: TypeAlias = tuple[Path, ...]


def _body(path: str) -> Path:
    return Path(path, BODY, INK, 1.1)


def _part(path: str, fill: str, width: float = 0.8) -> Path:
    return Path(path, fill, INK, width)


def _stroke(path: str, colour: str, width: float) -> Path:
    return Path(path, None, colour, width)


def moved(drawing: Drawing, x: float, y: float, scale: float = 1) -> Drawing:
    """Return a drawing at a point."""
    places = ((x + scale * part.x, y + scale * part.y, scale * part.scale, part) for part in drawing)
    return tuple(part._replace(x=left, y=top, scale=size) for left, top, size, part in places)


def _shifted(spot: tuple[float, float], scale: float, numbers: re.Match[str]) -> str:
    return f"{spot[0] + scale * float(numbers[1]):.5g} {spot[1] + scale * float(numbers[2]):.5g}"


def scattered(drawing: Drawing, points: Iterable[tuple[float, float]], scale: float = 1) -> Drawing:
    """Return a drawing at each of these points, with one path for each of its parts."""
    spots = list(points)

    def drawn(path: str) -> str:
        return "".join(re.sub(r"(-?[\d.]+) (-?[\d.]+)", partial(_shifted, spot, scale), path) for spot in spots)

    return tuple(part._replace(path=drawn(part.path), width=part.width * scale) for part in drawing) if spots else ()


_ROUND_SHIELD: Final = (
    _part("M-15 6Q-15 -1 -8.5 -1Q-2 -1 -2 6Q-2 12.5 -8.5 12.5Q-15 12.5 -15 6Z", BONE),
    _part("M-10.5 6Q-10.5 4 -8.5 4Q-6.5 4 -6.5 6Q-6.5 8 -8.5 8Q-10.5 8 -10.5 6Z", IRON),
)
_HELMET: Final = _part("M-6 -8Q-6.5 -15.5 0 -15.5Q6.5 -15.5 6 -8L2 -9L0 -5L-2 -9Z", IRON)
_FACE: Final = _part("M-5 -9Q-5 -3 0 -3Q5 -3 5 -9Z", "#e3b98f")
_FEET: Final = _part("M-7 16L-6 11L-1 11L-1 16ZM7 16L6 11L1 11L1 16Z", WOOD)

WARRIOR: Final[Drawing] = (
    _stroke("M12 -15L12 15", WOOD, 2.2),
    _part("M12 -15Q17 -12 15.5 -5Q13.5 -8 8.5 -8Q8 -13 12 -15Z", STEEL),
    _FEET,
    _body("M-8 12L-8 1Q-7 -4 0 -4Q8 -4 8.5 1L8 12Z"),
    _FACE,
    _HELMET,
    *_ROUND_SHIELD,
)
LEADER: Final[Drawing] = (
    _part("M11 14L10 -10L12 -16L14 -10L13 14Z", STEEL),
    _part("M7.5 3L16.5 3L16.5 5.5L7.5 5.5Z", WOOD),
    _body("M-14 16Q-15 0 -9 -4Q0 -8 9 -4Q14 0 13 16Z"),
    _part("M-3 16L-3 0L3 0L3 16Z", "#4a3a2c", 0.5),
    _part("M-13.5 8L12.8 8L13 10.5L-13.8 10.5Z", GOLD, 0.5),
    _part("M-10 -4Q0 -9 10 -4Q6 1 0 1Q-6 1 -10 -4Z", BONE),
    _part("M-5 -8Q-5 2 0 3.5Q5 2 5 -8Z", "#b0682d"),
    _part("M-5 -9Q-4 -5 0 -5Q4 -5 5 -9Z", "#e3b98f", 0.5),
    _part("M-5.5 -11Q-13 -11 -12 -18Q-9.5 -14.5 -5 -14.5ZM5.5 -11Q13 -11 12 -18Q9.5 -14.5 5 -14.5Z", BONE),
    _part("M-6 -8Q-6.5 -16 0 -16Q6.5 -16 6 -8Q0 -11 -6 -8Z", GOLD),
)
SHIP: Final[Drawing] = (
    _stroke("M0 6L0 -15", WOOD, 2),
    _part("M-10 -14Q0 -11 10 -14Q13 -6 10 1Q0 4 -10 1Q-13 -6 -10 -14Z", BONE),
    Path(
        "M-7 -13.2L-3 -12.6Q-2 -6 -3 2.4L-7 1.8Q-8.5 -6 -7 -13.2ZM7 -13.2L3 -12.6Q4 -6 3 2.4L7 1.8Q8.5 -6 7 -13.2Z",
        BODY,
    ),
    _body(
        "M-14 4Q-17 0 -14.5 -7Q-18 -8 -16 -12Q-12 -12 -11.5 -8Q-13 -2 -9 4L9 4Q13 -2 12 -9"
        "Q15 -11 16 -7Q17 0 14 5Q11 13 4 13L-4 13Q-11 13 -14 4Z"
    ),
    _stroke("M-10 8Q0 10 10 8", INK, 0.8),
    Path(
        "M-6 5.5Q-6 3.5 -4 3.5Q-2 3.5 -2 5.5Q-2 7.5 -4 7.5Q-6 7.5 -6 5.5ZM2 5.5Q2 3.5 4 3.5"
        "Q6 3.5 6 5.5Q6 7.5 4 7.5Q2 7.5 2 5.5Z",
        GOLD,
        INK,
        0.6,
    ),
)
MYSTIC: Final[Drawing] = (
    _stroke("M11.5 -12L11.5 15", WOOD, 2),
    _part("M8 -14Q8 -17.5 11.5 -17.5Q15 -17.5 15 -14Q15 -10.5 11.5 -10.5Q8 -10.5 8 -14Z", "#8fe0e8"),
    _body("M-11 16Q-12 -1 -6 -9Q0 -19 6 -9Q11 -1 9 16Z"),
    _part("M-4.5 -6Q-4 -12 0 -12.5Q4 -12 4.5 -6Q3 0 0 1Q-3 0 -4.5 -6Z", "#2b1c10"),
    _stroke("M-2 -6.5L-1.6 -6.5M1.6 -6.5L2 -6.5", "#8fe0e8", 1.6),
    _stroke("M-3 5L-5 15M3 5L4 15", INK, 0.7),
)
BEAST: Final[Drawing] = (
    _body(
        "M-12 16L-11 6Q-15 2 -12 -5Q-13 -13 -9 -16Q-9 -10 -5 -10L5 -10Q9 -10 9 -16"
        "Q13 -13 12 -5Q15 2 11 6L12 16L5 16L4 10L-4 10L-5 16Z"
    ),
    _part("M-6 -4Q-4 -6 -2 -4ZM6 -4Q4 -6 2 -4Z", WHITE, 0.5),
    _part("M-6 1L6 1L4 4L2 1L0 4L-2 1L-4 4Z", BONE, 0.5),
)
# ---- the monsters

_DWARF: Final[Drawing] = (
    _part("M-8 16L-7 11L-1 11L-1 16ZM8 16L7 11L1 11L1 16Z", WOOD),
    _body("M-10 13Q-12 0 -6 -2L6 -2Q12 0 10 13Z"),
    _part("M-8 -3Q-8 10 0 13Q8 10 8 -3Z", "#c46a2a"),
    _part("M-5 -6Q-5 -1 0 -1Q5 -1 5 -6Z", "#e3b98f", 0.5),
    _part("M-8 -5Q-8 -13 0 -14Q8 -13 8 -5Q0 -8 -8 -5Z", STEEL),
    _stroke("M13 12L13 -7", WOOD, 2),
    _part("M9 -13L17 -13L17 -6L9 -6Z", IRON),
)
_TROLL: Final[Drawing] = (
    _body(
        "M-9 16L-10 8Q-17 8 -15 -1Q-13 -8 -6 -8Q-5 -15 1 -15Q8 -14 7 -7Q14 -6 15 2Q16 8 10 9"
        "L9 16L3 16L1 11L-1 11L-3 16Z"
    ),
    _part("M-5 -9L-1 -9L-3 -7ZM3 -9L6 -9L4.5 -7Z", "#ffe36b", 0.4),
    _part("M-3 -4L5 -4L4 -1.5L3 -4L-1 -4L-2 -1.5Z", BONE, 0.5),
    _stroke("M-1 -8Q3 -5 1 -5", INK, 1),
    _part("M13 4L19 -12Q14 -15 11 -11L10 3Z", WOOD),
)
_SEA_SERPENT: Final[Drawing] = (
    Path("M-17 12Q-13 2 -9 6Q-6 9 -7 13", None, INK, 7.5), _stroke("M-17 12Q-13 2 -9 6Q-6 9 -7 13", BODY, 5.4),
    Path("M-3 13Q-3 -1 3 2Q8 5 6 13", None, INK, 8), _stroke("M-3 13Q-3 -1 3 2Q8 5 6 13", BODY, 5.8),
    _body("M10 14Q8 0 10 -8Q4 -8 0 -6Q2 -15 11 -15Q18 -13 17 -4Q17 4 16 14Z"),
    _part("M9 -11L12 -11L10.5 -9Z", "#ffe36b", 0.4),
    _part("M14 -14L19 -16L17 -10ZM16.5 -6L20 -6L16.5 -1Z", EMBER, 0.6),
    _stroke("M-18 14Q-14 11 -10 14Q-6 17 -2 14Q2 11 6 14Q10 17 14 14Q16 12.5 18 14", "#b9dde4", 1.8),
)  # fmt: skip
_DARK_ELF: Final[Drawing] = (
    _stroke("M-12 -14Q-19 0 -12 14M-12 -14L-12 14", WOOD, 1.5),
    _stroke("M-15 0L5 0", STEEL, 1.2),
    _body("M-7 16L-8 0Q-6 -5 0 -5Q6 -5 8 0L7 16L2 16L0 8L-2 16Z"),
    _part("M-5 -8L-11 -14Q-6 -14 -4 -12L4 -12Q6 -14 11 -14L5 -8Q4 -3 0 -3Q-4 -3 -5 -8Z", "#5d5468"),
    _part("M-6 -11Q-5 -17 0 -17Q5 -17 6 -11Q8 -4 8 0L5 -8Q0 -13 -5 -8L-8 0Q-8 -4 -6 -11Z", WHITE),
    _stroke("M-2.4 -8L-1.6 -8M1.6 -8L2.4 -8", "#ff6b6b", 1.4),
)
_VALKYRIE: Final[Drawing] = (
    _part(        "M-4 -4Q-10 -15 -18 -13Q-15 -9 -16 -6Q-13 -4 -14 0Q-10 2 -11 5Q-7 5 -4 2ZM4 -4"
        "Q10 -15 18 -13Q15 -9 16 -6Q13 -4 14 0Q10 2 11 5Q7 5 4 2Z", WHITE),
    _body("M-9 16L-5 2Q-6 -5 0 -5Q6 -5 5 2L9 16Z"),
    _part("M-4 -9Q-4 -4 0 -4Q4 -4 4 -9Z", "#e3b98f", 0.5),
    _part("M-5 -8Q-5 -15 0 -15Q5 -15 5 -8L6 -2L3.5 -8Q0 -11 -3.5 -8L-6 -2Z", GOLD),
    _stroke("M10 15L10 -15", WOOD, 1.6), _part("M8 -11L10 -18L12 -11Z", STEEL, 0.6),
)  # fmt: skip
_GIANT: Final = (
    "M-9 17L-10 8Q-16 10 -17 2Q-17 -7 -9 -9Q-8 -13 0 -13Q8 -13 9 -9Q17 -7 17 2Q16 10 10 8L9 17L2 17L1 11L-1 11L-2 17Z"
)
_GIANT_HEAD: Final = "M-6 -12Q-6 -19 0 -19Q6 -19 6 -12Q6 -6 0 -5Q-6 -6 -6 -12Z"
_FIRE_GIANT: Final[Drawing] = (
    _body(_GIANT),
    _part("M-7 -13Q-10 -17 -7 -22Q-5 -18 -3 -19Q-3 -23 1 -25Q1 -20 4 -20Q6 -20 6 -23Q9 -18 7 -13Z", EMBER),
    _part(_GIANT_HEAD, "#7a2b16"),
    _stroke("M-2.5 -13L-1.7 -13M1.7 -13L2.5 -13", "#ffe36b", 1.8),
    _stroke("M-9 -4L-5 1L-8 5M7 -5L5 0L9 3M0 0L-1 6", "#ffb03b", 1.3),
    _part("M16 7L12 -19L15 -23L18 -19L19 7Z", "#ffb03b"),
)
_FROST_GIANT: Final[Drawing] = (
    _body(_GIANT),
    _part("M-9 -9L-13 -15L-6 -12ZM9 -9L13 -15L6 -12Z", "#d9f1fb"),
    _part(_GIANT_HEAD, "#9cc7dd"),
    _part("M-6 -10L-4 1L-2 -5L0 4L2 -5L4 1L6 -10Q0 -6 -6 -10Z", "#eaf7fd", 0.6),
    _part("M-6 -15L-5 -22L-2 -18L0 -24L2 -18L5 -22L6 -15Q0 -18 -6 -15Z", "#eaf7fd"),
    _stroke("M-2.5 -13L-1.7 -13M1.7 -13L2.5 -13", "#0d4d78", 1.8),
    _part("M15 17L13 -9L17 -17L20 -9L18 17Z", "#d9f1fb"),
)
_SOLDIER_OF_HEL: Final[Drawing] = (
    _stroke("M12 -15L12 15", WOOD, 1.8),
    _part("M12 -15Q17 -12 15.5 -5Q13.5 -8 9 -8Q8.5 -13 12 -15Z", STEEL),
    _body("M-9 16L-8 0Q0 -6 8 0L9 16L5 13L2 16L0 13L-2 16L-5 13Z"),
    _part("M-6 -9Q-6 -16 0 -16Q6 -16 6 -9Q5 -6 3 -6L3 -3L-3 -3L-3 -6Q-5 -6 -6 -9Z", BONE),
    Path(
        "M-4 -10Q-4 -12 -2.3 -12Q-.8 -12 -.8 -10Q-.8 -8.3 -2.3 -8.3Q-4 -8.3 -4 -10ZM4 -10"
        "Q4 -12 2.3 -12Q.8 -12 .8 -10Q.8 -8.3 2.3 -8.3Q4 -8.3 4 -10Z",
        INK,
    ),
    _stroke("M-5 3L5 3M-5 6.5L5 6.5M-4.5 10L4.5 10M0 0L0 12", BONE, 1.5),
)
_VOLUR: Final[Drawing] = (
    _stroke("M-12 -13L-12 15", WOOD, 2),
    _part("M-15.5 -13L-12 -18L-8.5 -13L-12 -8Z", "#b996e8"),
    _body("M-10 16Q-10 2 -5 -2L5 -2Q10 2 11 16Z"),
    _part("M-4.5 -7Q-4.5 0 0 0Q4.5 0 4.5 -7Z", "#cfd8b4"),
    _part("M-9 -6Q-4 -9 -4 -11L2 -19L4 -11Q5 -8 9 -6Q0 -4 -9 -6Z", "#38254e"),
    _part("M-5 -5Q-8 2 -7 6Q-4 2 -4 -3ZM5 -5Q8 2 7 6Q4 2 4 -3Z", "#9b9b94", 0.5),
)
_WOLF_HEAD: Final = "M4 -4L3 -14L8 -10L13 -14L13 -6Q18 -4 19 1L13 3Q9 5 5 3Z"
_FENRIR: Final[Drawing] = (
    _body(
        "M-17 -2Q-19 -9 -15 -12Q-14 -6 -9 -5Q-2 -8 4 -6L9 -4L8 6L9 16L4 16L3 8L-6 8L-7 16L-12 16L-12 6Q-16 4 -17 -2Z"
    ),
    _body(_WOLF_HEAD),
    _part("M11 3L12 5.5L13.5 3L15 5L16 2.5Z", WHITE, 0.4),
    _stroke("M10 -4L12 -3.4", "#ffe36b", 1.7),
    _stroke("M-8 -1Q-6 2 -8 4M-3 -2Q-1 1 -3 4", INK, 0.8),
)
_MOUNTAIN_GIANT: Final[Drawing] = (
    _body(_GIANT),
    _part(_GIANT_HEAD, "#8d8a82"),
    _part(
        "M-9 -9L-13 -12L-15 -4L-10 -3ZM9 -9L13 -12L15 -4L10 -3ZM-7 -16L-3 -22L0 -18L4 -22L7 -16Q0 -19 -7 -16Z",
        "#a7a49b",
    ),
    _stroke("M-3 -13L-1.6 -13M1.6 -13L3 -13", INK, 1.5),
    _part("M-5 -9Q0 -6 5 -9Q4 1 0 3Q-4 1 -5 -9Z", "#5f7a45"),
    _stroke("M-6 3L-3 6L-6 9M6 1L4 5L7 8", INK, 0.9),
)
_WOLFMAN: Final[Drawing] = (
    _body("M-9 16L-8 7Q-14 9 -16 3L-13 -3Q-10 -6 -5 -6L5 -6Q11 -6 13 -2L17 3Q15 9 8 6L9 16L3 16L1 10L-2 10L-4 16Z"),
    _body("M-6 -6L-7 -16L-2 -12L3 -16L5 -11Q12 -10 12 -6L6 -3Q1 0 -6 -6Z"),
    _stroke("M3 -8.5L5 -8", "#ffe36b", 1.6),
    _part("M6 -4.5L7 -2L8.5 -4.5L10 -2.7L11 -5.5Z", WHITE, 0.4),
    _part("M-16 3L-19 7L-15 6L-15 9L-12 6ZM17 3L20 7L16 6L16 9L13 6Z", BONE, 0.4),
)
_MYSTIC_TROLL: Final[Drawing] = (
    *_TROLL[:4],
    _stroke("M14 14L14 -14", WOOD, 2),
    _part("M10.5 -14Q10.5 -18 14 -18Q17.5 -18 17.5 -14Q17.5 -10.5 14 -10.5Q10.5 -10.5 10.5 -14Z", "#8fe0e8"),
    _stroke("M-6 2L-3 5L-6 8M4 2L1 5L4 8", "#8fe0e8", 1.2),
)

KINDS: Final = ("leader", "warrior", "ship", "monster", "monster", "mystic")  # by `Figure`: the drawing of each
MONSTERS: Final[Mapping[int, str]] = {  # by card; a monster without a drawing of its own has that of its kind
    Card.DWARF_CHIEFTAIN: "dwarf",
    Card.TROLL: "troll",
    Card.SEA_SERPENT: "sea-serpent",
    Card.DARK_ELF: "dark-elf",
    Card.VALKYRIE: "valkyrie",
    Card.FIRE_GIANT: "fire-giant",
    Card.FROST_GIANT: "frost-giant",
    Card.SOLDIER_OF_HEL: "soldier",
    Card.VOLUR_WITCH: "witch",
    Card.FENRIR: "fenrir",
    Card.MOUNTAIN_GIANT: "mountain-giant",
    Card.WOLFMAN: "wolfman",
    Card.MYSTIC_TROLL: "mystic-troll",
}
FIGURES: Final[Mapping[str, Drawing]] = {
    "leader": LEADER,
    "warrior": WARRIOR,
    "ship": SHIP,
    "monster": BEAST,
    "mystic": MYSTIC,
    "dwarf": _DWARF,
    "troll": _TROLL,
    "sea-serpent": _SEA_SERPENT,
    "dark-elf": _DARK_ELF,
    "valkyrie": _VALKYRIE,
    "fire-giant": moved(_FIRE_GIANT, 0, 2, GIANT_SCALE),
    "frost-giant": moved(_FROST_GIANT, 0, 2, GIANT_SCALE),
    "soldier": _SOLDIER_OF_HEL,
    "witch": _VOLUR,
    "fenrir": _FENRIR,
    "mountain-giant": moved(_MOUNTAIN_GIANT, 0, 2, GIANT_SCALE),
    "wolfman": _WOLFMAN,
    "mystic-troll": _MYSTIC_TROLL,
}


def look(kind: int, card: int | None) -> str:
    """Return the name of the drawing of a figure kind; for a monster it depends on the card."""
    return KINDS[kind] if card is None else MONSTERS.get(card, KINDS[kind])


def placed(drawing: Drawing, x: float, y: float, scale: float, body: str = BODY) -> Drawing:
    """Return a figure at a point, with its body in a colour."""
    colour = {BODY: body}
    painted = [
        part._replace(fill=colour.get(part.fill or "", part.fill), stroke=colour.get(part.stroke or "", part.stroke))
        for part in drawing
    ]
    return moved(tuple(painted), x, y, scale)
