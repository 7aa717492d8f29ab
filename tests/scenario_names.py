"""What `scenario.py` needs to turn printed names into numbers and back."""

from enum import IntEnum
from typing import TypeVar

from bloodrage_env.games.bloodrage.engine import actions as act
from bloodrage_env.games.bloodrage.engine.card_ids import Card
from bloodrage_env.games.bloodrage.engine.cards import TITLE
from bloodrage_env.games.bloodrage.engine.ids import NUM_BOARD, CardType, Figure, Place, Slot, Stat

Enum_ = TypeVar("Enum_", bound=IntEnum)

SLOTS_OF_TYPE: dict[CardType, tuple[Slot, ...]] = {
    CardType.LEADER: (Slot.LEADER,),
    CardType.WARRIOR: (Slot.WARRIOR,),
    CardType.SHIP: (Slot.SHIP,),
    CardType.MONSTER: (Slot.MONSTER_1, Slot.MONSTER_2),
    CardType.CLAN: (Slot.CLAN_1, Slot.CLAN_2, Slot.CLAN_3),
}

_FACES: dict[str, list[Card]] = {}
for _card in Card:
    _FACES.setdefault(TITLE[_card].lower(), []).append(_card)


def member(kind: type[Enum_], value: Enum_ | int | str) -> Enum_:
    """The member of an enumeration, from the member, its number or its name in any case."""
    return kind[value.upper()] if isinstance(value, str) else kind(value)


def card_of(value: Card | int | str, age: int) -> Card:
    """The card of a title; where a title has a face for each Age, the one of `age` (1 to 3)."""
    if not isinstance(value, str):
        return Card(value)
    faces = _FACES[value.lower()]
    return faces[age - 1] if len(faces) > 1 else faces[0]


def action_name(action: int) -> str:
    """An action id as text, for messages of failed assertions."""
    block = next(b for b in act.BLOCKS if b.start <= action < b.start + b.size)
    n = action - block.start
    if block.name == "CARD":
        return f"CARD[{Card(n).name}]"
    if block.name == "FIGURE_AT":
        return f"FIGURE_AT[{Figure(n // NUM_BOARD).name}, {Place(n % NUM_BOARD).name}]"
    if block.name == "MARCH":
        return f"MARCH[{Place(int(act.MARCH_FROM[n])).name}, {Place(int(act.MARCH_TO[n])).name}]"
    if block.name == "PROVINCE":
        return f"PROVINCE[{Place(n).name}]"
    if block.name == "STAT":
        return f"STAT[{Stat(n).name}]"
    return block.name if block.size == 1 else f"{block.name}[{n}]"
