"""The board as text: the ring of eight provinces around Yggdrasil, the fjords, the clans and the open question."""

import re
import textwrap
from collections.abc import Iterator
from typing import Final

from ..engine import (
    FIRST_FJORD,
    FIRST_SLOT,
    NUM_AGES,
    REGION,
    TITLE,
    UNLIMITED,
    VILLAGES,
    CardType,
    Figure,
    Place,
    Region,
    Slot,
    Stat,
    States,
)
from ..notation.words import CLAN_LETTERS, CLANS, GOD_LABELS, GODS, PLACES, PROVINCES, TOKENS, card_list, listed
from .scene import Scene, scene

WIDTH: Final = 98
BOX: Final = 32  # of a province
INNER: Final = BOX - 4
LETTERS: Final = "LwS12m"  # by figure kind
COLOURS: Final = (33, 31, 32, 36, 92)  # by seat: yellow, red, green, cyan, light green
BOLD: Final = 1
DIM: Final = 2
ROWS: Final = (
    (Place.ELVAGAR, Place.ANGERBODA, Place.MUSPELHEIM),
    (Place.MYRKULOR, Place.YGGDRASIL, Place.HORGR),
    (Place.GIMLE, Place.ANDLANG, Place.UTGARD),
)
_ESCAPE = re.compile(r"\x1b\[\d*m")


def board_text(states: States, index: int, seat: int | None = None, colour: bool = False) -> str:
    """Return a game as text of at most 98 columns, without a final newline.

    Parameters
    ----------
    states : ndarray
        An array of games.
    index : int
        One of them.
    seat : int, optional
        A clan whose hand, committed quests and pack in a draft are also shown. By default only public information.
    colour : bool
        True: figures and names of clans are coloured by ANSI escapes.

    Returns
    -------
    str
        The text. Raises ValueError for a seat that is not in the game.

    Examples
    --------
    >>> from bloodrage_env.games.bloodrage import engine
    >>> from bloodrage_env.games.bloodrage.render.ansi import board_text
    >>> print(board_text(engine.new_game(seed=1, num_players=2), 0).splitlines()[0])
    Age 1 of 3, Gods' Gifts; first player Bear
    """
    drawn = scene(states, index, seat)
    lines = [*_head(drawn), *_map(drawn), "", *_clans(drawn)]
    if drawn["battle"]:
        lines += ["", *_battle(drawn["battle"])]
    if seat is not None:
        lines += ["", *_own(seat, drawn["clans"][seat]["private"])]
    lines += ["", drawn["outcome"] or drawn["question"]["text"]]
    text = "\n".join(line.rstrip() for line in lines)
    return text if colour else _ESCAPE.sub("", text)


# ---- text that knows how wide it looks


def _paint(text: str, code: int) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


def _clan(seat: int, text: str | None = None) -> str:
    """Return the name of a clan, or another text, in its colour."""
    return _paint(text or CLANS[seat], COLOURS[seat])


def _width(text: str) -> int:
    return len(_ESCAPE.sub("", text))


def _pad(text: str, width: int, align: str = "<") -> str:
    space = max(0, width - _width(text))
    left = {"<": 0, ">": space, "^": space // 2}[align]
    return " " * left + text + " " * (space - left)


def _wrap(label: str, text: str) -> Iterator[str]:
    """Return a label and a list, wrapped at its commas and indented to its beginning."""
    glued = text.replace(" ", "\xa0").replace(",\xa0", ", ")
    for line in textwrap.wrap(label + glued, WIDTH, subsequent_indent=" " * len(label)):
        yield line.replace("\xa0", " ")


# ---- the board


def _head(drawn: Scene) -> Iterator[str]:
    when = f"Age {drawn['age'] + 1} of {NUM_AGES}, {drawn['phase']}; first player {CLANS[drawn['first_player']]}"
    yield _paint(drawn["phase"] if drawn["over"] else when, BOLD)


def _map(drawn: Scene) -> Iterator[str]:
    fjords = [_fjord(place) for place in drawn["places"][FIRST_FJORD:]]
    yield _pad(fjords[0], 2 * BOX + 1, "^")
    for row, provinces in enumerate(ROWS):
        contents = [_inside(place, drawn["places"][place]) for place in provinces]
        height = max(len(lines) for lines in contents)
        boxes = [_box(drawn, p, lines, height) for p, lines in zip(provinces, contents, strict=True)]
        yield from (" ".join(parts) for parts in zip(*boxes, strict=True))
        if row == 0:
            yield " " * 2 * (BOX + 1) + _pad(fjords[1], BOX, "^")
        elif row == 1:
            yield _pad(fjords[3], BOX, "^")
    yield " " * (BOX + 1) + _pad(fjords[2], 2 * BOX + 1, "^")


def _pieces(entry: Scene) -> list[str]:
    """Return each figure of a place as a piece: ``[WL]``."""
    return [
        _clan(seat, f"[{CLAN_LETTERS[seat]}{LETTERS[kind]}]")
        for seat, kind, count in entry["figures"]
        for _ in range(count)
    ]


def _fjord(entry: Scene) -> str:
    """Return the ships of a fjord between waves."""
    if entry["destroyed"]:
        return _paint("~ ~ fjord destroyed ~ ~", DIM)
    return " ".join(["~ ~", *(_pieces(entry) or [_paint("fjord", DIM)]), "~ ~"])


def _box(drawn: Scene, place: int, lines: list[str], height: int) -> list[str]:
    entry = drawn["places"][place]
    name = f" {PLACES[place]} "
    region = "" if place == Place.YGGDRASIL else f" {Region(REGION[place]).name.capitalize()} "
    top = f"╭─{_paint(name, BOLD)}" + "─" * (BOX - 4 - len(name) - len(region)) + f"{region}─╮"
    marks = ["battle"] if entry["battle"] else []
    if entry["doom"] is not None:
        marks.append("DOOMED" if entry["doom"] == drawn["age"] else f"doomed in Age {entry['doom'] + 1}")
    below = " ".join(["", *marks, ""])
    bottom = "╰" + (below.center(BOX - 2, "─") if below.strip() else "─" * (BOX - 2)) + "╯"
    if entry["destroyed"]:
        lines = [_paint(_pad("destroyed", INNER, "^"), DIM)]
    filled = lines + [""] * (height - len(lines))
    return [top, *(f"│ {_pad(line, INNER)} │" for line in filled), bottom]


def _inside(place: int, entry: Scene) -> list[str]:
    """Return villages, token, strengths and god of a province."""
    lines = _villages(place, entry) if VILLAGES[place] < UNLIMITED else _crowd(entry)
    token = TOKENS[entry["token"]]
    lines.append(_paint(f"pillaged ({token})", DIM) if entry["pillaged"] else f"token: {token}")
    parts = [_clan(seat, f"{CLAN_LETTERS[seat]} {total}") for seat, total in enumerate(entry["strength"]) if total]
    sparse = "STR " + "  ".join(parts)
    lines.append((sparse if _width(sparse) <= INNER else "STR " + " ".join(parts)) if parts else "")
    god = entry["god"]
    if god is not None:
        lines.append(f"{GODS[god]}: {GOD_LABELS[god]}")
    return lines


def _villages(place: int, entry: Scene) -> list[str]:
    slots = _pieces(entry)
    slots += ["[  ]"] * (int(VILLAGES[place]) - len(slots))
    return [" ".join(slots)]


def _crowd(entry: Scene) -> list[str]:
    """Return the figures of Yggdrasil, which has no villages, two clans per line."""
    there: dict[int, str] = {}
    for seat, kind, count in entry["figures"]:
        there[seat] = there.get(seat, "") + LETTERS[kind] * count
    clans = [_clan(seat, f"{CLAN_LETTERS[seat]}:{letters}") for seat, letters in there.items()]
    return ["  ".join(clans[i : i + 2]) for i in range(0, len(clans), 2)] or [""]


# ---- the clans

_COLUMNS: Final = (("glory", 7), ("Rage", 7), ("Axes", 6), ("Horns", 7), ("hand", 6), ("quests", 8))


def _clans(drawn: Scene) -> Iterator[str]:
    asked = drawn["question"] and drawn["question"]["seat"]
    yield _paint(" " * 9 + "".join(_pad(name, width, ">") for name, width in _COLUMNS) + "  reserve      Valhalla", DIM)
    for seat, clan in enumerate(drawn["clans"]):
        values = clan["values"]
        cells = (
            clan["glory"],
            "passed" if clan["passed"] else f"{clan['rage']}/{values[Stat.RAGE]}",
            values[Stat.AXES],
            f"{clan['on_board']}/{values[Stat.HORNS]}",
            clan["hand"],
            clan["quests"],
        )
        row = "".join(_pad(str(cell), width, ">") for cell, (_, width) in zip(cells, _COLUMNS, strict=True))
        mark = ">" if seat == asked else " "
        yield (
            f"{mark}{_clan(seat, CLANS[seat].ljust(8))}{row}  {_away(clan['reserve']):<12} {_away(clan['valhalla'])}"
        )
        upgrades = [*_upgrades(clan), *_supply_and_bars(clan)]
        if upgrades:
            yield from _wrap(" " * 9, ", ".join(upgrades))
        if clan["open_quests"]:
            yield from _wrap(" " * 9, f"quests: {card_list(clan['open_quests'])}")
    kinds = "S ship, 1 and 2 monsters" + (", m Mystic" if drawn["clans"][0]["supply"] is not None else "")
    yield _paint(f"L leader, w warrior, {kinds}; Rage left/stat; Horns used/stat", DIM)


def _away(counts: list[int]) -> str:
    """Return the figures that are off the board, given by kind: ``L 8w S``."""
    parts = []
    for kind, count in enumerate(counts):
        if count:
            parts.append(f"{count}{LETTERS[kind]}" if kind == Figure.WARRIOR or count > 1 else LETTERS[kind])
    return " ".join(parts) or "-"


def _upgrades(clan: Scene) -> Iterator[str]:
    for slot, card in enumerate(clan["upgrades"]):
        if card is not None:
            monster = FIRST_SLOT[CardType.MONSTER] <= slot <= Slot.MONSTER_2
            yield f"{LETTERS[slot]} = {TITLE[card]}" if monster else TITLE[card]


def _supply_and_bars(clan: Scene) -> Iterator[str]:
    """Return the Mystics that have not come yet, and the provinces that the clan may not choose to pillage for now."""
    if clan["supply"]:
        yield f"supply: {clan['supply']}{LETTERS[Figure.MYSTIC]}"
    if clan["barred"]:
        yield f"no pillage of {listed(PROVINCES[place] for place in clan['barred'])}"


# ---- the battle, and what one clan alone sees


def _battle(battle: Scene) -> Iterator[str]:
    yield f"Battle of {PLACES[battle['province']]}, pillager {_clan(battle['pillager'])}"
    for side in battle["sides"]:
        text = card_list(side["cards"]) if side["cards"] else "no card" if battle["revealed"] else "no card shown"
        if side["counted"] and len(side["cards"]) > side["late"]:
            text += f" (counts {side['counted']})"
        yield f"  {_clan(side['seat'], CLANS[side['seat']].ljust(8))} {text}"


def _own(seat: int, private: Scene) -> Iterator[str]:
    yield from _wrap(f"{CLANS[seat]}'s hand: ", card_list(private["hand"]))
    if private["quests"]:
        yield from _wrap("committed quests: ", card_list(private["quests"]))
    if private["pack"]:
        yield from _wrap("pack: ", card_list(private["pack"]))
    if private["chosen"]:
        yield f"chosen, not yet shown: {card_list(private['chosen'])}"
