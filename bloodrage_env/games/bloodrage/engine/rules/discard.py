"""Discard: keep one card at most, all at the same time (rules 3.3)."""

from .....core.compile.decorators import rule
from ..actions import CARD, NO
from ..card_ids import NUM_CARDS
from ..ids import NONE, NUM_AGES, Decision
from ..primitives import leave_unseen, take_from_hand
from ..stack import ask, clockwise, pop
from ..state import NOTHING, State


@rule
def discard_phase(s: State) -> None:
    """Everybody chooses, hidden, then all discard; in the third Age nothing is kept."""
    if s.age < NUM_AGES - 1:
        for offset in range(s.num_players):
            seat = clockwise(s, s.first_player, offset)
            if s.hand_size[seat] > 0 and s.pending[seat, 0] == NONE:
                ask(s, Decision.KEEP_CARD, seat, NONE, NONE, NONE)
                return
    for seat in range(s.num_players):
        discard_hand(s, seat)
    pop(s)


@rule
def discard_hand(s: State, seat: int) -> None:
    """All but the chosen card leave the game; nobody else sees them."""
    kept = s.pending[seat, 0]
    s.pending[seat, 0] = NONE
    s.end_hand[s.age, seat] = s.hand_size[seat]
    s.kept[s.age, seat] = kept >= 0
    for card in range(NUM_CARDS):
        for _ in range(s.hand[seat, card] - (card == kept)):
            take_from_hand(s, seat, card)
            leave_unseen(s, seat, card)


@rule
def mask_keep_card(s: State) -> None:
    """CARD[card] of the hand, or NO: keep none"""
    s.mask[NO] = 1
    for card in range(NUM_CARDS):
        if s.hand[s.seat, card] > 0:
            s.mask[CARD + card] = 1


@rule
def apply_keep_card(s: State, seat: int, action: int) -> None:
    """Hidden until all have chosen."""
    s.pending[seat, 0] = NOTHING if action == NO else action - CARD
