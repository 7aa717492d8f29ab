"""What is seen of a game, as the structs of `core/shown/structs.py`: boards and pages read cards, squads and actions in
these alone. Of the record they read options, clock and dice, which are public.
"""

from collections.abc import Sequence
from typing import Any

from ....core.shown.structs import structs_of
from .. import SPEC
from ..engine import States
from ..game import GAME
from .words import SECRET, SLOTS

Seen = dict[str, Any]


def seen_by(states: States, seat: int | None) -> Seen:
    """Return the struct of a seat, or of public information with None; its `cards` are in the order of slots."""
    known = states if seat is not None else GAME.public(states, 0, int(states[0].num_players))
    struct = structs_of(SPEC).observation(known, seat or 0)
    return struct | {"cards": dict(sorted(struct.get("cards", {}).items(), key=lambda item: SLOTS[item[0]]))}


def seen_by_all(structs: Sequence[Seen]) -> Seen:
    """Return what several seats see together: of each card what the one sees that sees most of it."""
    cards = {slot: max((each["cards"].get(slot, {}) for each in structs), key=len) for slot in SLOTS}
    turning_up = [slot for each in structs for slot in each.get("turning_up", ())]
    return structs[0] | {"cards": {slot: card for slot, card in cards.items() if card}, "turning_up": turning_up}


def name_in(seen: Seen, slot: str) -> str:
    """Return the card of a slot as it is seen there: "Orc (A3)"."""
    return f"{seen['cards'][slot].get('card', SECRET)} ({slot})"
