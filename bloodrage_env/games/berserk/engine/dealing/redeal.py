"""Redeal: what a seat cannot know of a game, drawn again (rules 9.4).

It is drawn from what `hide` leaves, so that states that look alike to the seat have the same redeals. How the other
player buys, places and hides is not modelled: a squad is drawn card by card, each copy of the deck that keeps it
possible equally likely; the squad of a placement under way, or of a purchase that is over, ends at random when its size
is not known.
"""

import numpy as np

from .....core.compile.decorators import Ints, entry, rule, shared_rule
from .....core.compile.local_arrays import local_zeros
from .....core.engine.chance import NUM_WORDS, below, seed_words, shuffle
from .....core.engine.checks import check_seed
from .....core.engine.sparse import lowest_bit
from .. import hooks, keyword_hooks
from ..card_ids import NUM_CARDS
from ..cards import FLYERS
from ..checks import check_game, check_seat
from ..flow import fill_mask
from ..ids import LAAR, MAX_DECK, MOST_BOUGHT, NONE, NUM_SEATS, SQUAD, Decision, Phase, Setup
from ..information import answered_in_secret, has_placed, squad_is_seen
from ..laar import recruits
from ..primitives import refresh_moves
from ..queries import number_of, size
from ..rules.placement import cells_to_place, give_slots, next_to_place, place
from ..rules.reveal import may_stay_down
from ..state import State, States
from .hide import hide_record
from .squads import draw, is_excluded, needed_elements

STOPS = 16  # a purchase of unknown size ends before each further card with the chance 1 / STOPS
DRAWS, DICE = 1, 2  # streams of the generator


@rule
def fill_deal(s: State, seat: int, words: Ints) -> None:
    """The deal has the squad, and any other cards of the deck."""
    rest = local_zeros(MAX_DECK, np.int64)
    count = 0
    left = int(s.deal_size[seat])
    for card in range(NUM_CARDS):
        s.deal[seat, card] = s.squad[seat, card]
        left -= int(s.squad[seat, card])
        for _ in range(int(s.deck[seat, card]) - int(s.squad[seat, card])):
            rest[count] = card
            count += 1
    shuffle(words, rest, 0, count)
    for i in range(left):
        s.deal[seat, rest[i]] += 1


@rule
def pool_of(s: State, seat: int, cards: Ints) -> None:
    """Fill `cards` with copies that can still be drawn for a squad, where each name has its most copies."""
    for card in range(NUM_CARDS):
        room = hooks.most_copies(card) - int(s.squad[seat, card])
        cards[card] = min(cards[card], room)
        if is_excluded(s, seat, card, s.phase >= Phase.BATTLE):
            cards[card] = 0


@rule
def leave_flyers(cards: Ints) -> None:
    """No flyer can be drawn."""
    for card in range(NUM_CARDS):
        if keyword_hooks.is_flyer(card):
            cards[card] = 0


@rule
def draw_purchase(s: State, seat: int, words: Ints) -> None:
    """A squad of unknown size, out of a deal. A seat that places a card has one that is not a flyer (rules 12.10)."""
    pool = local_zeros(NUM_CARDS, np.int64)
    if FLYERS and s.decision == Decision.PLACE and s.seat == seat:
        for card in range(NUM_CARDS):
            pool[card] = s.deck[seat, card]
        pool_of(s, seat, pool)
        leave_flyers(pool)
        draw(s, seat, words, pool, 0, 0)
    fill_deal(s, seat, words)
    for card in range(NUM_CARDS):
        pool[card] = int(s.deal[seat, card]) - int(s.squad[seat, card])
    pool_of(s, seat, pool)
    while s.squad[seat].sum() == 0 or ((not LAAR or s.squad[seat].sum() < MOST_BOUGHT) and below(words, STOPS) > 0):
        if draw(s, seat, words, pool, 0, 0) == NONE:
            return


@rule
def draw_lay_out(s: State, seat: int, words: Ints) -> None:
    """Where the cards of a drawn squad stand, each cell that the rules leave for the next card equally likely."""
    while next_to_place(s, seat) != NONE:
        cells = cells_to_place(s, seat)
        for _ in range(below(words, size(cells))):
            cells &= cells - 1
        place(s, seat, lowest_bit(cells))
    give_slots(s, seat)


@rule
def draw_face_down(s: State, seat: int, words: Ints) -> None:
    """The cards that lie face down, and the rest of the deal."""
    slots = local_zeros(SQUAD, np.int64)
    count = 0
    for slot in range(seat * SQUAD, seat * SQUAD + SQUAD):
        if s.cell[slot] != NONE and s.card[slot] == NONE:
            slots[count] = slot
            count += 1
    pool = local_zeros(NUM_CARDS, np.int64)
    for card in range(NUM_CARDS):
        pool[card] = int(s.deck[seat, card]) - int(s.squad[seat, card])
    pool_of(s, seat, pool)
    leave_flyers(pool)  # none lies face down (rules 12.10)
    needed = needed_elements(s, seat)
    shuffle(words, slots, 0, count)
    for i in range(count):
        card = draw(s, seat, words, pool, count - i - 1, needed)
        needed = needed_elements(s, seat)
        s.card[slots[i]] = card
        if s.phase == Phase.BATTLE:
            refresh_moves(s, slots[i])
    fill_deal(s, seat, words)


@rule
def draw_unseen(s: State, other: int, words: Ints) -> None:
    """What cannot be known of another seat's deal and squad, as far as the game has come."""
    if s.phase == Phase.DEAL:
        fill_deal(s, other, words)
    elif s.phase == Phase.PURCHASE:
        if number_of(s, other) >= number_of(s, int(s.seat)):
            fill_deal(s, other, words)  # it buys from the beginning, or has not begun
        else:
            draw_purchase(s, other, words)
    elif s.phase == Phase.PLACEMENT and not squad_is_seen(s, other):
        draw_purchase(s, other, words)
        if has_placed(s, other):
            draw_lay_out(s, other, words)
    elif s.phase > Phase.PURCHASE:
        draw_face_down(s, other, words)


@rule
def reopen(s: State) -> None:
    """A question that the other answers in secret is open from the beginning."""
    if s.decision == Decision.HIDE:
        base = int(s.seat) * SQUAD
        for slot in range(base + SQUAD - 1, base - 1, -1):
            if s.cell[slot] != NONE and may_stay_down(s, slot):
                s.actor = slot
    fill_mask(s)


@shared_rule
def redeal_game(s: State, seat: int, seed: int) -> None:
    """Make a redeal of a game in place, as `redeal` describes it."""
    hide_record(s, seat)
    words = local_zeros(NUM_WORDS, np.int64)
    seed_words(words, seed, DRAWS)
    if s.setup == Setup.FULL:
        for other in range(NUM_SEATS):
            if other != seat and recruits(s, other):
                draw_unseen(s, other, words)
        if answered_in_secret(s) and s.seat != seat:
            reopen(s)
    seed_words(words, seed, DICE)
    for i in range(len(words)):
        s.chance[i] = words[i]


@entry
def redeal(states: States, index: int, seat: int, seed: int) -> States:
    """A game that `seat` cannot tell from the true one, as an array of one record.

    The other's deal, squad and face-down cards are drawn from `seed`, and all dice to come. What the other is choosing
    in secret it chooses from the beginning. ValueError for another seat, or a seed out of 0 to 2**63 - 1.
    """
    check_game(states, index)
    check_seat(states[index], seat)
    check_seed(seed)
    copies = states[index : index + 1].copy()
    redeal_game(copies[0], seat, seed)
    return copies
