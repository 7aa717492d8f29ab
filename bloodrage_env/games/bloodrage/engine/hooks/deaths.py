"""Saves and escapes of figures about to be destroyed, and what their death pays (rules 1.4, 6.3.9 to 6.3.12,
6.4.4.7).
"""

from typing import Final

from .....core.compile.decorators import rule
from ..card_ids import Card
from ..cards import Effect
from ..ids import NUM_OUTER, NUM_PROVINCES, CardType, Cause
from ..primitives import has_upgrade
from ..queries import card_of, may_move_on, upgrade_sum
from ..state import State
from .figures import is_mystic, is_ship

SAVE_PRICE = 1  # rules 6.3.9
# The cards whose texts destroy figures, by the cause of the deaths (rules 6.2.4, 6.4.4.9).
KILLERS: Final = {Cause.CARD: Card.ODINS_SMITE, Cause.TIDE: Card.ODINS_TIDE, Cause.ARRIVAL: Card.ODINS_CHOSEN}


@rule
def may_save(s: State, seat: int, cause: int) -> bool:
    """Frigga's Protection (rules 6.3.9)."""
    return (
        cause != Cause.RAGNAROK
        and has_upgrade(s, seat, Card.FRIGGAS_PROTECTION, CardType.CLAN)
        and s.rage[seat] >= SAVE_PRICE
    )


@rule
def may_escape(s: State, seat: int, kind: int, province: int, cause: int) -> bool:
    """The Volur Witch leaves an outer province instead of dying of a defeat, a Tide or Ragnarok (rules 6.3.10)."""
    if province >= NUM_OUTER or card_of(s, seat, kind) != Card.VOLUR_WITCH:
        return False
    return cause == Cause.DEFEAT or cause == Cause.TIDE or cause == Cause.RAGNAROK


@rule
def may_withdraw(s: State, seat: int, kind: int, province: int) -> bool:
    """Frigga's Chosen: a Mystic goes to an adjacent province instead of dying; not of a Sacrifice, which asks nothing
    (rules 6.4.4.7).
    """
    if not (is_mystic(s, seat, kind) and has_upgrade(s, seat, Card.FRIGGAS_CHOSEN, CardType.CLAN)):
        return False
    for target in range(NUM_PROVINCES):
        if may_move_on(s, province, target):
            return True
    return False


@rule
def ship_glory(s: State, seat: int, kind: int) -> int:
    """Glory for a destroyed ship, whatever the cause (rules 6.3.12)."""
    return upgrade_sum(s, seat, Effect.SHIP_GLORY) if is_ship(s, seat, kind) else 0
