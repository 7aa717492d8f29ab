"""Where everything lies in the picture, in pixels of a frame of 1280 by 800: the one geometry of all renderers.

The board is a ring around Yggdrasil: eight provinces, clockwise from the upper left, and a fjord that reaches in from
the sea between the two provinces that it supports. Every province has a content box: its name, its villages and the
strengths of the clans. The SVG of `svg.py`, the window of `pygame_view.py` and the pages draw from these numbers;
`board_json` hands them to the pages.
"""

import math
from typing import Final, NamedTuple

from ..engine import FIRST_FJORD, MAX_SEATS, NUM_BOARD, NUM_OUTER, REGION, VILLAGES, Figure, Place, Region
from ..notation.words import PLACES

Point = tuple[float, float]


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


FRAME: Final = Rect(0, 0, 1280, 800)
HEADER: Final = Rect(8, 6, 1264, 36)
BOARD: Final = Rect(8, 48, 804, 682)
STRIP: Final = Rect(8, 736, 804, 58)  # under the board: what the viewer alone sees
SHEETS: Final = tuple(Rect(820, 48 + 116 * seat, 452, 112) for seat in range(MAX_SEATS))
NOW: Final = Rect(820, 630, 452, 164)  # the open question, the battle, the last moves

CENTRE: Final = BOARD.middle
OUTER_HALF: Final = (398.0, 338.0)  # half axes of the ring's outer edge ...
INNER_HALF: Final = (160.0, 106.0)  # ... and of Yggdrasil
OUTER_POWER: Final = 4.0  # 2 would be an ellipse, the larger the squarer
INNER_POWER: Final = 2.6
BORDER: Final = 1.5  # half the gap between provinces
INNER_GAP: Final = 6.0  # between Yggdrasil and the ring

GOD: Final = (138.0, 16.0)  # the name of a god and what it does
CHIP: Final = (37.0, 18.0)  # the strength of a clan in a province
CHIP_PITCH: Final = 39.0

SLOT_RADIUS: Final = 19.0
SLOT_PITCH: Final = 43.0
FIGURE_SIZE: Final = 32.0  # figures are drawn in a square of this size, centred on their spot
CONTENT: Final = (212.0, 102.0)  # the content box of an outer province
FJORD_HALF: Final = 38.0  # half the width of a fjord
FJORD_DEPTH: Final = 181.0


# Provinces that mirror the one across: Angerboda is Elvagar turned about. Their border slants on the right.
MIRRORED: Final = (Place.ANGERBODA, Place.UTGARD, Place.GIMLE, Place.MYRKULOR)


class Spot(NamedTuple):
    """All positions of one place on the board."""

    place: int
    name: str
    region: int
    outline: tuple[Point, ...]
    ground: tuple[Point, ...]  # the outline drawn in a little: what is painted ...
    frame: tuple[Point, ...]  # ... and a bit more: where marks around a province run
    slots: tuple[Point, ...]  # centres: a village each, or where figures stand in a place without villages
    box: Rect  # what is written in it lies in here
    region_at: Point | None  # left end of the base line
    name_at: Point  # left end of the base line; the middle of it in Yggdrasil and the fjords
    token: Rect | None  # the pillage token
    tag: Rect | None  # for DOOMED and the like
    god: Rect | None  # the god who stands there
    chips: tuple[Rect, ...]  # strengths, a rectangle a clan


def _on_edge(half: Point, power: float, angle: float) -> Point:
    """The point of a superellipse about the centre in a direction, in degrees clockwise from the right."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    r = (abs(c) ** power + abs(s) ** power) ** (-1 / power)
    return round(CENTRE[0] + half[0] * r * c, 1), round(CENTRE[1] + half[1] * r * s, 1)


def _province_outline(place: int) -> tuple[Point, ...]:
    """A wedge of the ring of 45 degrees: the first province begins to the left of the top."""
    first = -135.0 + 45.0 * place
    angles = [first + 45.0 * i / 8 for i in range(9)]
    inner = (INNER_HALF[0] + INNER_GAP, INNER_HALF[1] + INNER_GAP)
    rim = [_on_edge(OUTER_HALF, OUTER_POWER, angle) for angle in angles]
    return tuple(rim + [_on_edge(inner, INNER_POWER, angle) for angle in reversed(angles)])


# The outer edge of the ring.
RING: Final = tuple(_on_edge((OUTER_HALF[0] + 3, OUTER_HALF[1] + 3), OUTER_POWER, angle) for angle in range(0, 360, 3))


def _drawn_in(outline: tuple[Point, ...], by: float) -> tuple[Point, ...]:
    """A clockwise polygon whose edges have moved inwards by so much."""

    def inwards(start: Point, end: Point) -> Point:
        length = math.dist(start, end)
        return (start[1] - end[1]) / length, (end[0] - start[0]) / length

    moved = []
    for before, (x, y), after in zip((outline[-1], *outline[:-1]), outline, (*outline[1:], outline[0]), strict=True):
        (ax, ay), (cx, cy) = inwards(before, (x, y)), inwards((x, y), after)
        reach = by / (1 + ax * cx + ay * cy)
        moved.append((round(x + reach * (ax + cx), 1), round(y + reach * (ay + cy), 1)))
    return tuple(moved)


def _content_corner(place: int) -> Point:
    """The upper left corner of a province's content box; the ring is the same in all four quarters."""
    top, side = (157.0, 74.0), (587.0, 246.0)  # of Elvagar and of Muspelheim
    x, y = top if place in (Place.ELVAGAR, Place.ANGERBODA, Place.UTGARD, Place.ANDLANG) else side
    if place in MIRRORED:
        x = 2 * CENTRE[0] - x - CONTENT[0]
    if place in (Place.HORGR, Place.UTGARD, Place.ANDLANG, Place.GIMLE):
        y = 2 * CENTRE[1] - y - CONTENT[1]
    return x, y


def _left_edge(outline: tuple[Point, ...], y: float) -> float:
    """Where a polygon begins at a height, from the left."""
    edges = zip(outline, (*outline[1:], outline[0]), strict=True)
    return min(
        start[0] + (end[0] - start[0]) * (y - start[1]) / (end[1] - start[1])
        for start, end in edges
        if min(start[1], end[1]) <= y < max(start[1], end[1])
    )


def _god(place: int, x: float, y: float) -> Rect:
    """Beside the content box that begins at (x, y), on the side where the province is wide."""
    above = place in (Place.MUSPELHEIM, Place.UTGARD, Place.ANDLANG, Place.MYRKULOR)
    left = x + 4 if place in MIRRORED else x + CONTENT[0] - GOD[0] - 4
    return Rect(left, y - 10 - GOD[1] if above else y + CONTENT[1] + 8, *GOD)


def _province(place: int) -> Spot:
    x, y = _content_corner(place)
    first = x + SLOT_RADIUS + 1
    chips = x if place in MIRRORED else x + CONTENT[0] - CHIP_PITCH * MAX_SEATS + CHIP_PITCH - CHIP[0]
    outline = _province_outline(place)
    slots = tuple((first + SLOT_PITCH * i, y + 59) for i in range(int(VILLAGES[place])))
    return Spot(
        place=place,
        name=PLACES[place],
        region=int(REGION[place]),
        outline=outline,
        ground=_drawn_in(outline, BORDER),
        frame=_drawn_in(outline, BORDER + 4),
        slots=slots,
        box=Rect(x, y, *CONTENT),
        region_at=(max(x, _left_edge(outline, y + 2) + BORDER + 8), y + 10),
        name_at=(x, y + 31),
        token=Rect(x + CONTENT[0] - 84, y + 16, 84, 19),
        tag=Rect(x + 74, y - 3, CONTENT[0] - (86 if place in MIRRORED else 74), 16),
        god=_god(place, x, y),
        chips=tuple(Rect(chips + CHIP_PITCH * seat, y + 84, *CHIP) for seat in range(MAX_SEATS)),
    )


def _yggdrasil() -> Spot:
    cx, cy = CENTRE
    box = Rect(cx - 147, cy - 90, 294, 174)
    columns, rows = 9, 3
    outline = tuple(_on_edge(INNER_HALF, INNER_POWER, angle) for angle in range(0, 360, 6))
    return Spot(
        place=int(Place.YGGDRASIL),
        name=PLACES[Place.YGGDRASIL],
        region=int(Region.YGGDRASIL),
        outline=outline,
        ground=_drawn_in(outline, BORDER),
        frame=_drawn_in(outline, BORDER + 4),
        slots=tuple((cx + 32 * (i % columns - 4), cy - 23 + 34 * (i // columns)) for i in range(columns * rows)),
        box=box,
        region_at=None,
        name_at=(cx - 97, cy - 52),
        token=Rect(cx + 11, cy - 67, 86, 19),
        tag=Rect(cx + 36, cy - 87, 46, 16),
        god=Rect(cx - 106, cy - 87, *GOD),
        chips=tuple(Rect(cx - 97 + CHIP_PITCH * seat, cy + 67, *CHIP) for seat in range(MAX_SEATS)),
    )


def _fjord(place: int) -> Spot:
    """An inlet at the top, the right, the bottom or the left, with two rows of five ships."""
    number = place - FIRST_FJORD
    ax, ay = ((0, -1), (1, 0), (0, 1), (-1, 0))[number]  # from the centre outwards
    bx, by = -ay, ax  # along the shore
    half = OUTER_HALF[0] if ax else OUTER_HALF[1]

    def at(depth: float, side: float) -> Point:
        return CENTRE[0] + ax * (half - depth) + bx * side, CENTRE[1] + ay * (half - depth) + by * side

    wide, narrow, deep = FJORD_HALF, FJORD_HALF - 4, FJORD_DEPTH
    shore = [at(-4, -wide - 4), at(6, -wide), at(deep - 14, -narrow - 5), at(deep - 3, -narrow + 10)]
    shore += [at(deep, 0), at(deep - 3, narrow - 10), at(deep - 14, narrow + 5), at(6, wide), at(-4, wide + 4)]
    corners = [at(0, -wide), at(deep, wide)]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    right, bottom = max(x for x, _ in corners), max(y for _, y in corners)
    return Spot(
        place=place,
        name=PLACES[place],
        region=int(Region.YGGDRASIL),
        outline=tuple(shore),
        ground=tuple(shore),
        frame=tuple(shore),
        slots=tuple(at(20 + 33 * (i // 2), -16 + 32 * (i % 2)) for i in range(2 * MAX_SEATS)),
        box=Rect(left, top, right - left, bottom - top),
        region_at=None,
        name_at=at(deep - (22 if ax else 12), 0),
        token=None,
        tag=None,
        god=None,
        chips=(),
    )


def _spot(place: int) -> Spot:
    if place < NUM_OUTER:
        return _province(place)
    return _yggdrasil() if place == Place.YGGDRASIL else _fjord(place)


SPOTS: Final = tuple(_spot(place) for place in range(NUM_BOARD))  # by Place

# Figures by kind, as polygons in a square from -1 to 1: a crown, a shield, a ship, two beasts with horns, a robe.
FIGURES: Final[dict[int, tuple[Point, ...]]] = {
    Figure.LEADER: (
        (-1, -0.75), (-0.5, -0.3), (0, -1), (0.5, -0.3), (1, -0.75), (0.85, 0.85), (-0.85, 0.85),
    ),
    Figure.WARRIOR: tuple(
        (round(0.84 * math.cos(math.tau * i / 24), 3), round(0.84 * math.sin(math.tau * i / 24), 3)) for i in range(24)
    ),
    Figure.SHIP: (
        (-1, -0.95), (-0.72, -0.3), (-0.62, -0.3), (-0.62, -0.85), (0.62, -0.85), (0.62, -0.3), (0.72, -0.3),
        (1, -0.95), (0.9, 0.3), (0.5, 0.8), (-0.5, 0.8), (-0.9, 0.3),
    ),
    Figure.MONSTER_1: (
        (-1, -1), (-0.45, -0.55), (0.45, -0.55), (1, -1), (0.95, 0.05), (0.6, 0.35), (0, 1), (-0.6, 0.35),
        (-0.95, 0.05),
    ),
    Figure.MONSTER_2: (
        (0, -1), (0.32, -0.62), (0.9, -0.72), (0.75, -0.2), (1, 0.25), (0.55, 0.45), (0.5, 1), (0, 0.72),
        (-0.5, 1), (-0.55, 0.45), (-1, 0.25), (-0.75, -0.2), (-0.9, -0.72), (-0.32, -0.62),
    ),
    Figure.MYSTIC: (
        (0, -1), (0.45, -0.6), (0.45, -0.1), (0.95, 1), (-0.95, 1), (-0.45, -0.1), (-0.45, -0.6),
    ),
}  # fmt: skip
# Where the clan's letter is centred in each, as a share of half the size.
LETTER_AT: Final[dict[int, float]] = {
    Figure.LEADER: 0.3,
    Figure.WARRIOR: 0.0,
    Figure.SHIP: 0.0,
    Figure.MONSTER_1: -0.02,
    Figure.MONSTER_2: 0.0,
    Figure.MYSTIC: 0.25,
}


def figure_outline(kind: int, x: float, y: float, size: float) -> list[Point]:
    """The polygon of a figure of this kind about a point."""
    half = size / 2
    return [(round(x + half * px, 1), round(y + half * py, 1)) for px, py in FIGURES[kind]]


def board_json() -> dict[str, object]:
    """What the pages need to place the things that change: by place, the sizes."""
    return {
        "board": list(BOARD),
        "places": [
            {
                "name": spot.name,
                "region": spot.region,
                "slots": [list(slot) for slot in spot.slots],
                "frame": [list(point) for point in spot.frame],
                "token": spot.token and list(spot.token),
                "tag": spot.tag and list(spot.tag),
                "god": spot.god and list(spot.god),
                "chips": [list(chip) for chip in spot.chips],
            }
            for spot in SPOTS
        ],
    }
