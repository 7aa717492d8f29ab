"""What a squad costs, for whoever picks one card by card: the page and the terminal (rules 2.2, 2.4, 9.1)."""

from collections.abc import Sequence

import numpy as np

from ..engine import CARD, Decision, States, apply, clone


def bought(states: States, actions: Sequence[int]) -> States | None:
    """Return the game after the seat that buys has bought these too, or None if it can't."""
    found, seat = clone(states, 0), states[0].seat
    for action in sorted(actions):
        s = found[0]
        if s.decision != Decision.BUY or s.seat != seat or action < CARD or action not in s.mask.nonzero()[0]:
            return None
        apply(found, 0, action)
    return found


def affordable(states: States, actions: Sequence[int]) -> list[int]:
    """Return the cards of the deal of which the seat that buys can have a copy beside these."""
    deal = np.flatnonzero(states[0].deal[states[0].seat]).tolist()
    return [card for card in deal if bought(states, [*actions, CARD + card]) is not None]
