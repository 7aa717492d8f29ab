"""Berserk as a language model sees it: the names in a struct, composite moves, and the rules.

Cells, rows and columns have the names of texts, which are those of First's side, for both players.
"""

import re
from pathlib import Path
from typing import Any, Final

import numpy as np

from ....core.engine.forms import Names, Relative
from ....core.shown.language import Language, rules_in
from .. import engine
from ..engine import Decision, Direction, Phase, States
from ..mode import TEAM
from ..notation import player
from ..notation.cards import card_facts, describe
from ..notation.modes import BEINGS
from ..notation.words import ACTS, GAINS, PHASES, card_id, cell_name, difference_rows, is_turned, slot_name
from .moves import composite, follow
from .named import plain
from .reasons import why
from .whole import go_on, spoken

_NAMES: Final[Names] = {
    "phase": {phase.name: name for phase, name in PHASES.items()},
    "decision": {each.name: each.name.lower().replace("_", " ") for each in Decision},
    "act": {act.name: name for name, act in ACTS.items()},
    "card": {card_id(card): title for card, title in enumerate(engine.TITLE) if title},
    "die": {"white": "white", "white_2": "second white", "black": "black", "black_2": "second black",
            "block": "to block", "die": "strength"},
    "face": {str(number): number for number in range(1, 7)},
    "gain": dict(zip(("anything", "steppe", "mountain"), GAINS, strict=True)),
    "direction": {each.name: each.name.lower() for each in Direction},
    "number": {str(number): number for number in range(1, 11)},
}  # fmt: skip


def names_of(seat: int, turned: bool) -> Names:
    """What depends on the seat: players and slots by place from the observer, cells by the side it looks from."""
    places = engine.SEAT_AT[seat].tolist()
    cells = [engine.NUM_CELLS - 1 - cell if turned else cell for cell in range(engine.NUM_CELLS)]
    return {
        "seat": {str(place): player(places[place]) for place in range(engine.NUM_SEATS)},
        "slot": {
            str(i): slot_name(places[i // engine.SQUAD] * engine.SQUAD + i % engine.SQUAD)
            for i in range(engine.NUM_SLOTS)
        },
        "own_slot": {str(i): slot_name(seat * engine.SQUAD + i) for i in range(engine.SQUAD)},
        "cell": {str(cell): cell_name(cells[cell]) for cell in range(engine.NUM_CELLS)},
        "row": {str(row): int(cell_name(cells[row * engine.COLUMNS])[1:]) for row in range(engine.ROWS)},
        "column": {str(column): cell_name(cells[column])[0] for column in range(engine.COLUMNS)},
    }


def seen(s: np.record, seat: int) -> Names:
    """`names_of` a seat in a game."""
    return names_of(seat, is_turned(s, seat))


def graveyards(known: States, seat: int) -> dict[str, Any]:
    """Return the slots of each graveyard in the order of deaths, in which cards in Valhalla help (rules 6.3)."""
    died = known[0].died
    found: dict[str, list[str]] = {}
    for slot in sorted(np.flatnonzero(died).tolist(), key=lambda slot: int(died[slot])):
        found.setdefault(player(slot // engine.SQUAD), []).append(slot_name(slot))
    return {"graveyards": found} if found else {}


# In the files of the rules, `<two: TEXT>` is a text of the game of two squads, `<two, team: TEXT>` one of two modes.
_MODE: Final = "team" if TEAM > 1 else "laar" if engine.LAAR else "two"
_OF_MODES: Final = re.compile(r"<([a-z, ]+):( ?)([^<>]*)>")
_FLYERS: Final = (
    "\n\nFLYERS. A flyer is not on the board but in the additional zone of its owner: it has no cell, does not "
    "move and is next to nothing. It is not placed, and comes face up when the placement of its owner is "
    "over. Its strikes and attacks reach every enemy card. Ranged attacks and healing reach it at any "
    "distance. Strikes of cards on the board reach it only while its owner has no card on the board, or where "
    "their text says so; a card that it strikes can counter. Where a flyer strikes or is struck, only another "
    "open flyer can defend. In a composite move the target is named so: `A3: strike flyer B9`."
)
_SHOWN: Final = {
    "differences": "; ".join(f"{name}: {one}, {other}" for name, one, other in difference_rows()), **BEINGS,
}  # fmt: skip


def _of_mode(text: str) -> str:
    """The rules of the mode, from a file with those of all modes."""
    text = _OF_MODES.sub(lambda found: found[3] if _MODE in found[1].split(", ") else "", text)
    for name, shown in _SHOWN.items():
        text = text.replace(f"{{{name}}}", shown)
    return text + (_FLYERS if engine.FLYERS else "")


RULES: Final = {length: _of_mode(text) for length, text in rules_in(Path(__file__).parent).items()}
_CLASSES: Final = sorted({name for row in engine.CLASSES for name in row.split(";") if name})
TERMS: Final = ("formation", "directed", "crystal", "Valhalla", "bonfire", "creature", *_CLASSES)
# The names of all positions, of which a schema is made; own slots are those of any seat.
_ALL: Final = {kind: Relative(names) for kind, names in names_of(0, turned=False).items()}
NAMES: Final[Names] = {**_NAMES, **_ALL, "own_slot": _ALL["slot"]}


def current(struct: dict[str, Any]) -> Any:
    """Return a struct without the decks, and without the deal once the squad is bought."""
    past = ("players",) if struct["phase"] in _RECRUITING else ("players", "deal")
    return {key: value for key, value in struct.items() if key not in past}


def _text(card: int) -> str:
    facts = describe(card)
    return f"{facts.kind}, {card_facts(card)}. {facts.text}".strip()


_RECRUITING: Final = (PHASES[Phase.DEAL], PHASES[Phase.PURCHASE])

LANGUAGE: Final = Language(
    names=NAMES,
    derived=graveyards,
    seen=seen,
    rules=RULES,
    terms=TERMS,
    ordinary=("phase", "seat"),
    moves="Moves and an action of a card can be one answer: `A3: forward 2, left, strike c4`.",
    texts={title: _text(card) for card, title in enumerate(engine.TITLE) if title},
    current=current,
    legend=(Path(__file__).parent / "legend.txt").read_text(encoding="utf-8").strip(),
    plain=plain,
    composite=composite,
    follow=follow,
    go_on=go_on,
    spoken=spoken,
    why=why,
    derived_schema={
        "graveyards": {
            "type": "object",
            "propertyNames": {"enum": [player(seat) for seat in range(engine.NUM_SEATS)]},
            "additionalProperties": {"type": "array", "items": {"$ref": "#/$defs/slot"}},
            "description": "the dead cards of each player in the order of their deaths",
        }
    },
)
