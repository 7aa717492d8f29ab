"""The layout: every place once, everything in its frame and nothing on top of something else."""

import itertools
import math
from collections.abc import Iterator

import pytest

from bloodrage_env.games.bloodrage.engine.board import FJORD_OF, VILLAGES
from bloodrage_env.games.bloodrage.engine.ids import (
    FIRST_FJORD,
    MAX_SEATS,
    NUM_BOARD,
    NUM_KINDS,
    NUM_OUTER,
    Place,
    Region,
)
from bloodrage_env.games.bloodrage.render import geometry
from bloodrage_env.games.bloodrage.render.geometry import FRAME, SPOTS, Point, Rect, Spot

NAME_SIZE = 15
REGION_SIZE = 9 * 0.62  # of a letter
BOLD_WIDTH = 0.72  # of a letter, as a share of its size

PROVINCES = [spot for spot in SPOTS if spot.place < FIRST_FJORD]
FJORDS = SPOTS[FIRST_FJORD:]


def labels(spot: Spot) -> Iterator[Rect]:
    """Rectangles that are written or drawn in, and one about each slot."""
    if spot.place < FIRST_FJORD:
        x, y = spot.name_at
        yield Rect(x, y - NAME_SIZE, BOLD_WIDTH * NAME_SIZE * len(spot.name), NAME_SIZE + 4)
    yield from (rect for rect in (spot.token, spot.tag, spot.god, *spot.chips) if rect is not None)
    size = geometry.FIGURE_SIZE if spot.place >= NUM_OUTER else 2 * geometry.SLOT_RADIUS
    yield from (Rect(x - size / 2, y - size / 2, size, size) for x, y in spot.slots)


def overlap(one: Rect, other: Rect) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def inside(point: Point, outline: tuple[Point, ...]) -> bool:
    """Whether a ray from the point to the right crosses the outline an odd number of times."""
    x, y = point
    crossings = 0
    for (x0, y0), (x1, y1) in itertools.pairwise((*outline, outline[0])):
        if (y0 > y) != (y1 > y) and x < x0 + (x1 - x0) * (y - y0) / (y1 - y0):
            crossings += 1
    return crossings % 2 == 1


def corners(rect: Rect) -> list[Point]:
    return [(x, y) for x in (rect.x, rect.right) for y in (rect.y, rect.bottom)]


def rim(slot: Point, radius: float) -> list[Point]:
    return [
        (slot[0] + radius * math.cos(a), slot[1] + radius * math.sin(a)) for a in (i * math.pi / 4 for i in range(8))
    ]


def middle(spot: Spot) -> Point:
    xs, ys = [x for x, _ in spot.outline], [y for _, y in spot.outline]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def test_every_place_lies_on_the_board_once() -> None:
    assert [spot.place for spot in SPOTS] == list(range(NUM_BOARD))
    assert len({middle(spot) for spot in SPOTS}) == NUM_BOARD


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.name)
def test_outlines_lie_in_the_frame(spot: Spot) -> None:
    for x, y in (*spot.outline, *spot.ground, *spot.frame):
        assert FRAME.x <= x <= FRAME.right
        assert FRAME.y <= y <= FRAME.bottom


@pytest.mark.parametrize("spot", PROVINCES, ids=lambda spot: spot.name)
def test_what_is_in_a_province_lies_within_its_outline_and_in_no_fjord(spot: Spot) -> None:
    radius = geometry.SLOT_RADIUS
    points = [point for slot in spot.slots for point in rim(slot, radius)]
    x, y = spot.name_at
    boxes = [Rect(x, y - 12, BOLD_WIDTH * NAME_SIZE * len(spot.name), 14), *spot.chips]
    if spot.region_at:
        x, y = spot.region_at
        boxes.append(Rect(x, y - 7, REGION_SIZE * len(Region(spot.region).name), 7))
    boxes += [rect for rect in (spot.token, spot.god, spot.tag) if rect]
    if spot.tag and spot.place < NUM_OUTER:  # tags are written from the right, seldom more than half of it
        boxes[-1] = Rect(spot.tag.x + 30, spot.tag.y + 4, spot.tag.w - 44, spot.tag.h - 4)
    points += [corner for box in boxes for corner in corners(box)]
    for point in points:
        assert inside(point, spot.outline), point
        assert not any(inside(point, fjord.outline) for fjord in FJORDS), point


@pytest.mark.parametrize("spot", FJORDS, ids=lambda spot: spot.name)
def test_ships_lie_in_their_fjord(spot: Spot) -> None:
    for slot in spot.slots:
        for point in rim(slot, geometry.FIGURE_SIZE / 2 - 1):
            assert inside(point, spot.outline)


def test_nothing_lies_on_something_else() -> None:
    drawn = [(spot.name, rect) for spot in SPOTS for rect in labels(spot)]
    panels = [geometry.HEADER, geometry.STRIP, geometry.NOW, *geometry.SHEETS]
    drawn += [("a panel", panel) for panel in panels]
    for (name, one), (other_name, other) in itertools.combinations(drawn, 2):
        assert not overlap(one, other), (name, one, other_name, other)


def test_there_is_a_slot_a_village_and_room_for_every_kind_elsewhere() -> None:
    for spot in SPOTS[:NUM_OUTER]:
        assert len(spot.slots) == VILLAGES[spot.place]
    assert len(SPOTS[Place.YGGDRASIL].slots) >= MAX_SEATS * (NUM_KINDS - 1)  # ships stay in their fjords
    for spot in FJORDS:
        assert len(spot.slots) >= 2 * MAX_SEATS  # a ship and a sea serpent each


def test_the_ring_goes_clockwise() -> None:
    """rules 1.1"""
    cx, cy = geometry.CENTRE
    angles = [math.degrees(math.atan2(y - cy, x - cx)) % 360 for x, y in map(middle, SPOTS[:NUM_OUTER])]
    turned = [(angle - angles[0]) % 360 for angle in angles]
    assert turned == sorted(turned)
    assert angles[0] == pytest.approx(237, abs=15)  # the first one is to the left of the top


def test_each_fjord_lies_between_its_provinces() -> None:
    """rules 1.3"""
    for fjord in FJORDS:
        x, y = middle(fjord)
        near = sorted(range(NUM_OUTER), key=lambda place: math.dist((x, y), middle(SPOTS[place])))[:2]
        assert sorted(near) == [place for place in range(NUM_OUTER) if FJORD_OF[place] == fjord.place]


def test_figures_have_outlines_of_their_own() -> None:
    shapes = [geometry.figure_outline(kind, 0, 0, 2) for kind in range(NUM_KINDS)]
    assert len({tuple(shape) for shape in shapes}) == NUM_KINDS
    assert all(abs(c) <= 1 for shape in shapes for point in shape for c in point)
