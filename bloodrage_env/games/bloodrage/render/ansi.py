"""The board as text: the ring of eight provinces around Yggdrasil, the fjords, the clans and the open question."""

import re
import textwrap
from collections.abc import Iterator
from typing import Final

import numpy as np

from .. import engine
from ..engine import (
    FIRST_FJORD,
    FIRST_SLOT,
    NONE,
    NUM_AGES,
    NUM_KINDS,
    NUM_SLOTS,
    STAT_VALUE,
    TITLE,
    UNLIMITED,
    VILLAGES,
    CardType,
    Decision,
    Figure,
    Phase,
    Place,
    Slot,
    Stat,
    States,
    forces,
    held_pack,
)
from ..notation.questions import public_decision_text
from ..notation.words import (
    CLAN_LETTERS,
    CLANS,
    GOD_LABELS,
    GODS,
    PHASES,
    PLACES,
    PROVINCES,
    TOKENS,
    card_list,
    copies,
    listed,
    outcome,
    supply,
)

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

    Without `seat` it shows public information. With `seat` it also shows what only that clan may see: its hand, its
    committed quests, its pack in a draft. `notation.state_text` shows everything. With `colour` the figures and names
    of clans are coloured by ANSI escapes. Raises ValueError for a seat that is not in the game.
    """
    s = states[index]
    if seat is not None and not 0 <= seat < s.num_players:
        raise ValueError(f"seat {seat} is not in a game of {s.num_players} players")
    lines = [*_head(s), *_map(states, index), "", *_clans(states, index, seat)]
    if s.battle:
        lines += ["", *_battle(s)]
    if seat is not None:
        lines += ["", *_own(states, index, seat)]
    lines += ["", outcome(s) if s.over else public_decision_text(states, index, seat)]
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


def _head(s: np.record) -> Iterator[str]:
    phase = PHASES[Phase(s.phase)]
    when = f"Age {s.age + 1} of {NUM_AGES}, {phase}; first player {CLANS[s.first_player]}"
    yield _paint(phase if s.over else when, BOLD)


def _map(states: States, index: int) -> Iterator[str]:
    s = states[index]
    yield _pad(_fjord(s, 0), 2 * BOX + 1, "^")
    for row, provinces in enumerate(ROWS):
        contents = [_inside(states, index, province) for province in provinces]
        height = max(len(lines) for lines in contents)
        boxes = [_box(s, p, lines, height) for p, lines in zip(provinces, contents, strict=True)]
        yield from (" ".join(parts) for parts in zip(*boxes, strict=True))
        if row == 0:
            yield " " * 2 * (BOX + 1) + _pad(_fjord(s, 1), BOX, "^")
        elif row == 1:
            yield _pad(_fjord(s, 3), BOX, "^")
    yield " " * (BOX + 1) + _pad(_fjord(s, 2), 2 * BOX + 1, "^")


def _fjord(s: np.record, number: int) -> str:
    """Return the ships of a fjord between waves."""
    place = FIRST_FJORD + number
    ships = [
        _clan(seat, f"[{CLAN_LETTERS[seat]}{LETTERS[kind]}]")
        for seat in range(s.num_players)
        for kind in range(NUM_KINDS)
        for _ in range(s.figures[seat, kind, place])
    ]
    if s.destroyed[2 * number] and s.destroyed[2 * number + 1]:
        return _paint("~ ~ fjord destroyed ~ ~", DIM)
    return " ".join(["~ ~", *(ships or [_paint("fjord", DIM)]), "~ ~"])


def _box(s: np.record, place: int, lines: list[str], height: int) -> list[str]:
    name = f" {PLACES[place]} "
    region = "" if place == Place.YGGDRASIL else f" {_region(place)} "
    top = f"╭─{_paint(name, BOLD)}" + "─" * (BOX - 4 - len(name) - len(region)) + f"{region}─╮"
    marks = ["battle"] if place in (s.battle_province, _called(s)) else []
    below = " ".join(["", *marks, *_doom(s, place), ""])
    bottom = "╰" + (below.center(BOX - 2, "─") if below.strip() else "─" * (BOX - 2)) + "╯"
    if s.destroyed[place]:
        lines = [_paint(_pad("destroyed", INNER, "^"), DIM)]
    filled = lines + [""] * (height - len(lines))
    return [top, *(f"│ {_pad(line, INNER)} │" for line in filled), bottom]


def _region(place: int) -> str:
    return ("Manheim", "Manheim", "Jotunheim", "Jotunheim", "Jotunheim", "Alfheim", "Alfheim", "Manheim")[place]


def _called(s: np.record) -> int:
    return int(s.about_place) if s.decision == Decision.CALL else NONE


def _doom(s: np.record, place: int) -> Iterator[str]:
    for age in range(s.age, NUM_AGES):
        if s.ragnarok[age] == place and not s.destroyed[place]:
            yield "DOOMED" if age == s.age else f"doomed in Age {age + 1}"


def _inside(states: States, index: int, place: int) -> list[str]:
    """Return villages, token, strengths and god of a province."""
    s = states[index]
    lines = _villages(s, place) if VILLAGES[place] < UNLIMITED else _crowd(s)
    token = TOKENS[s.token[place]]
    lines.append(_paint(f"pillaged ({token})", DIM) if s.pillaged[place] else f"token: {token}")
    totals = enumerate(forces(states, index)[1][:, place].tolist())
    parts = [_clan(seat, f"{CLAN_LETTERS[seat]} {total}") for seat, total in totals if total]
    sparse = "STR " + "  ".join(parts)
    lines.append((sparse if _width(sparse) <= INNER else "STR " + " ".join(parts)) if parts else "")
    god = int(s.god_in[place])
    if god != NONE:
        lines.append(f"{GODS[god]}: {GOD_LABELS[god]}")
    return lines


def _villages(s: np.record, place: int) -> list[str]:
    slots = [
        _clan(seat, f"[{CLAN_LETTERS[seat]}{LETTERS[kind]}]")
        for seat in range(s.num_players)
        for kind in range(NUM_KINDS)
        for _ in range(s.figures[seat, kind, place])
    ]
    slots += ["[  ]"] * (int(VILLAGES[place]) - len(slots))
    return [" ".join(slots)]


def _crowd(s: np.record) -> list[str]:
    """Return the figures of Yggdrasil, which has no villages, two clans per line."""
    clans = []
    for seat in range(s.num_players):
        there = "".join(LETTERS[kind] * int(s.figures[seat, kind, Place.YGGDRASIL]) for kind in range(NUM_KINDS))
        if there:
            clans.append(_clan(seat, f"{CLAN_LETTERS[seat]}:{there}"))
    return ["  ".join(clans[i : i + 2]) for i in range(0, len(clans), 2)] or [""]


# ---- the clans

_COLUMNS: Final = (("glory", 7), ("Rage", 7), ("Axes", 6), ("Horns", 7), ("hand", 6), ("quests", 8))


def _clans(states: States, index: int, viewer: int | None) -> Iterator[str]:
    s = states[index]
    asked = NONE if engine.is_secret(states, index) and s.seat != viewer else s.seat
    yield _paint(" " * 9 + "".join(_pad(name, width, ">") for name, width in _COLUMNS) + "  reserve      Valhalla", DIM)
    for seat in range(s.num_players):
        values = [STAT_VALUE[stat, s.stat_step[seat, stat]] for stat in Stat]
        rage = "passed" if s.passed[seat] and s.phase == Phase.ACTION else f"{s.rage[seat]}/{values[Stat.RAGE]}"
        cells = (
            s.glory[seat],
            rage,
            values[Stat.AXES],
            f"{s.on_board[seat]}/{values[Stat.HORNS]}",
            s.hand_size[seat],
            s.quest_count[seat],
        )
        row = "".join(_pad(str(cell), width, ">") for cell, (_, width) in zip(cells, _COLUMNS, strict=True))
        reserve, valhalla = _away(s, seat, Place.RESERVE), _away(s, seat, Place.VALHALLA)
        mark = ">" if seat == asked else " "
        yield f"{mark}{_clan(seat, CLANS[seat].ljust(8))}{row}  {reserve:<12} {valhalla}"
        upgrades = [*_upgrades(s, seat), *_supply_and_bars(s, seat)]
        if upgrades:
            yield from _wrap(" " * 9, ", ".join(upgrades))
        if s.quests_open and s.quest_count[seat]:
            yield from _wrap(" " * 9, f"quests: {card_list(s.quests[seat, : s.quest_count[seat]])}")
    kinds = "S ship, 1 and 2 monsters" if supply(s, 0) is None else "S ship, 1 and 2 monsters, m Mystic"
    yield _paint(f"L leader, w warrior, {kinds}; Rage left/stat; Horns used/stat", DIM)


def _away(s: np.record, seat: int, place: int) -> str:
    """Return the figures that are off the board: ``L 8w S``."""
    parts = []
    for kind in range(NUM_KINDS):
        count = s.figures[seat, kind, place]
        if count:
            parts.append(f"{count}{LETTERS[kind]}" if kind == Figure.WARRIOR or count > 1 else LETTERS[kind])
    return " ".join(parts) or "-"


def _upgrades(s: np.record, seat: int) -> Iterator[str]:
    for slot in range(NUM_SLOTS):
        card = s.upgrades[seat, slot]
        if card != NONE:
            monster = FIRST_SLOT[CardType.MONSTER] <= slot <= Slot.MONSTER_2
            yield f"{LETTERS[slot]} = {TITLE[card]}" if monster else TITLE[card]


def _supply_and_bars(s: np.record, seat: int) -> Iterator[str]:
    """Return the Mystics that have not come yet, and the provinces that the clan may not choose to pillage for now."""
    if left := supply(s, seat):
        yield f"supply: {left}{LETTERS[Figure.MYSTIC]}"
    barred = [PROVINCES[place] for place in s.barred[seat].nonzero()[0]]
    if barred:
        yield f"no pillage of {listed(barred)}"


# ---- the battle, and what one clan alone sees


def _battle(s: np.record) -> Iterator[str]:
    yield f"Battle of {PLACES[s.battle_province]}, pillager {_clan(s.pillager)}"
    for seat in range(s.num_players):
        if s.in_battle[seat]:
            cards = [int(s.main[seat])] if s.main[seat] != NONE else []
            cards += [int(card) for card in s.late[seat, : s.late_count[seat]]]
            text = card_list(cards) if cards else "no card shown"
            if s.main[seat] != NONE and s.counted[seat]:
                text += f" (counts {s.counted[seat]})"
            yield f"  {_clan(seat, CLANS[seat].ljust(8))} {text}"


def _own(states: States, index: int, seat: int) -> Iterator[str]:
    s = states[index]
    yield from _wrap(f"{CLANS[seat]}'s hand: ", card_list(copies(s.hand[seat])))
    if s.quest_count[seat]:
        yield from _wrap("committed quests: ", card_list(s.quests[seat, : s.quest_count[seat]]))
    pack = held_pack(states, index, seat)
    if len(pack):
        yield from _wrap("pack: ", card_list(pack))
    chosen = [int(card) for card in s.pending[seat] if card >= 0]
    if chosen:
        yield f"chosen, not yet shown: {card_list(chosen)}"
