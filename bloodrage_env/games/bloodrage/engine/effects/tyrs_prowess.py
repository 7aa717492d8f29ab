"""Tyr's Prowess: the winner of a battle takes cards back into the hand (rules 6.2.7; step 11 of rules 6.1.1)."""

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import CARD, NO
from ..card_ids import NUM_CARDS
from ..ids import NONE, Decision
from ..primitives import card_on_table, gain_rage, take_from_table, take_in_hand_openly
from ..stack import ask, get, pop, put
from ..state import Frame, State


@rule
def buy_back(s: State) -> None:
    """Card by card, while there is one that has not been declined."""
    seat = get(s, Frame.SEAT)
    if hooks.may_buy_back(s, seat) and card_on_table(s, seat, get(s, Frame.CARD)) != NONE:
        ask(s, Decision.BUY_BACK, seat, get(s, Frame.PLACE), NONE, NONE)
        return
    pop(s)


@rule
def mask_buy_back(s: State) -> None:
    """CARD[card] on the table, in rising order of ids, or NO: no further one"""
    s.mask[NO] = 1
    card = card_on_table(s, s.seat, get(s, Frame.CARD))
    while card != NONE:
        s.mask[CARD + card] = 1
        card = card_on_table(s, s.seat, card + 1)


@rule
def apply_buy_back(s: State, seat: int, action: int) -> None:
    """One Rage each."""
    if action == NO:
        put(s, Frame.CARD, NUM_CARDS)  # above every card id
        return
    card = action - CARD
    gain_rage(s, seat, -hooks.BUY_BACK_PRICE)
    take_from_table(s, seat, card)
    take_in_hand_openly(s, seat, card)
    put(s, Frame.CARD, card)
