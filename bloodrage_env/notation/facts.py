"""What the rules say about a position, for texts and pictures: prices, strengths, quests."""

from .. import engine
from ..core.compiled import entry
from ..engine import (
    Purpose,
    States,
    check_card,
    check_game,
    check_kind,
    check_place,
    check_province,
    check_seat,
    clan_strength,
)


@entry
def invade_price(states: States, index: int, seat: int, kind: int, place: int) -> int:
    """Rage that a clan pays to invade a place of the board with a figure of this kind (rules 3.2.5)."""
    check_game(states, index)
    check_seat(states[index], seat)
    check_kind(kind)
    check_place(place)
    return engine.invade_price(states[index], seat, kind, place)


@entry
def upgrade_price(states: States, index: int, seat: int, card: int) -> int:
    """Rage that a clan pays to play an upgrade (rules 3.2.7, 6.3.19)."""
    check_game(states, index)
    check_seat(states[index], seat)
    check_card(card)
    return engine.upgrade_price(states[index], seat, card)


@entry
def strength(states: States, index: int, seat: int, province: int) -> int:
    """STR of a clan's figures in a province and its supporting fjord (rules 3.4, 4.3)."""
    check_game(states, index)
    check_seat(states[index], seat)
    check_province(province)
    return clan_strength(states[index], seat, province, Purpose.BATTLE)


@entry
def quest_met(states: States, index: int, seat: int, card: int) -> bool:
    """Whether a clan would meet a quest as the board stands (rules 3.4)."""
    check_game(states, index)
    check_seat(states[index], seat)
    check_card(card)
    return engine.quest_met(states[index], seat, card)


@entry
def pack(states: States, index: int, seat: int) -> tuple[int, int]:
    """Where in the Age's deck the cards begin and end that are left in the pack before a seat (rules 3.1.2)."""
    check_game(states, index)
    check_seat(states[index], seat)
    return engine.pack(states[index], seat)
