"""The demon and the angel of the Battle for Laar: how they come, and what they do (rules 11.5, 11.7, 11.8)."""

from .....core.compile.decorators import rule
from ..card_ids import ANGEL, DEMON
from ..cards import LIFE
from ..ids import NONE, NUM_SLOTS, SQUAD
from ..laar import ANGEL_AT, DEMON_AT, allies_healing, angel_seat, life_at_first, storm_wounds
from ..primitives import add_wounds, bear, heal, lay, turn_up, wound
from ..queries import are_enemies, lives, owner, seen
from ..state import State


@rule
def arrive(s: State) -> None:
    """All cards are turned up, and both come to the board; the angel has the slot after the squad (rules 11.5)."""
    seat = angel_seat(s)
    count = 0
    for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
        if s.card[slot] != NONE:
            turn_up(s, slot)
            count += 1
    come(s, seat * SQUAD + count, ANGEL, seen(s, 1 - seat, ANGEL_AT))
    come(s, (1 - seat) * SQUAD, DEMON, seen(s, 1 - seat, DEMON_AT))


@rule
def come(s: State, slot: int, being: int, cell: int) -> None:
    """The demon or the angel comes to the board, with wounds where the table has less life (rules 11.1)."""
    bear(s, slot, being)
    add_wounds(s, slot, int(LIFE[being]) - life_at_first(s, being))
    lay(s, slot, cell)


@rule
def storm(s: State, slot: int) -> None:
    """As its turn starts the demon wounds every card on the board, itself too, an influence (rules 11.7)."""
    count = storm_wounds(s, slot)
    if count > 0:
        for other in range(NUM_SLOTS):
            if lives(s, other):
                wound(s, other, count, are_enemies(slot, other))


@rule
def heal_allies(s: State, slot: int) -> None:
    """When a simple strike of the angel has landed, the other cards of its owner heal (rules 11.8)."""
    count = allies_healing(s, slot)
    if count > 0:
        for other in range(owner(slot) * SQUAD, owner(slot) * SQUAD + SQUAD):
            if other != slot and lives(s, other):
                heal(s, other, count)
