"""Blood Rage as a language model sees it: the names in a struct, composite moves, and the rules."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from ....core.forms import Names, Relative
from ....core.language import Language, rules_in
from ..engine import Card, CardSet, Decision, Figure, God, Place, Stat, States, quests_met
from ..notation import CLANS
from ..notation.words import GODS, PHASES, PLACES, STATS, TOKENS, copies, face

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


_ONE: Final = ("a", "an", "the")
_AND: Final = ("and", "+")
_TO: Final = ("to", "->")


def composite(text: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """`march 2 warriors, leader, Gimle -> Andlang`: the march, and how many of each kind go."""
    words = text.lower().replace("→", "->").replace("->", " -> ").replace(",", " , ").replace("+", " + ").split()
    if len(words) < len(("march", "leader", "gimle", "->", "andlang")) or words[0] != "march" or words[-2] not in _TO:
        return None
    who, origin, goal = words[1:-3], words[-3], words[-1]
    for optional in ("from", ","):
        if who and who[-1] == optional:
            who.pop()
    going: dict[str, int] = {}
    for part in " ".join("," if word in _AND else word for word in who).split(","):
        counted = _counted(part.split())
        if counted is None:
            return None
        going[counted[0]] = counted[1]
    march = {"from": origin.capitalize(), "to": goal.capitalize()}
    return {"kind": "march", "arguments": march}, going


def _counted(words: list[str]) -> tuple[str, int] | None:
    """A kind of figure and how many, of words such as `2 warriors` or `the leader`."""
    count = 1
    if len(words) > 1 and (words[0] in _ONE or (words[0].isascii() and words[0].isdigit())):
        if len(words[0]) > len("100"):
            return None
        count = int(words[0]) if words[0].isdigit() else 1
        words = words[1:]
    kind = " ".join(words)
    return (kind.removesuffix("s"), count) if len(kind) > 1 and kind.replace(" ", "").isalpha() else None


def follow(plan: Mapping[str, Any], struct: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the number of figures of the kind in question that go (rules 7.3)."""
    asked = struct["asked"]
    if asked["kind"] != NAMES["decision"][Decision.MARCH.name]:
        return None
    return {"kind": "count", "arguments": {"count": plan.get(asked["figure"].lower(), 0)}}


LANGUAGE: Final = Language(
    names=NAMES,
    seen=seen,
    derived=derived,
    rules=rules_in(Path(__file__).parent),
    terms=TERMS,
    moves="A march can be one answer: `march 2 warriors, leader, Gimle -> Andlang`.",
    composite=composite,
    follow=follow,
    derived_schema={
        "quests_met": {
            "type": "array",
            "items": {"$ref": "#/$defs/card"},
            "description": "own quests, in hand or committed, that are met as the board stands",
        }
    },
)
