"""Positions in the picture, in pixels of a frame of 1280 by 800: the one geometry of all renderers.

The board is an island: a ring of eight provinces around Yggdrasil, clockwise from the upper left, and a fjord that
reaches in from the sea between the two provinces that it supports. The SVG, the pixels and the
pages draw from these numbers; `board_json` provides them to the pages. Sizes are such that on a screen of 1366
pixels, where the board is about as large as in this frame, figures are 50 pixels high and letters 11 or more.
"""

import math
import random
from typing import Final, NamedTuple

from ....render.shapes import Point, Rect
from ..engine import FIRST_FJORD, MAX_SEATS, NUM_BOARD, NUM_OUTER, REGION, VILLAGES, Place, Region
from ..notation.words import PLACES

HEADER: Final = Rect(8, 6, 1264, 36)
BOARD: Final = Rect(8, 48, 804, 682)
STRIP: Final = Rect(8, 736, 804, 58)  # under the board: what the viewer alone sees
SHEETS: Final = tuple(Rect(820, 48 + 116 * seat, 452, 112) for seat in range(MAX_SEATS))
NOW: Final = Rect(820, 630, 452, 164)  # the open question, the battle, the last moves

CENTRE: Final = BOARD.middle
OUTER_HALF: Final = (386.0, 324.0)  # half axes of the coast ...
INNER_HALF: Final = (160.0, 108.0)  # ... and of Yggdrasil
OUTER_POWER: Final = 4.0  # 2 would be an ellipse, the larger the squarer
INNER_POWER: Final = 2.6
BORDER: Final = 1.5  # half the gap between provinces
INNER_GAP: Final = 6.0  # between Yggdrasil and the ring
COAST_STEP: Final = 2  # degrees between the points of the coast ...
COAST_ROUGH: Final = 3.0  # ... and how far they are off the even line

FIGURE_SIZE: Final = 52.0  # figures are drawn in a square of this size, centred on their spot ...
CROWD_SIZE: Final = 32.0  # ... and in one of this size where there are more than slots
SLOT_RADIUS: Final = 22.0
SLOT_PITCH: Final = 46.0
NAME: Final = (112.0, 22.0)  # the banner with the name of a province
TOKEN: Final = 34.0
GOD: Final = (40.0, 46.0)
TAG: Final = (64.0, 18.0)
CHIP: Final = (40.0, 20.0)  # the strength of a clan in a province
CHIP_PITCH: Final = 41.0
REGION_LABEL: Final = (60.0, 14.0)
# On a phone, where letters are twice as large beside everything else: names, tags as signs, strengths in badges.
SMALL_NAME: Final = (190.0, 38.0)
SMALL_TAG: Final = (46.0, 32.0)
SMALL_BADGE: Final = 35.0
SMALL_PITCH: Final = 36.0

FJORD_HALF: Final = 40.0  # half the width of a fjord
FJORD_DEPTH: Final = 172.0


# Provinces that lie across one that is laid out: Angerboda is Elvagar, Myrkulor is Muspelheim turned about.
MIRRORED: Final = (Place.ANGERBODA, Place.UTGARD, Place.GIMLE, Place.MYRKULOR)
LOWER: Final = (Place.HORGR, Place.UTGARD, Place.ANDLANG, Place.GIMLE)  # provinces of the lower half
TOP: Final = (Place.ELVAGAR, Place.ANGERBODA, Place.UTGARD, Place.ANDLANG)  # provinces beside the upper and lower fjord


class Spot(NamedTuple):
    """The positions of one place on the board."""

    place: int
    name: str
    region: int
    outline: tuple[Point, ...]
    ground: tuple[Point, ...]  # the outline drawn in a little: what is painted ...
    frame: tuple[Point, ...]  # ... and a bit more: where marks around a province run
    slots: tuple[Point, ...]  # centres: a village each, or where figures stand in a place without villages
    crowd: tuple[Point, ...]  # where figures of `CROWD_SIZE` stand if there are more than slots; none in a province
    name_at: Rect | None  # the banner with its name
    region_at: Rect | None
    token: Rect | None  # the pillage token
    tag: Rect | None  # what Ragnarok will do ...
    battle: Rect | None  # ... and that there is a battle
    god: Rect | None  # the god there
    chips: tuple[Rect, ...]  # strengths, a rectangle a clan
    small: tuple[tuple[str, Rect], ...]  # on a phone: `name`, `token`, `tag`, `battle`, `god` and, by number, strengths

    def standing(self, count: int) -> tuple[tuple[Point, ...], float]:
        """The positions of `count` figures, and their size."""
        return (self.crowd, CROWD_SIZE) if count > len(self.slots) and self.crowd else (self.slots, FIGURE_SIZE)

    @property
    def room(self) -> int:
        """The number of figures that fit in the place."""
        return max(len(self.slots), len(self.crowd))

    @property
    def ruin(self) -> Rect:
        """The position of the mark of a destroyed place, over the villages."""
        x, y = (sum(slot[axis] for slot in self.slots) / len(self.slots) for axis in (0, 1))
        return Rect(x - 45, y - 10, 90, 20)

    def labels(self) -> tuple[Rect, ...]:
        """Return the rectangles of everything that is written or drawn in the place, except figures."""
        rects = (self.name_at, self.region_at, self.token, self.tag, self.battle, self.god, *self.chips)
        return tuple(rect for rect in rects if rect is not None)


def _on_edge(half: Point, power: float, angle: float) -> Point:
    """Return the point of a superellipse around the centre in a direction, in degrees clockwise from the right."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    r = (abs(c) ** power + abs(s) ** power) ** (-1 / power)
    return round(CENTRE[0] + half[0] * r * c, 1), round(CENTRE[1] + half[1] * r * s, 1)


def _province_outline(place: int) -> tuple[Point, ...]:
    """Return a wedge of 45 degrees of the ring. The first province begins to the left of the top."""
    first = -135.0 + 45.0 * place
    angles = [first + 45.0 * i / 8 for i in range(9)]
    inner = (INNER_HALF[0] + INNER_GAP, INNER_HALF[1] + INNER_GAP)
    rim = [_on_edge(OUTER_HALF, OUTER_POWER, angle) for angle in angles]
    return tuple(rim + [_on_edge(inner, INNER_POWER, angle) for angle in reversed(angles)])


def _coast(more: float) -> tuple[Point, ...]:
    """Return the uneven edge of the island, which surrounds the ring at a given distance."""
    rough = random.Random(9)
    half = (OUTER_HALF[0] + more, OUTER_HALF[1] + more)
    points = (_on_edge(half, OUTER_POWER, angle) for angle in range(0, 360, COAST_STEP))
    wander = [(rough.uniform(-COAST_ROUGH, COAST_ROUGH), rough.uniform(-COAST_ROUGH, COAST_ROUGH)) for _ in range(180)]
    return tuple((round(x + dx, 1), round(y + dy, 1)) for (x, y), (dx, dy) in zip(points, wander, strict=True))


COAST: Final = _coast(6)
SHALLOWS: Final = _coast(13)
# The edge of the ring without the roughness of the coast.
RING: Final = tuple(_on_edge((OUTER_HALF[0] + 2, OUTER_HALF[1] + 2), OUTER_POWER, angle) for angle in range(0, 360, 3))


def _drawn_in(outline: tuple[Point, ...], by: float) -> tuple[Point, ...]:
    """Return a clockwise polygon with its edges moved inwards by a distance."""

    def inwards(start: Point, end: Point) -> Point:
        length = math.dist(start, end)
        return (start[1] - end[1]) / length, (end[0] - start[0]) / length

    moved = []
    for before, (x, y), after in zip((outline[-1], *outline[:-1]), outline, (*outline[1:], outline[0]), strict=True):
        (ax, ay), (cx, cy) = inwards(before, (x, y)), inwards((x, y), after)
        reach = by / (1 + ax * cx + ay * cy)
        moved.append((round(x + reach * (ax + cx), 1), round(y + reach * (ay + cy), 1)))
    return tuple(moved)


def _size(corner: Point, size: Point) -> Rect:
    return Rect(*corner, *size)


def _quarter(top: bool, villages: int) -> dict[str, Rect]:
    """Return the layout of a province in the quarter of Elvagar (`top`) or Muspelheim, before it is mirrored."""
    rects = {
        "name_at": _size((182, 84), NAME),
        "token": Rect(332, 72, TOKEN, TOKEN),
        "region_at": _size((306, 250), REGION_LABEL),
    }
    rects |= {"god": _size((328, 192), GOD), "tag": _size((258, 200), TAG), "battle": _size((258, 222), TAG)}
    rects |= {"small name": _size((141, 68), SMALL_NAME), "small token": rects["token"]}
    rects |= {"small tag": _size((258, 203), SMALL_TAG), "small battle": _size((306, 203), SMALL_TAG)}
    rects["small god"] = _size((306, 238), GOD)
    slots, chips, badges = (366 - SLOT_RADIUS, 136.0), (327.0, 165.0), (331.0, 164.0)
    if not top:
        rects = {"name_at": _size((607, 242), NAME), "token": Rect(718, 146, TOKEN, TOKEN)}
        rects |= {"region_at": _size((724, 246), REGION_LABEL), "god": _size((664, 188), GOD)}
        rects |= {"tag": _size((711, 190), TAG), "battle": _size((714, 212), TAG)}
        rects |= {"small name": _size((590, 214), SMALL_NAME), "small token": rects["token"]}
        rects |= {"small tag": _size((735, 182), SMALL_TAG), "small battle": _size((684, 182), SMALL_TAG)}
        rects["small god"] = _size((640, 166), GOD)
        slots, chips, badges = (790 - SLOT_RADIUS, 316.0), (751.0, 267.0), (754.0, 254.0)
    for number in range(villages):
        x = slots[0] - SLOT_PITCH * number
        rects[f"slot {number}"] = Rect(x - SLOT_RADIUS, slots[1] - SLOT_RADIUS, 2 * SLOT_RADIUS, 2 * SLOT_RADIUS)
    for seat in range(MAX_SEATS):
        rects[f"chip {seat}"] = _size((chips[0] - CHIP_PITCH * seat, chips[1]), CHIP)
        rects[f"badge {seat}"] = Rect(badges[0] - SMALL_PITCH * seat, badges[1], SMALL_BADGE, SMALL_BADGE)
    return rects


def _turned(place: int, rect: Rect) -> Rect:
    x = 2 * CENTRE[0] - rect.right if place in MIRRORED else rect.x
    y = 2 * CENTRE[1] - rect.bottom if place in LOWER else rect.y
    return Rect(x, y, rect.w, rect.h)


def _province(place: int) -> Spot:
    outline = _province_outline(place)
    rects = {name: _turned(place, rect) for name, rect in _quarter(place in TOP, int(VILLAGES[place])).items()}
    slots = sorted(rect.middle for name, rect in rects.items() if name.startswith("slot"))
    chips, badges = (
        sorted(rect for name, rect in rects.items() if name.startswith(each)) for each in ("chip", "badge")
    )
    small = {name.removeprefix("small "): rect for name, rect in rects.items() if name.startswith("small ")}
    small |= {f"{number}": rect for number, rect in enumerate(badges)}
    return Spot(
        place=place,
        name=PLACES[place],
        region=int(REGION[place]),
        outline=outline,
        ground=_drawn_in(outline, BORDER),
        frame=_drawn_in(outline, BORDER + 3),
        slots=tuple(slots),
        crowd=(),
        name_at=rects["name_at"],
        region_at=rects["region_at"],
        token=rects["token"],
        tag=rects["tag"],
        battle=rects["battle"],
        god=rects["god"],
        chips=tuple(chips),
        small=tuple(small.items()),
    )


def _yggdrasil() -> Spot:
    cx, cy = CENTRE
    outline = tuple(_on_edge(INNER_HALF, INNER_POWER, angle) for angle in range(0, 360, 6))
    upper = [(cx + 48 * (i - 1), cy - 36) for i in range(3)]
    lower = [(cx + 48 * (i - 2.5), cy + 16) for i in range(6)]
    chips = cx - (CHIP_PITCH * (MAX_SEATS - 1) + CHIP[0]) / 2
    return Spot(
        place=int(Place.YGGDRASIL),
        name=PLACES[Place.YGGDRASIL],
        region=int(Region.YGGDRASIL),
        outline=outline,
        ground=_drawn_in(outline, BORDER),
        frame=_drawn_in(outline, BORDER + 4),
        slots=(*upper, *lower),
        crowd=tuple((cx + 31 * (i % 9 - 4), cy - 38 + 33 * (i // 9)) for i in range(27)),
        name_at=Rect(cx - NAME[0] / 2, cy + 72, *NAME),
        region_at=None,
        token=Rect(cx - TOKEN / 2, cy - 100, TOKEN, TOKEN),
        tag=Rect(cx + 26, cy - 92, *TAG),
        battle=Rect(cx + 74, cy - 66, *TAG),
        god=Rect(cx - 118, cy - 66, *GOD),
        chips=tuple(Rect(chips + CHIP_PITCH * seat, cy + 47, *CHIP) for seat in range(MAX_SEATS)),
        small=(
            ("name", Rect(cx - SMALL_NAME[0] / 2, cy + 64, *SMALL_NAME)),
            ("token", Rect(cx - 112, cy - 96, TOKEN, TOKEN)),
            ("tag", Rect(cx + 78, cy - 59, *SMALL_TAG)),
            ("battle", Rect(cx + 78, cy - 59, *SMALL_TAG)),
            ("god", Rect(cx - 118, cy - 61, *GOD)),
            *((f"{seat}", Rect(cx - 74 + 37 * seat, cy - 97, SMALL_BADGE, SMALL_BADGE)) for seat in range(MAX_SEATS)),
        ),
    )


def _fjord(place: int) -> Spot:
    """Return an inlet at the top, right, bottom or left, with three ships in a row or two rows of five small ones."""
    number = place - FIRST_FJORD
    ax, ay = ((0, -1), (1, 0), (0, 1), (-1, 0))[number]  # from the centre outwards
    bx, by = -ay, ax  # along the shore
    half = OUTER_HALF[0] if ax else OUTER_HALF[1]

    def at(depth: float, side: float) -> Point:
        return CENTRE[0] + ax * (half - depth) + bx * side, CENTRE[1] + ay * (half - depth) + by * side

    wide, deep = FJORD_HALF, FJORD_DEPTH
    side = [(-15, wide + 14), (-6, wide + 6), (10, wide), (46, wide - 2), (92, wide), (deep - 26, wide - 4)]
    side += [(deep - 8, wide - 14), (deep, wide - 30)]
    shore = [at(depth, -across) for depth, across in side] + [at(depth, across) for depth, across in reversed(side)]
    return Spot(
        place=place,
        name=PLACES[place],
        region=int(Region.YGGDRASIL),
        outline=tuple(shore),
        ground=tuple(shore),
        frame=tuple(shore),
        slots=tuple(at(28 + 52 * i, 0) for i in range(3)),
        crowd=tuple(at(14 + 33 * (i // 2), -17 + 34 * (i % 2)) for i in range(2 * MAX_SEATS)),
        name_at=None,
        region_at=None,
        token=None,
        tag=None,
        battle=None,
        god=None,
        chips=(),
        small=(),
    )


def _spot(place: int) -> Spot:
    if place < NUM_OUTER:
        return _province(place)
    return _yggdrasil() if place == Place.YGGDRASIL else _fjord(place)


SPOTS: Final = tuple(_spot(place) for place in range(NUM_BOARD))  # by Place


def inside(point: Point, outline: tuple[Point, ...]) -> bool:
    """Return whether a point is in a polygon, by the number of edges that a ray to the right crosses."""
    x, y = point
    crossings = 0
    for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (x1 - x0) * (y - y0) / (y1 - y0):
            crossings += 1
    return crossings % 2 == 1


def free_points(spot: Spot, room: float, most: int, ruined: bool) -> list[Point]:
    """Return points of a place with free space around them, without text or figures."""
    scatter = random.Random(spot.place)
    size = SLOT_RADIUS
    villages = [Rect(x - size, y - size, 2 * size, 2 * size) for x, y in spot.slots]
    written = [rect for rect in (spot.name_at, spot.ruin) if rect is not None]
    taken = written if ruined else [*spot.labels(), *villages]
    fjords = [each.outline for each in SPOTS[FIRST_FJORD:]]
    left, right = min(x for x, _ in spot.ground), max(x for x, _ in spot.ground)
    top, bottom = min(y for _, y in spot.ground), max(y for _, y in spot.ground)
    found: list[Point] = []
    for _ in range(40 * most):
        x, y = round(scatter.uniform(left, right)), round(scatter.uniform(top, bottom))
        corners = [(x + dx, y + dy) for dx in (-room, 0, room) for dy in (-room, 0, room)]
        clear = all(inside(each, spot.ground) and not any(inside(each, fjord) for fjord in fjords) for each in corners)
        if not clear or any(math.dist((x, y), other) < 2 * room for other in found):
            continue
        if all(r.x - room > x or x > r.right + room or r.y - room > y or y > r.bottom + room for r in taken):
            found.append((x, y))
        if len(found) == most:
            break
    return found


def board_json() -> dict[str, object]:
    """Return the geometry that the pages need for everything that changes: sizes, and positions by place."""

    def rects(spot: Spot) -> dict[str, list[float] | None]:
        named = {"token": spot.token, "tag": spot.tag, "battle": spot.battle, "god": spot.god}
        return {name: list(rect) if rect else None for name, rect in named.items()}

    return {
        "board": list(BOARD),
        "figure": FIGURE_SIZE,
        "crowd": CROWD_SIZE,
        "places": [
            {
                "name": spot.name,
                "region": spot.region,
                "slots": [list(slot) for slot in spot.slots],
                "crowd": [list(slot) for slot in spot.crowd],
                "frame": [list(point) for point in spot.frame],
                "chips": [list(chip) for chip in spot.chips],
                "name_at": list(spot.name_at) if spot.name_at else None,
                "small": {name: list(rect) for name, rect in spot.small},
            }
            | rects(spot)
            for spot in SPOTS
        ],
    }
