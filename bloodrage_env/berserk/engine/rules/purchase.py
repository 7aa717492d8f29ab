"""The purchase of a squad, in secret (rules 2.2, 2.4)."""

import numpy as np

from ....core.compiled import rule
from .. import hooks
from ..actions import CARD, DONE
from ..card_ids import NUM_CARDS
from ..cards import COST, ELEMENT, ELITE
from ..ids import NONE, NUM_ELEMENTS, Decision, Element
from ..queries import side
from ..stack import ask, get
from ..state import Frame, State
from .setup import next_player

# By side (rules 2.2).
GOLD = np.array([24, 25], dtype=np.int64)
SILVER = np.array([22, 23], dtype=np.int64)


@rule
def purchase(s: State) -> None:
    """First buys wholly, then Second."""
    ask(s, Decision.BUY, get(s, Frame.SEAT), NONE, NONE)


@rule
def elements_of(s: State, seat: int) -> int:
    """How many elements a squad has; neutral isn't one (rules 2.2)."""
    count = 0
    for element in range(Element.STEPPE, Element.STEPPE + NUM_ELEMENTS):
        for card in range(NUM_CARDS):
            if s.squad[seat, card] > 0 and ELEMENT[card] == element:
                count += 1
                break
    return count


@rule
def gold_of(s: State, seat: int) -> int:
    """The gold that a squad may cost, the penalty for elements taken off (rules 2.2, 2.4)."""
    gold = int(GOLD[side(s, seat)]) - max(0, elements_of(s, seat) - 1)
    for card in range(NUM_CARDS):
        if s.squad[seat, card] > 0:
            gold += hooks.more_gold(card) * int(s.squad[seat, card])
    return gold


@rule
def silver_of(s: State, seat: int) -> int:
    """The silver that commons may cost (rules 2.2)."""
    return int(SILVER[side(s, seat)])


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
def may_buy(s: State, seat: int, card: int) -> bool:
    """Whether one more copy of a card of the deal can be bought; the squad is left as it was."""
    if s.squad[seat, card] >= min(int(s.deal[seat, card]), hooks.most_copies(card)):
        return False
    s.squad[seat, card] += 1
    affordable = is_affordable(s, seat)
    s.squad[seat, card] -= 1
    return affordable


@rule
def mask_buy(s: State) -> None:
    """CARD[card], none below the last one bought, so that a set has one sequence; DONE after at least one."""
    seat = int(s.seat)
    last = NONE
    for card in range(NUM_CARDS):
        if s.squad[seat, card] > 0:
            last = card
    s.mask[DONE] = last != NONE
    for card in range(max(0, last), NUM_CARDS):
        if s.deal[seat, card] > 0 and may_buy(s, seat, card):
            s.mask[CARD + card] = 1


@rule
def apply_buy(s: State, seat: int, action: int) -> None:
    """A card of the squad, or the end; the rest of the deal goes back unseen."""
    if action == DONE:
        next_player(s, seat)
    else:
        s.squad[seat, action - CARD] += 1
