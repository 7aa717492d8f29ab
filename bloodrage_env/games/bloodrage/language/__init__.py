"""Blood Rage as a language model sees it: the names in a struct and the rules."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from ....core.engine.forms import Names, Relative
from ....core.shown.language import Language, rules_in
from ..engine import (
    GOD,
    GOD_TEXT,
    PLAYABLE,
    TEXT,
    Card,
    CardSet,
    Decision,
    Figure,
    God,
    Place,
    Stat,
    States,
    cards_of,
    quests_met,
)
from ..notation import CLANS
from ..notation.words import GODS, PHASES, PLACES, STATS, TOKENS, copies, face
from ..terminal.cards import card_facts
from .moves import composite, follow, plain
from .reasons import why
from .whole import go_on, spoken

_CLANS: Final = Relative((str(place), name) for place, name in enumerate(CLANS))
NAMES: Final[Names] = {
    "players": {str(number): number for number in range(2, len(CLANS) + 1)},
    "set": {each.name: each.name.lower() for each in CardSet},
    "age": {str(age): age for age in (1, 2, 3)},
    "phase": {phase.name: name for phase, name in PHASES.items()},
    "decision": {each.name: each.name.lower().replace("_", " ") for each in Decision},
    "seat": _CLANS,
    "other": _CLANS,
    "place": {place.name: name for place, name in zip(Place, PLACES, strict=True)},
    "kind": {each.name: each.name.capitalize().replace("_", " ") for each in Figure},
    "mystic_from": {"0": PLACES[Place.RESERVE], "1": PLACES[Place.VALHALLA]},
    "card": {card.name: face(card) for card in Card},
    "stat": {stat.name: name for stat, name in zip(Stat, STATS, strict=True)},
    "token": {token.name: name for token, name in TOKENS.items()},
    "god": {god.name: name for god, name in zip(God, GODS, strict=True)},
    "count": {str(number): number for number in range(9)},
    "slot": {str(number): number + 1 for number in range(3)},
}


TERMS: Final = (
    "Rage", "Axes", "Horns", "glory", "Ragnarok", "Valhalla", "Mystic", "figure", "Manheim", "Jotunheim", "Alfheim",
)  # fmt: skip


def seen(s: np.record, seat: int) -> Names:
    """The clans from the seat clockwise."""
    players = int(s.num_players)
    clans = {str(place): CLANS[(seat + place) % players] for place in range(players)}
    return {"seat": clans, "other": {place: name for place, name in clans.items() if place != "0"}}


def derived(known: States, seat: int) -> dict[str, Any]:
    """Return which own quests the present board meets (rules 3.4), in the hand and committed."""
    s = known[0]
    met = quests_met(known, 0, seat)
    own = [*copies(s.hand[seat].tolist()), *s.quests[seat, : s.quest_count[seat]].tolist()]
    found = sorted({face(card) for card in own if met[card]})
    return {"quests_met": found} if found else {}


def current(struct: dict[str, Any]) -> Any:
    """Return a struct without the cards that were passed on, discarded or left the game."""
    return {key: value for key, value in struct.items() if key not in ("passed_on", "discards", "seen_leaving")}


def _text(card: int) -> str:
    of_god = f", of {GOD[card]}" if GOD[card] else ""
    return f"{card_facts(card)}{of_god}. {TEXT[card]}"


_TEXTS: Final = {face(card): _text(card) for card in cards_of(PLAYABLE)} | {
    name: f"god. {text}" for name, text in zip(GODS, GOD_TEXT, strict=True)
}

LANGUAGE: Final = Language(
    names=NAMES,
    seen=seen,
    derived=derived,
    rules=rules_in(Path(__file__).parent),
    terms=TERMS,
    texts=_TEXTS,
    current=current,
    legend=(Path(__file__).parent / "legend.txt").read_text(encoding="utf-8").strip(),
    moves="A march can be one answer: `march 2 warriors, leader, Gimle -> Andlang`.",
    plain=plain,
    composite=composite,
    follow=follow,
    go_on=go_on,
    spoken=spoken,
    why=why,
    derived_schema={
        "quests_met": {
            "type": "array",
            "items": {"$ref": "#/$defs/card"},
            "description": "own quests, in hand or committed, that are met as the board stands",
        }
    },
)
