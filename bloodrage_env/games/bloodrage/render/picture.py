"""A scene as shapes: the whole picture, 1280 by 800. The board is here, the sheets and the texts are in `sheets.py`."""

from collections.abc import Iterator
from functools import lru_cache

from ..engine import FIRST_FJORD, GOD_TEXT, NUM_OUTER, TITLE, Figure, Region
from ..notation.words import CLAN_LETTERS, CLANS, GOD_LABELS, GODS, PLACES
from .figures import KIND_NAMES, figure
from .geometry import BOARD, FRAME, RING, SLOT_RADIUS, SPOTS, Rect, Spot
from .scene import Scene
from .shapes import (
    ALARM,
    CLAN_FILL,
    CLAN_INK,
    DOOM,
    FAINT,
    GOD_FILL,
    INK,
    PAPER,
    REGION_FILL,
    RUIN,
    RUIN_INK,
    SEA,
    SHORE,
    TOKEN_TEXT,
    WHITE,
    Box,
    Disc,
    Group,
    Polygon,
    Shape,
    Words,
)
from .sheets import header, now, sheets, strip


def picture(scene: Scene) -> list[Shape]:
    """All of it, from back to front."""
    return [*ground(scene), *things(scene)]


def ground(scene: Scene) -> list[Shape]:
    """What seldom changes: the land, and the frames around provinces. The fjords come last, over the provinces."""
    shapes: list[Shape] = [Box(FRAME, PAPER, radius=0), *sea()]
    for spot, entry in zip(SPOTS, scene["places"], strict=True):
        land_and_frame = (*land(spot, entry["destroyed"]), *frame(spot, entry, scene["age"]))
        shapes.append(Group(f"place-{spot.place}", place_title(spot, scene), land_and_frame))
    return shapes


def things(scene: Scene) -> list[Shape]:
    """What lies on the land, and all that stands around the board."""
    shapes: list[Shape] = list(header(scene))
    for spot, entry in zip(SPOTS, scene["places"], strict=True):
        shapes += marks(spot, entry, scene["age"])
        shapes += _figures(scene, spot, entry)
    return [*shapes, *sheets(scene), *now(scene), *strip(scene)]


def board_background() -> list[Shape]:
    """The board without anything that changes, for the pages, which draw the rest themselves."""
    lands = [Group(f"place-{spot.place}", spot.name, land(spot, destroyed=False)) for spot in SPOTS]
    return [*sea(), *lands]


def place_title(spot: Spot, scene: Scene) -> str:
    """A place in words: its name, whether it stands, who is there."""
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
    there = [f"{count} {CLANS[seat]} {kind_name(scene, seat, kind)}" for seat, kind, count in entry["figures"]]
    return ", ".join([*words, *there])


def kind_name(scene: Scene, seat: int, kind: int) -> str:
    """A kind of figure in words: "warrior", or what the monster of this slot is."""
    card = scene["clans"][seat]["upgrades"][kind] if kind in (Figure.MONSTER_1, Figure.MONSTER_2) else None
    return KIND_NAMES[kind] if card is None else TITLE[card]


# ---- the land


def sea() -> Iterator[Shape]:
    """Water, and the ground that shows as borders between the provinces."""
    yield Box(BOARD, SEA, SHORE, 1, 22)
    yield Polygon(RING, SHORE)


@lru_cache(maxsize=100)
def land(spot: Spot, destroyed: bool) -> tuple[Shape, ...]:
    """A province or fjord: its ground, name and villages."""
    if spot.place >= FIRST_FJORD:
        x, y = spot.name_at
        return (
            Polygon(spot.outline, RUIN if destroyed else SEA, SHORE, 1.5),
            Words(x, y + 3, "fjord", 9, RUIN_INK if destroyed else FAINT, anchor="middle"),
        )
    ink = RUIN_INK if destroyed else INK
    shapes: list[Shape] = [Polygon(spot.ground, RUIN if destroyed else REGION_FILL[Region(spot.region)])]
    shapes.append(Words(*spot.name_at, spot.name, 15, ink, bold=True))
    if spot.region_at is not None:
        region = Region(spot.region).name
        shapes.append(Words(*spot.region_at, region, 9, RUIN_INK if destroyed else FAINT))
    if destroyed:
        shapes.append(Words(spot.box.x, spot.box.y + 62, "destroyed", 13, RUIN_INK))
    elif spot.place < NUM_OUTER:
        shapes += [Disc(x, y, SLOT_RADIUS, "#faf7f0", SHORE, 1.2) for x, y in spot.slots]
    return tuple(shapes)


# ---- what changes


def frame(spot: Spot, entry: Scene, age: int) -> list[Shape]:
    """A line around a province where there is a battle, or that is doomed."""
    if spot.token is None or entry["destroyed"]:
        return []
    if entry["battle"]:
        return [Polygon(spot.frame, None, INK, 6), Polygon(spot.frame, None, ALARM, 4)]
    if entry["doom"] == age:
        return [Polygon(spot.frame, None, DOOM, 4)]
    return [] if entry["doom"] is None else [Polygon(spot.frame, None, DOOM, 1.5, dashed=True)]


def marks(spot: Spot, entry: Scene, age: int) -> Iterator[Shape]:
    """Tags for doom and battle, the pillage token and the strengths."""
    if spot.token is None or spot.tag is None or entry["destroyed"]:
        return
    yield from _tags(spot.tag, entry["battle"], entry["doom"], age)
    if spot.god is not None and entry["god"] is not None:
        yield _god(spot, spot.god, entry["god"])
    yield _token(spot, spot.token, entry)
    for seat, total in enumerate(entry["strength"]):
        if total:
            chip = spot.chips[seat]
            text = f"{CLAN_LETTERS[seat]} {total}"
            label = Words(chip.x + chip.w / 2, chip.y + 13.5, text, 12.5, CLAN_INK[seat], True, "middle")
            title = f"{CLANS[seat]}: STR {total} in {spot.name}"
            yield Group(f"strength-{spot.place}-{seat}", title, (Box(chip, CLAN_FILL[seat], INK, 1, 3), label))


def _tags(tag: Rect, battle: bool, doom: int | None, age: int) -> Iterator[Shape]:
    """From the right: what Ragnarok will do, and whether there is a battle."""
    right = tag.right
    if doom is not None:
        text = "DOOMED" if doom == age else f"Age {doom + 1}: doom"
        width = 58.0 if doom == age else 70.0
        rect = Rect(right - width, tag.y, width, tag.h)
        yield Box(rect, DOOM if doom == age else WHITE, DOOM, 1, 3)
        ink = WHITE if doom == age else DOOM
        yield Words(rect.x + width / 2, tag.y + 12, text, 10, ink, doom == age, "middle")
        right = rect.x - 4
    if battle:
        rect = Rect(right - 46, tag.y, 46, tag.h)
        yield Box(rect, ALARM, INK, 1, 3)
        yield Words(rect.x + 23, tag.y + 12, "BATTLE", 10, INK, True, "middle")


def _god(spot: Spot, rect: Rect, god: int) -> Shape:
    """Who stands there, and in few words what it does."""
    label = Words(rect.x + rect.w / 2, rect.y + 11.7, f"{GODS[god]}: {GOD_LABELS[god]}", 9.5, WHITE, False, "middle")
    title = f"{GODS[god]} in {spot.name}: {GOD_TEXT[god]}"
    return Group(f"god-{spot.place}", title, (Box(rect, GOD_FILL, INK, 1, 8), label))


def _token(spot: Spot, rect: Rect, entry: Scene) -> Shape:
    text = TOKEN_TEXT[entry["token"]]
    x, y = rect.x + rect.w / 2, rect.y + 13.5
    if entry["pillaged"]:
        word = Words(x, y, "pillaged", 11, FAINT, anchor="middle")
        shapes: tuple[Shape, ...] = (Box(rect, None, FAINT, 1, 9, dashed=True), word)
        return Group(f"token-{spot.place}", f"{spot.name} is pillaged ({text})", shapes)
    shapes = (Box(rect, WHITE, INK, 1.2, 9), Words(x, y, text, 11.5, INK, True, "middle"))
    return Group(f"token-{spot.place}", f"pillage token of {spot.name}: {text}", shapes)


def _figures(scene: Scene, spot: Spot, entry: Scene) -> Iterator[Shape]:
    if entry["destroyed"]:
        return
    for number, ((seat, kind, count), at) in enumerate(zip(entry["figures"], spot.slots, strict=False)):
        title = f"{CLANS[seat]} {kind_name(scene, seat, kind)} in {PLACES[spot.place]}"
        yield Group(f"figure-{spot.place}-{number}", title, figure(seat, kind, at, count=count))
