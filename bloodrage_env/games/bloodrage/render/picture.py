"""A scene as shapes: the picture of 1280 by 800. This module draws the board, `sheets.py` the sheets and texts."""

from collections.abc import Iterator
from functools import lru_cache

from ....render.shapes import FRAME, INK, Box, Disc, Group, Path, Polygon, Rect, Shape, Words
from ....text import counted
from ..engine import FIRST_FJORD, GOD_TEXT, NUM_OUTER, TITLE, Figure, Region
from ..notation.words import CLANS, GOD_LABELS, GODS, PLACES
from .colours import (
    ALARM,
    BANNER,
    BANNER_INK,
    BONE,
    DOOM,
    FAINT,
    PAPER,
    REGION_FILL,
    REGION_INK,
    RUIN,
    RUIN_INK,
    SAND,
    SEA,
    SHORE,
    TOKEN_TEXT,
    WHITE,
)
from .colours import SHALLOWS as SHALLOW_WATER
from .figures import KIND_NAMES, badge, figure
from .geometry import BOARD, CENTRE, COAST, RING, SHALLOWS, SPOTS, Spot, free_points
from .scene import Scene
from .scenery import BURNT, CRACKS, GROWTH, HUT, SWORDS, TOKENS, TREE, WAVE
from .scenery import GODS as GOD_DRAWINGS
from .sheets import header, now, sheets, strip
from .silhouettes import look, scattered
from .silhouettes import moved as at

HUT_SCALE = 1.35
ICON_SCALE = 1.25  # of a token's icon
GROWTH_ROOM = 13.0
GROWTH_MOST = 12
CRACKS_MOST = 9
NAME_LETTERS = 14.0
SMALL_LETTERS = 12.0


def picture(scene: Scene) -> list[Shape]:
    """Return all shapes, from back to front."""
    return [*ground(scene), *things(scene)]


def ground(scene: Scene) -> list[Shape]:
    """Return what seldom changes: the land, and the frames around provinces. The fjords are last, over the
    provinces.
    """
    shapes: list[Shape] = [Box(FRAME, PAPER, radius=0), *sea()]
    for spot, entry in zip(SPOTS, scene["places"], strict=True):
        land_and_frame = (*land(spot, entry["destroyed"]), *frame(spot, entry, scene["age"]))
        shapes.append(Group(f"place-{spot.place}", place_title(spot, scene), land_and_frame))
    return shapes


def things(scene: Scene) -> list[Shape]:
    """Return the pieces on the land, and everything around the board."""
    shapes: list[Shape] = list(header(scene))
    for spot, entry in zip(SPOTS, scene["places"], strict=True):
        shapes += marks(spot, entry, scene["age"])
        shapes += _figures(scene, spot, entry)
    return [*shapes, *sheets(scene), *now(scene), *strip(scene)]


def board_background() -> list[Shape]:
    """Return the board without anything that changes, for the pages, which draw the rest themselves."""
    lands = []
    for spot in SPOTS:
        whole = Group("", "", land(spot, destroyed=False)[1:], "standing")
        ruined = Group("", "", land(spot, destroyed=True)[1:], "ruined")
        kind = "fjord" if spot.place >= FIRST_FJORD else "province"
        lands.append(Group(f"place-{spot.place}", spot.name, (land(spot, destroyed=False)[0], whole, ruined), kind))
    return [*sea(), *lands]


def place_title(spot: Spot, scene: Scene) -> str:
    """Return a description of a place: its name, whether it is destroyed, who is there."""
    entry = scene["places"][spot.place]
    words = [spot.name[0].upper() + spot.name[1:]]
    if entry["destroyed"]:
        return f"{words[0]}, destroyed"
    if entry.get("doom") is not None:
        words.append("doomed" if entry["doom"] == scene["age"] else f"doomed in Age {entry['doom'] + 1}")
    if entry.get("pillaged"):
        words.append("pillaged")
    if entry.get("god") is not None:
        words.append(f"{GODS[entry['god']]} stands here")
    there = [counted(count, f"{CLANS[seat]} {kind_name(scene, seat, kind)}") for seat, kind, count in entry["figures"]]
    return ", ".join([*words, *there])


def card_of(scene: Scene, seat: int, kind: int) -> int | None:
    """Return the card of a monster, or None for other figures."""
    return scene["clans"][seat]["upgrades"][kind] if kind in (Figure.MONSTER_1, Figure.MONSTER_2) else None


def kind_name(scene: Scene, seat: int, kind: int) -> str:
    """Return the name of a figure kind: "warrior", or the monster of this slot."""
    card = card_of(scene, seat, kind)
    return KIND_NAMES[kind] if card is None else TITLE[card]


# ---- the land


@lru_cache(maxsize=1)
def sea() -> tuple[Shape, ...]:
    """Return the water, the coast, and the ground that forms the borders between the provinces."""
    waves = [(x, y) for x in range(24, 790, 46) for y in range(60, 730, 38)]
    corners = [(x, y) for x, y in waves if abs(x - CENTRE[0]) / 395 + abs(y - CENTRE[1]) / 335 > 1.82]
    drawn = scattered(WAVE, [(x + 9 * (number % 3), y) for number, (x, y) in enumerate(corners)])
    coast = (Polygon(SHALLOWS, SHALLOW_WATER), Polygon(COAST, SAND), Polygon(RING, SHORE))
    return (Box(BOARD, SEA, SHORE, 1, 22), *drawn, *coast)


@lru_cache(maxsize=100)
def land(spot: Spot, destroyed: bool) -> tuple[Shape, ...]:
    """Return a province or fjord: its ground first, then its plants, villages and name."""
    if spot.place >= FIRST_FJORD:
        banks = "L".join(f"{x:g} {y:g}" for x, y in spot.outline[1:-1])
        x, y = spot.slots[-1]
        water = Polygon(spot.outline, RUIN if destroyed else SEA)
        return (
            water,
            Path(f"M{banks}", None, SAND, 4),
            *(() if destroyed else (*at(WAVE, x - 9, y + 9), *at(WAVE, x + 8, y - 14))),
        )
    ground = Polygon(spot.ground, RUIN if destroyed else REGION_FILL[Region(spot.region)])
    banner = () if spot.name_at is None else _banner(spot.name_at, spot.name, destroyed)
    if destroyed:
        cracks = scattered(CRACKS, free_points(spot, GROWTH_ROOM, CRACKS_MOST, True))
        x, y = spot.ruin.middle
        return (ground, *cracks, *banner, Words(x, y + 5, "destroyed", NAME_LETTERS, RUIN_INK, anchor="middle"))
    if spot.place >= NUM_OUTER:
        return (ground, *at(TREE, *CENTRE), *banner)
    drawing = GROWTH[Region(spot.region)]
    shapes: list[Shape] = [ground, *scattered(drawing, free_points(spot, GROWTH_ROOM, GROWTH_MOST, False))]
    shapes += scattered(HUT, [(x, y + 8) for x, y in spot.slots], HUT_SCALE)
    if spot.region_at is not None:
        x, y = spot.region_at.middle
        name = Region(spot.region).name.capitalize()
        shapes.append(Group("", "", (Words(x, y + 4, name, SMALL_LETTERS, REGION_INK, anchor="middle"),), "region"))
    return (*shapes, *banner)


def _banner(rect: Rect, name: str, destroyed: bool) -> tuple[Shape, ...]:
    """A name on a banner with two tails."""
    x, y, w, h = rect
    edge = ((x, y), (x + w, y), (x + w - 7, y + h / 2), (x + w, y + h), (x, y + h), (x + 7, y + h / 2))
    words = Words(x + w / 2, y + 16, name, NAME_LETTERS, BANNER_INK, True, "middle")
    return (Group("", "", (Polygon(edge, RUIN if destroyed else BANNER, INK, 1), words), "banner"),)


# ---- what changes


def frame(spot: Spot, entry: Scene, age: int) -> list[Shape]:
    """Return a line around a province with a battle or a doomed one."""
    if spot.token is None or entry["destroyed"]:
        return []
    if entry["battle"]:
        return [Polygon(spot.frame, None, INK, 7), Polygon(spot.frame, None, ALARM, 5)]
    if entry["doom"] == age:
        return [Polygon(spot.frame, None, DOOM, 4)]
    return [] if entry["doom"] is None else [Polygon(spot.frame, None, DOOM, 1.5, dashed=True)]


def marks(spot: Spot, entry: Scene, age: int) -> Iterator[Shape]:
    """Return the tags of doom and battle, the god, the pillage token, burnt villages and the strengths."""
    if spot.token is None or spot.tag is None or spot.battle is None or entry["destroyed"]:
        return
    yield from _tags(spot.tag, spot.battle, entry["battle"], entry["doom"], age)
    if spot.god is not None and entry["god"] is not None:
        yield god(entry["god"], spot.god, spot.name, f"god-{spot.place}")
    yield _token(spot, spot.token, entry)
    if entry["pillaged"] and spot.place < NUM_OUTER:
        for number in range(len(entry["figures"]), len(spot.slots)):
            x, y = spot.slots[number]
            yield from at(BURNT, x, y + 8, HUT_SCALE)
    for seat, total in enumerate(entry["strength"]):
        if total:
            title = f"{CLANS[seat]}: STR {total} in {spot.name}"
            yield Group(f"strength-{spot.place}-{seat}", title, strength(seat, total, spot.chips[seat]))


def strength(seat: int, total: int, rect: Rect) -> tuple[Shape, ...]:
    """Return the badge of a clan and the sum of its STR."""
    number = Words(rect.x + 31, rect.y + 15, f"{total}", 14, INK, True, "middle")
    return (Box(rect, BONE, INK, 1, 5), *badge(seat, (rect.x + 11, rect.y + 10), 0.92), number)


def _tags(tag: Rect, where: Rect, battle: bool, doom: int | None, age: int) -> Iterator[Shape]:
    """Return the tags of Ragnarok and of a battle."""
    if doom is not None:
        soon = doom == age
        yield Box(tag, DOOM if soon else WHITE, DOOM, 1, 3)
        text = "doomed" if soon else f"Age {doom + 1}: †"
        yield Words(tag.middle[0], tag.y + 13.5, text, SMALL_LETTERS, WHITE if soon else DOOM, soon, "middle")
    if battle:
        yield Box(where, ALARM, INK, 1, 3)
        yield from at(SWORDS, where.x + 10, where.y + 9, 0.8)
        yield Words(where.x + 41, where.y + 13.5, "battle", SMALL_LETTERS, INK, True, "middle")


def god(number: int, rect: Rect, place: str, name: str) -> Shape:
    """Return a god in a place."""
    title = f"{GODS[number]} in {place} ({GOD_LABELS[number]}): {GOD_TEXT[number]}"
    return Group(name, title, at(GOD_DRAWINGS[number], *rect.middle))


def _token(spot: Spot, rect: Rect, entry: Scene) -> Shape:
    text = TOKEN_TEXT[entry["token"]]
    x, y = rect.middle
    if entry["pillaged"]:
        cross = Path("M-8 -8L8 8M8 -8L-8 8", None, FAINT, 2.5, x, y)
        shapes: tuple[Shape, ...] = (Disc(x, y, rect.w / 2 - 1, "#9a9283", FAINT, 1), cross)
        return Group(f"token-{spot.place}", f"{spot.name} is pillaged ({text})", shapes)
    drawn = at(TOKENS[entry["token"]], x, y, ICON_SCALE)
    shapes = (Disc(x, y, rect.w / 2, BONE, INK, 1.4), *drawn)
    return Group(f"token-{spot.place}", f"pillage token of {spot.name}: {text}", shapes)


def _figures(scene: Scene, spot: Spot, entry: Scene) -> Iterator[Shape]:
    if entry["destroyed"]:
        return
    points, size = spot.standing(len(entry["figures"]))
    for number, ((seat, kind, count), point) in enumerate(zip(entry["figures"], points, strict=False)):
        title = f"{CLANS[seat]} {kind_name(scene, seat, kind)} in {PLACES[spot.place]}"
        drawn = figure(seat, look(kind, card_of(scene, seat, kind)), point, size, count)
        yield Group(f"figure-{spot.place}-{number}", title, drawn)
