"""The parts around the board: the clock, the clan sheets, the open question, the battle, the last moves, a hand."""

import textwrap
from collections.abc import Iterable, Iterator
from typing import Final

from ....render.shapes import INK, Box, Group, Polygon, Rect, Shape, Words
from ..engine import NUM_AGES, NUM_STEPS, STRENGTH, TITLE, TYPE, CardType, Figure, Phase, Stat
from ..notation.words import CLANS, PHASES, PLACES, STATS, face
from .colours import ALARM, CLAN_FILL, DOOM, FAINT, LINE, SHORE, WHITE
from .figures import KIND_NAMES, badge, figure
from .geometry import HEADER, NOW, SHEETS, STRIP
from .scene import Scene
from .silhouettes import FIGURES, KINDS, look, placed

MONSTERS: Final = (Figure.MONSTER_1, Figure.MONSTER_2)
SLOT_NAMES: Final = ("leader", "warrior", "ship", "monster 1", "monster 2", "clan", "clan", "clan")
NOW_COLUMNS: Final = 62  # characters a line
STRIP_COLUMNS: Final = 118


def header(scene: Scene) -> Iterator[Shape]:
    """Return the Age and phase."""
    x, y = HEADER.x, HEADER.y
    for age in range(NUM_AGES):
        rect = Rect(x + 62 * age, y + 4, 56, 26)
        current = age == scene["age"] and not scene["over"]
        yield Box(rect, INK if current else WHITE, INK if current else LINE)
        ink = WHITE if current else FAINT
        yield Words(rect.x + 28, rect.y + 18, f"Age {age + 1}", 13, ink, current, "middle")
    x += 62 * NUM_AGES + 16
    for phase in list(Phase)[: Phase.OVER + scene["over"]]:
        name = PHASES[phase]
        width = 8.2 * len(name) + 22
        current = name == scene["phase"]
        yield Box(Rect(x, y + 4, width, 26), ALARM if current else WHITE, INK if current else LINE, 1, 13)
        yield Words(x + width / 2, y + 22, name, 13, INK if current else FAINT, current, "middle")
        x += width + 8
    yield Words(HEADER.right, y + 22, _eyes(scene), 12, FAINT, anchor="end")


def _eyes(scene: Scene) -> str:
    """Return whose view it is."""
    seen = [CLANS[seat] for seat, clan in enumerate(scene["clans"]) if clan["private"]]
    if len(seen) == 1:
        return f"as {seen[0]} sees it"
    return "all hands open" if seen else "public information"


def sheets(scene: Scene) -> Iterator[Shape]:
    """Return the sheets of all clans."""
    for seat in range(scene["players"]):
        yield Group(f"clan-{seat}", f"the clan sheet of {CLANS[seat]}", tuple(_sheet(scene, seat)))


def _sheet(scene: Scene, seat: int) -> Iterator[Shape]:
    clan, rect = scene["clans"][seat], SHEETS[seat]
    question = scene["question"]
    asked = question is not None and question["seat"] == seat
    x, y = rect.x, rect.y
    yield Box(rect, WHITE, INK if asked else LINE, 3 if asked else 1, 8)
    yield Box(Rect(x + 4, y + 4, 8, rect.h - 8), CLAN_FILL[seat], radius=4)
    yield from figure(seat, KINDS[Figure.WARRIOR], (x + 32, y + 19), 27)
    yield Words(x + 52, y + 26, CLANS[seat], 17, INK, bold=True)
    if asked:
        yield Box(Rect(x + 140, y + 9, 72, 20), ALARM, INK, 1, 10)
        yield Polygon(((x + 149, y + 14), (x + 149, y + 24), (x + 157, y + 19)), INK)
        yield Words(x + 162, y + 23.5, "asked", 12, INK, True)
    flags = ["first player"] * (scene["first_player"] == seat) + ["passed"] * clan["passed"]
    yield Words(x + 222, y + 24, ", ".join(flags), 12, FAINT)
    yield Words(rect.right - 56, y + 28, str(clan["glory"]), 25, INK, True, "end")
    yield Words(rect.right - 12, y + 27, "glory", 12, FAINT, anchor="end")
    yield from _stats(clan, x + 20, y + 33)
    yield from _upgrades(clan, x + 20, y + 54)
    yield from _figures(clan, seat, x + 20, y + 100)


def _stats(clan: Scene, x: float, y: float) -> Iterator[Shape]:
    """Return Rage (left of the stat), Axes, and Horns (used of the stat), each as a row of six steps."""
    axes, horns = clan["values"][Stat.AXES], clan["values"][Stat.HORNS]
    values = (f"{clan['rage']}/{clan['values'][Stat.RAGE]}", str(axes), f"{clan['on_board']}/{horns}")
    for stat in Stat:
        left = x + 144 * stat
        yield Words(left, y + 14, STATS[stat], 12, FAINT)
        yield Words(left + 40, y + 14.5, values[stat], 14.5, INK, True)
        for step in range(NUM_STEPS):
            reached = step <= clan["steps"][stat]
            yield Box(Rect(left + 77 + 9 * step, y + 5, 7, 9), INK if reached else WHITE, FAINT, 1, 1)


def _upgrades(clan: Scene, x: float, y: float) -> Iterator[Shape]:
    """Return eight slots in two rows. An empty one shows its type."""
    for slot, card in enumerate(clan["upgrades"]):
        rect = Rect(x + 107 * (slot % 4), y + 18 * (slot // 4), 103, 16)
        mark = f"{slot - Figure.SHIP} " if slot in (Figure.MONSTER_1, Figure.MONSTER_2) else ""
        if card is None:
            yield Box(rect, None, LINE, 1, 3, dashed=True)
            yield Words(rect.x + 6, rect.y + 12, SLOT_NAMES[slot], 10, "#8d8678")
        else:
            yield Box(rect, "#ece5d3", SHORE, 1, 3)
            title = TITLE[card]
            yield Words(rect.x + 5, rect.y + 12.5, mark + title, 10 if len(mark + title) < 17 else 9, INK)


def _figures(clan: Scene, seat: int, x: float, y: float) -> Iterator[Shape]:
    """Return figures off the board, outlines of the Mystics that may still come, and the number of cards."""
    left = x
    with_mystics = clan["supply"] is not None
    for label, counts in (("reserve", clan["reserve"]), ("Valhalla", clan["valhalla"])):
        yield Words(left, y + 4, label, 11, FAINT)
        left += 56 if with_mystics else 60
        for kind, count in enumerate(counts):
            if count:
                yield from figure(
                    seat, look(kind, clan["upgrades"][kind] if kind in MONSTERS else None), (left, y), 21, marked=False
                )
                left += 22
                if kind == Figure.WARRIOR or count > 1:
                    yield Words(left - 9, y + 4.5, f"x{count}", 12, INK, True)
                    left += 18
        if not any(counts):
            yield Words(left - 4, y + 4, "-", 12, FAINT)
            left += 12
        left = max(left, x + 130)
    if clan["supply"]:
        yield from placed(FIGURES[KINDS[Figure.MYSTIC]], left + 8, y, 0.6, WHITE)
        yield Words(left + 18, y + 4.5, f"+{clan['supply']}", 12, INK, True)
    hand, quests = (330, 376) if with_mystics else (304, 360)
    yield Words(x + hand, y + 4, "hand", 11, FAINT)
    yield Words(x + hand + 31, y + 4.5, str(clan["hand"]), 13, INK, True)
    yield Words(x + quests, y + 4, "quests", 11, FAINT)
    yield Words(x + quests + 44 - 2 * with_mystics, y + 4.5, str(clan["quests"]), 13, INK, True)


# ---- texts


def now(scene: Scene) -> Iterator[Shape]:
    """Return the open question, the battle, provinces that may not be pillaged, and as many of the last moves
    as fit.
    """
    yield Box(NOW, WHITE, LINE, 1, 8)
    question = scene["outcome"] if scene["over"] else scene["question"]["text"]
    y = NOW.y + 20
    for line in textwrap.wrap(question, NOW_COLUMNS - 6)[:2]:
        yield Words(NOW.x + 12, y, line, 13, INK, bold=True)
        y += 17
    if scene["battle"]:
        for line in _battle_lines(scene["battle"]):
            for folded in _folded(line, NOW_COLUMNS - 3):
                yield Words(NOW.x + 12, y, folded, 12, INK)
                y += 15
    y += 4
    moves = [*_barred(scene), *reversed(scene["moves"])]
    lines = [wrapped for line in moves for wrapped in _folded(line, NOW_COLUMNS)]
    room = int((NOW.bottom - 8 - y) // 15)
    if lines and room > 0:
        yield Box(Rect(NOW.x + 12, y - 10, NOW.w - 24, 1), LINE, radius=0)
    for number, line in enumerate(lines[: max(room, 0)]):
        yield Words(NOW.x + 12, y + 8 + 15 * number, line, 11.5, FAINT)


def _barred(scene: Scene) -> Iterator[str]:
    for seat, clan in enumerate(scene["clans"]):
        if clan["barred"]:
            yield f"{CLANS[seat]}: no pillage of {', '.join(PLACES[place] for place in clan['barred'])}"


def _folded(text: str, columns: int) -> list[str]:
    return textwrap.wrap(text, columns, subsequent_indent="    ")


def _battle_lines(battle: Scene) -> Iterator[str]:
    yield f"Battle of {PLACES[battle['province']]}, pillager {CLANS[battle['pillager']]}"
    for side in battle["sides"]:
        cards = [_battle_card(card) for card in side["cards"]]
        counted = f", counts {side['counted']}" if side["counted"] else ""
        cancelled = ", text cancelled" if side["cancelled"] else ""
        shown = ", ".join(cards) or ("no card" if battle["revealed"] else "no card shown")
        yield f"  {CLANS[side['seat']]}: STR {side['strength']}; {shown}{counted}{cancelled}"


def _battle_card(card: int) -> str:
    return f"{TITLE[card]} +{STRENGTH[card]}" if TYPE[card] == CardType.BATTLE else face(card)


def strip(scene: Scene) -> Iterator[Shape]:
    """Return the hand of the viewer, or a legend of the shapes for spectators."""
    yield Box(STRIP, WHITE, LINE, 1, 8)
    hands = [(seat, clan["private"]) for seat, clan in enumerate(scene["clans"]) if clan["private"]]
    if len(hands) == 1:
        seat, private = hands[0]
        named = [("hand", "hand"), ("quests", "quests"), ("pack", "pack"), ("chosen", "chosen")]
        parts = [f"{name}: {_cards(private[key])}" for key, name in named if private[key] or key == "hand"]
        lines = textwrap.wrap(f"{CLANS[seat]}'s {'; '.join(parts)}", STRIP_COLUMNS)
        for number, line in enumerate(lines[:3]):
            yield Words(STRIP.x + 12, STRIP.y + 18 + 16 * number, line, 12, INK)
    else:
        yield from _legend()


def _cards(cards: Iterable[int]) -> str:
    return ", ".join(face(card) for card in cards) or "none"


def _legend() -> Iterator[Shape]:
    x, y = STRIP.x + 26, STRIP.y + 29
    for kind, name in enumerate(KIND_NAMES):
        yield from figure(kind % len(CLANS), KINDS[kind], (x, y), 32)
        yield Words(x + 20, y + 4.5, name, 12, INK)
        x += 32 + 7.4 * len(name)
    x += 4
    yield from badge(3, (x + 12, y), 0.95)
    yield Words(x + 32, y + 5, "5", 14, INK, True, "middle")
    yield Words(x + 48, y + 4.5, "Raven has STR 5 there", 12, INK)
    yield Box(Rect(x + 206, y - 8, 58, 16), DOOM, DOOM, 1, 3)
    yield Words(x + 235, y + 4, "doomed", 12, WHITE, True, "middle")
