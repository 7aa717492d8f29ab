"""What pictures are made of: a few kinds of shape that `svg.py` writes and `pygame_view.py` paints; and the colours.

Clans differ in colour, by a palette that the colour-blind can tell apart (after Okabe and Ito), and in a letter; kinds
of figure in their outline. Nothing is said by colour alone.
"""

from typing import Final, NamedTuple, TypeAlias

from ..engine import Region, Token
from .geometry import Point, Rect

INK: Final = "#26221c"
FAINT: Final = "#6d665a"
PAPER: Final = "#f3efe6"
WHITE: Final = "#ffffff"
LINE: Final = "#c9c1b0"
SEA: Final = "#a9cbdf"
SHORE: Final = "#857a63"
RUIN: Final = "#4d4944"
RUIN_INK: Final = "#d8d2c6"
DOOM: Final = "#b3140f"
ALARM: Final = "#ffd34d"
GOD_FILL: Final = "#5a3a7e"
CLAN_FILL: Final = ("#f2c230", "#d55e00", "#0b8f68", "#2273b5", "#8fc93a")  # by seat
CLAN_INK: Final = (INK, WHITE, WHITE, WHITE, INK)
REGION_FILL: Final = {
    Region.MANHEIM: "#ecdcb2",
    Region.JOTUNHEIM: "#d3d3e6",
    Region.ALFHEIM: "#cbdfb4",
    Region.YGGDRASIL: "#fbf5e0",
}
TOKEN_TEXT: Final = {
    Token.RAGE: "Rage +1",
    Token.AXES: "Axes +1",
    Token.HORNS: "Horns +1",
    Token.GLORY: "5 glory",
    Token.ALL_STATS: "all stats +1",
}


class Polygon(NamedTuple):
    """A filled outline; no `fill` or no `stroke` for none."""

    points: tuple[Point, ...] | list[Point]
    fill: str | None
    stroke: str | None = None
    width: float = 1
    dashed: bool = False


class Box(NamedTuple):
    """A rectangle with round corners."""

    rect: Rect
    fill: str | None
    stroke: str | None = None
    width: float = 1
    radius: float = 4
    dashed: bool = False


class Disc(NamedTuple):
    """A circle."""

    x: float
    y: float
    r: float
    fill: str | None
    stroke: str | None = None
    width: float = 1


class Words(NamedTuple):
    """A line of text; `x` is its start, middle or end, `y` its base line."""

    x: float
    y: float
    text: str
    size: float
    fill: str = INK
    bold: bool = False
    anchor: str = "start"


class Group(NamedTuple):
    """Shapes that are one thing: `name` is an id in the picture, `title` what it is, for people."""

    name: str
    title: str
    shapes: tuple["Shape", ...]


Shape: TypeAlias = Polygon | Box | Disc | Words | Group
