"""Squads that a player can have bought, drawn card by card so that what is left can always be met."""

import numpy as np

from .....core.compile.decorators import Ints, rule
from .....core.compile.local_arrays import copy_into, local_zeros
from .....core.engine.chance import below
from .. import hooks
from ..card_ids import NUM_CARDS
from ..cards import COST, ELEMENT, ELITE
from ..ids import NONE, NUM_ELEMENTS, Element
from ..queries import side
from ..rules.purchase import GOLD, cost_of, element_bit, elements_in, is_affordable, silver_of
from ..rules.reveal import HAS_MOUNTAIN, HAS_STEPPE, TOLD, has_element
from ..state import State

MOST = int(COST.max())
NUM_PRICES = 2 * (MOST + 1)  # of common and of elite cards
TOO_MUCH = 1_000_000
ELEMENT_SETS = 1 << NUM_ELEMENTS  # bit `element - 1` for each element


@rule
def cheapest(counts: Ints, start: int, number: int) -> int:
    """What so many of the cheapest cards cost; `counts` has cards by cost from `start` on."""
    total = 0
    for cost in range(MOST + 1):
        taken = min(number, int(counts[start + cost]))
        total += taken * cost
        number -= taken
    return total if number == 0 else TOO_MUCH


@rule
def pays(counts: Ints, left: int, gold: int, both: int) -> bool:
    """Whether so many more cards can be had: elites for the gold left, all for what is left of both crystals."""
    for elites in range(left + 1):
        price = cheapest(counts, MOST + 1, elites)
        if price <= gold and price + cheapest(counts, 0, left - elites) <= both:
            return True
    return False


@rule
def completes(s: State, seat: int, pool: Ints, left: int) -> bool:
    """Whether the squad so far can be bought with `left` more cards of the pool (rules 2.2, 2.4)."""
    if left == 0:
        return is_affordable(s, seat)
    gold = int(GOLD[side(s, seat)])
    both = gold + silver_of(s, seat)
    for card in range(NUM_CARDS):
        more = hooks.more_gold(card) * int(s.squad[seat, card])
        gold += more
        both += more
    elites, commons = cost_of(s, seat, 1), cost_of(s, seat, 0)
    present = elements_in(s, seat)
    for elements in range(ELEMENT_SETS):
        if present & ~elements != 0:
            continue
        penalty = 1 if elements == ELEMENT_SETS - 1 else 0
        counts = local_zeros(NUM_PRICES, np.int64)
        richer = NONE
        for card in range(NUM_CARDS):
            if pool[card] > 0 and element_bit(card) & ~elements == 0:
                counts[int(ELITE[card]) * (MOST + 1) + int(COST[card])] += pool[card]
                if hooks.more_gold(card) > 0:
                    richer = card
        gold_left, both_left = gold - penalty - elites, both - penalty - elites - commons
        if pays(counts, left, gold_left, both_left):
            return True
        if richer != NONE:
            more = hooks.more_gold(richer)
            counts[int(ELITE[richer]) * (MOST + 1) + int(COST[richer])] -= 1
            if pays(counts, left - 1, gold_left + more, both_left + more - int(COST[richer])):
                return True
    return False


@rule
def take(s: State, seat: int, pool: Ints, card: int) -> None:
    """A card of the pool joins the squad; no more than the allowed copies of its name stay in the pool."""
    s.squad[seat, card] += 1
    pool[card] = min(int(pool[card]) - 1, hooks.most_copies(card) - int(s.squad[seat, card]))


@rule
def may_take(s: State, seat: int, pool: Ints, card: int, left: int, needed: int) -> bool:
    """Whether a card can be drawn, so that `left` more, with the elements still needed, can follow."""
    tried = local_zeros(NUM_CARDS, np.int64)
    copy_into(tried, pool)
    take(s, seat, tried, card)
    needed &= ~element_bit(card)
    possible = completes(s, seat, tried, left) if needed == 0 else False
    if needed != 0 and left > 0:
        for other in range(NUM_CARDS):
            if tried[other] > 0 and element_bit(other) & needed != 0 and not possible:
                again = local_zeros(NUM_CARDS, np.int64)
                copy_into(again, tried)
                take(s, seat, again, other)
                possible = needed & ~element_bit(other) == 0 and completes(s, seat, again, left - 1)
                s.squad[seat, other] -= 1
    s.squad[seat, card] -= 1
    return possible


@rule
def draw(s: State, seat: int, words: Ints, pool: Ints, left: int, needed: int) -> int:
    """A card of the pool with which the squad can be had, each copy equally likely; NONE if there is none.

    While elements are needed it is of one of them. It joins the squad.
    """
    open_cards = local_zeros(NUM_CARDS, np.int64)
    copy_into(open_cards, pool)
    for card in range(NUM_CARDS):
        if needed != 0 and element_bit(card) & needed == 0:
            open_cards[card] = 0
    total = int(open_cards.sum())
    while total > 0:
        rank = below(words, total)
        card = 0
        while rank >= open_cards[card]:
            rank -= int(open_cards[card])
            card += 1
        if may_take(s, seat, pool, card, left, needed):
            take(s, seat, pool, card)
            return card
        total -= int(open_cards[card])
        open_cards[card] = 0
    return NONE


@rule
def needed_elements(s: State, seat: int) -> int:
    """Elements that a start-of-battle effect has told of and that no card seen has, as bits (rules 9.4)."""
    needed = 0
    if s.gains[seat] & HAS_STEPPE != 0 and not has_element(s, seat, Element.STEPPE):
        needed |= 1 << (Element.STEPPE - 1)
    if s.gains[seat] & HAS_MOUNTAIN != 0 and not has_element(s, seat, Element.MOUNTAIN):
        needed |= 1 << (Element.MOUNTAIN - 1)
    return needed


@rule
def is_excluded(s: State, seat: int, card: int, in_battle: bool) -> bool:
    """Whether a card can't lie face down: it starts the battle, or is of an element that the squad has not told of."""
    if in_battle and hooks.is_shown(card):
        return True
    if s.gains[seat] & TOLD == 0:
        return False
    steppe = ELEMENT[card] == Element.STEPPE and s.gains[seat] & HAS_STEPPE == 0
    return steppe or (ELEMENT[card] == Element.MOUNTAIN and s.gains[seat] & HAS_MOUNTAIN == 0)
