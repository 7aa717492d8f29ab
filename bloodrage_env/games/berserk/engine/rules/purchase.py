"""The purchase of a squad, in secret (rules 2.2, 2.4)."""

import numpy as np

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import CARD, DONE
from ..card_ids import NUM_CARDS
from ..cards import COST, ELEMENT, ELITE
from ..ids import LAAR, MOST_BOUGHT, NONE, Decision, Element
from ..queries import side, size
from ..stack import ask, get
from ..state import Frame, State
from .setup import next_player

# By side (rules 2.2).
GOLD = np.array([24, 25], dtype=np.int64)
SILVER = np.array([22, 23], dtype=np.int64)
FOR_ANGEL = 12  # silver less for who has the angel (rules 11.5)


@rule
def purchase(s: State) -> None:
    """First buys wholly, then Second."""
    ask(s, Decision.BUY, get(s, Frame.SEAT), NONE, NONE)


@rule
def element_bit(card: int) -> int:
    """The bit of a card's element in a set of elements; 0 for neutral, which isn't one (rules 2.2)."""
    return 0 if ELEMENT[card] == Element.NEUTRAL else 1 << (int(ELEMENT[card]) - 1)


@rule
def elements_in(s: State, seat: int) -> int:
    """The elements of a squad, as bits."""
    found = 0
    for card in range(NUM_CARDS):
        if s.squad[seat, card] > 0:
            found |= element_bit(card)
    return found


@rule
def gold_of(s: State, seat: int) -> int:
    """The gold that a squad may cost, the penalty for elements taken off (rules 2.2, 2.4)."""
    gold = int(GOLD[side(s, seat)]) - max(0, size(elements_in(s, seat)) - 1)
    for card in range(NUM_CARDS):
        if s.squad[seat, card] > 0:
            gold += hooks.more_gold(card) * int(s.squad[seat, card])
    return gold


@rule
def silver_of(s: State, seat: int) -> int:
    """The silver that commons may cost (rules 2.2)."""
    return int(SILVER[side(s, seat)]) - (FOR_ANGEL if LAAR else 0)


@rule
def cost_of(s: State, seat: int, elite: int) -> int:
    """What the elites (1) or the commons (0) of a squad cost."""
    cost = 0
    for card in range(NUM_CARDS):
        if ELITE[card] == elite:
            cost += int(s.squad[seat, card]) * int(COST[card])
    return cost


@rule
def is_affordable(s: State, seat: int) -> bool:
    """Whether the crystals pay for the squad: elites in gold, commons in gold or silver (rules 2.4)."""
    gold, silver = gold_of(s, seat), silver_of(s, seat)
    elites = cost_of(s, seat, 1)
    return elites <= gold and elites + cost_of(s, seat, 0) <= gold + silver


@rule
def may_add(s: State, seat: int, card: int, gold: int, both: int, elements: int) -> bool:
    """Whether a copy more of a card of the deal can be bought, with so much left of gold, and of both crystals, for a
    squad that has these elements.
    """
    if LAAR and s.squad[seat].sum() >= MOST_BOUGHT:
        return False
    if s.squad[seat, card] >= min(int(s.deal[seat, card]), hooks.most_copies(card)):
        return False
    more = hooks.more_gold(card)
    if elements != 0 and element_bit(card) & ~elements != 0:
        more -= 1  # rules 2.2
    return COST[card] * ELITE[card] <= gold + more and COST[card] <= both + more


@rule
def may_buy(s: State, seat: int, card: int) -> bool:
    """Whether one more copy of a card of the deal can be bought."""
    gold = gold_of(s, seat) - cost_of(s, seat, 1)
    both = gold + silver_of(s, seat) - cost_of(s, seat, 0)
    return may_add(s, seat, card, gold, both, elements_in(s, seat))


@rule
def mask_buy(s: State) -> None:
    """CARD[card], none below the last one bought, so that a set has one sequence; DONE after at least one."""
    seat = int(s.seat)
    last = NONE
    for card in range(NUM_CARDS):
        if s.squad[seat, card] > 0:
            last = card
    s.mask[DONE] = last != NONE
    elements = elements_in(s, seat)
    gold = gold_of(s, seat) - cost_of(s, seat, 1)
    both = gold + silver_of(s, seat) - cost_of(s, seat, 0)
    for card in range(max(0, last), NUM_CARDS):
        if s.deal[seat, card] > 0 and may_add(s, seat, card, gold, both, elements):
            s.mask[CARD + card] = 1


@rule
def apply_buy(s: State, seat: int, action: int) -> None:
    """A card of the squad, or the end; the rest of the deal goes back unseen."""
    if action == DONE:
        next_player(s, seat)
    else:
        s.squad[seat, action - CARD] += 1
