"""The layout: every place once, everything in its frame and nothing on top of something else."""

import itertools
import math
import re
from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from bloodrage_env.games.bloodrage import engine
from bloodrage_env.games.bloodrage.engine import TYPE, CardSet, CardType, Figure, God, Token
from bloodrage_env.games.bloodrage.engine.board import FJORD_OF, VILLAGES
from bloodrage_env.games.bloodrage.engine.ids import FIRST_FJORD, MAX_SEATS, NUM_BOARD, NUM_KINDS, NUM_OUTER, Place
from bloodrage_env.games.bloodrage.render import geometry, scenery, silhouettes
from bloodrage_env.games.bloodrage.render.geometry import SPOTS, Spot, inside
from bloodrage_env.games.bloodrage.render.picture import ground, things
from bloodrage_env.games.bloodrage.render.scene import scene
from bloodrage_env.render.shapes import FRAME, Group, Point, Rect, Shape, Words

PROVINCES = [spot for spot in SPOTS if spot.place < FIRST_FJORD]
FJORDS = SPOTS[FIRST_FJORD:]


def square(point: Point, half: float) -> Rect:
    return Rect(point[0] - half, point[1] - half, 2 * half, 2 * half)


def drawn_in(spot: Spot) -> Iterator[Rect]:
    """Rectangles that are written or drawn in, and one about each slot."""
    yield from spot.labels()
    for slot in spot.slots:
        yield square(slot, geometry.SLOT_RADIUS)


def overlap(one: Rect, other: Rect) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


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
    points = [point for slot in spot.slots for point in rim(slot, geometry.SLOT_RADIUS)]
    points += [point for slot in spot.crowd for point in rim(slot, geometry.CROWD_SIZE / 2)]
    points += [corner for box in spot.labels() for corner in corners(box)]
    points += geometry.free_points(spot, 13, 12, ruined=False)
    for point in points:
        assert inside(point, spot.outline), point
        assert not any(inside(point, fjord.outline) for fjord in FJORDS), point


@pytest.mark.parametrize("spot", FJORDS, ids=lambda spot: spot.name)
def test_ships_lie_in_their_fjord(spot: Spot) -> None:
    for slots, size in ((spot.slots, geometry.FIGURE_SIZE), (spot.crowd, geometry.CROWD_SIZE)):
        for slot in slots:
            for point in rim(slot, size / 2 - 1):
                assert inside(point, spot.outline)


def test_nothing_lies_on_something_else() -> None:
    drawn = [(spot.name, rect) for spot in SPOTS for rect in drawn_in(spot)]
    panels = [geometry.HEADER, geometry.STRIP, geometry.NOW, *geometry.SHEETS]
    drawn += [("a panel", panel) for panel in panels]
    for (name, one), (other_name, other) in itertools.combinations(drawn, 2):
        assert not overlap(one, other), (name, one, other_name, other)


def test_a_crowd_stands_side_by_side() -> None:
    for spot in SPOTS:
        rects = [square(slot, geometry.CROWD_SIZE / 2 - 1) for slot in spot.crowd]
        assert not any(overlap(*pair) for pair in itertools.combinations(rects, 2))


def test_there_is_a_slot_a_village_and_room_for_every_kind_elsewhere() -> None:
    for spot in SPOTS[:NUM_OUTER]:
        assert len(spot.slots) == VILLAGES[spot.place]
    assert SPOTS[Place.YGGDRASIL].room >= MAX_SEATS * (NUM_KINDS - 1)  # ships stay in their fjords
    for spot in FJORDS:
        assert spot.room >= 2 * MAX_SEATS  # a ship and a sea serpent each


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


def test_every_figure_and_monster_has_a_drawing_of_its_own() -> None:
    """In a square as large as figures are, so that none covers what is written beside it."""
    drawings = [silhouettes.FIGURES[name] for name in ("leader", "warrior", "ship", "mystic")]
    monsters = np.flatnonzero(TYPE == CardType.MONSTER).tolist()
    drawings += [silhouettes.FIGURES[silhouettes.look(Figure.MONSTER_1, card)] for card in monsters]
    assert len({tuple(part.path for part in drawing) for drawing in drawings}) == len(drawings)
    for drawing in silhouettes.FIGURES.values():
        assert any(silhouettes.BODY in (part.fill, part.stroke) for part in drawing)
        for part in drawing:
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", part.path)]
            assert all(abs(part.x + part.scale * x) <= 21 for x in numbers[::2])
            assert all(abs(part.y + part.scale * y) <= 21 for y in numbers[1::2])


def test_gods_and_tokens_have_drawings() -> None:
    assert set(scenery.GODS) == set(God)
    assert set(scenery.TOKENS) == set(Token)
    assert len(set(scenery.BADGES)) == MAX_SEATS


def test_figures_and_letters_are_large_enough() -> None:
    """On a screen of 1366 by 768 the board has the size of the frame: figures 50 pixels high, letters 11."""
    assert geometry.FIGURE_SIZE >= 50
    states = engine.new_game(1, 5, sets=sum(1 << card_set for card_set in CardSet if card_set))
    states[0].figures[:, Figure.WARRIOR, Place.UTGARD] = 1
    states[0].destroyed[:] = 0
    states[0].destroyed[Place.GIMLE] = 1
    board = [*ground(scene(states, 0)), *things(scene(states, 0))]
    sizes = {words.text: words.size for words in words_of(board) if words.x < geometry.BOARD.right and words.y > 48}
    on_board = {text: size for text, size in sizes.items() if size < 11.2}
    assert on_board == {}


def words_of(shapes: Iterable[Shape]) -> Iterator[Words]:
    for shape in shapes:
        if isinstance(shape, Group):
            yield from words_of(shape.shapes)
        elif isinstance(shape, Words):
            yield shape
