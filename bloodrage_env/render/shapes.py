"""The shapes of pictures: `svg.py` writes them as text, `pixels.py` paints them."""

from typing import Final, NamedTuple, TypeAlias

INK: Final = "#26221c"
Point: TypeAlias = tuple[float, float]


class Rect(NamedTuple):
    """Left, top, width, height."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.h

    @property
    def middle(self) -> Point:
        """The centre."""
        return self.x + self.w / 2, self.y + self.h / 2


FRAME: Final = Rect(0, 0, 1280, 800)  # of a whole picture, in pixels


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


class Path(NamedTuple):
    """Lines and curves: `path` has the commands M, L, Q, C and Z of SVG, absolute; moved to (x, y) and scaled."""

    path: str
    fill: str | None
    stroke: str | None = None
    width: float = 1
    x: float = 0
    y: float = 0
    scale: float = 1


class Group(NamedTuple):
    """Shapes that are one thing: `name` is an id in the picture, `title` what it is, for people, `kind` a class."""

    name: str
    title: str
    shapes: tuple["Shape", ...]
    kind: str = ""


Shape: TypeAlias = Polygon | Box | Disc | Words | Path | Group
