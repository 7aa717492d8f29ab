"""What the rules say about a position, for texts and pictures."""

from ...core.compiled import entry
from .. import engine
from ..engine import States, check_game, check_seat


@entry
def crystals_left(states: States, index: int, seat: int) -> tuple[int, int]:
    """Gold that is left for elites, and gold and silver for all, in a purchase (rules 2.2, 2.4)."""
    check_game(states, index)
    check_seat(states[index], seat)
    s = states[index]
    gold = engine.gold_of(s, seat) - engine.cost_of(s, seat, 1)
    return gold, gold + engine.silver_of(s, seat) - engine.cost_of(s, seat, 0)


@entry
def card_to_place(states: States, index: int, seat: int) -> int:
    """The number of the card that a seat has to place now, -1 if it has none (rules 2.5)."""
    check_game(states, index)
    check_seat(states[index], seat)
    return engine.next_to_place(states[index], seat)


@entry
def squad_seen(states: States, index: int, seat: int) -> bool:
    """Whether everybody sees which cells the cards of a seat take (rules 2.5)."""
    check_game(states, index)
    check_seat(states[index], seat)
    return engine.squad_is_seen(states[index], seat)
