"""Redeal: sample everything that one seat cannot know, by today's view or by memory.

What the seat has seen of a draft is in the deck (`state.py`): a pack that it held is, from there on, a known set of
cards over the places taken later. So the hidden cards of an Age fall into groups, the seat knows which cards a group
holds and which of its places each opponent took, and only who got which is open. What an opponent has shown since,
the quests that it committed and the card that it kept from the Age before are demands on its places.

Every history that fits (cards over places, which copy was shown, which card was committed or kept) has the same
weight. Demands are met one after the other, first those that leave the least choice, since a fixed order comes to dead
ends; each way has its share of the histories (sequential importance sampling). Where two ways of meeting one differ in
what they leave for the rest, `DRAWS` such draws are made and one is taken by its weight, which is close to, but not
quite, the exact distribution. Nothing hidden is read on the way, so that states which the seat can't tell apart have
the same redeals.
"""

import numpy as np

from .....core.compile.decorators import Ints, entry, rule, shared_rule
from .....core.compile.local_arrays import local_zeros
from .....core.compile.memory_copies import copy_record
from .....core.engine.chance import NUM_WORDS, below, seed_words, shuffle, unit
from ..card_ids import NUM_CARDS
from ..checks import check_game, check_seat, check_seed
from ..decks import has_set
from ..flow import fill_mask, resume
from ..ids import MAX_SEATS, NONE, NUM_AGES, CardSet, Decision, Phase
from ..primitives import add_to_hand
from ..rules.gods import sort_god_tokens
from ..rules.gods_gifts import no_draft, pack, picks_per_round
from ..state import DECK_SIZE, DRAFTED, NOTHING, PACK_SIZE, State, States
from .demands import meet_all_shown, meet_committed, note_room
from .groups import DEAL, OPEN, SPENT, Deal, Deals, current_age_closed, lay_out, rounds_done
from .hide import close_secret_question

DRAWS = 8
MAX_TRIES = 20_000
REDEAL_STREAM = 7


@rule
def draw(s: State, d: Deal, words: Ints, viewer: int) -> bool:
    """Meet every demand; False if this draw came to a dead end."""
    if not meet_all_shown(s, d, words, viewer):
        return False
    if s.quests_open == 0:
        for seat in range(s.num_players):
            if seat != viewer and not meet_committed(s, d, words, seat):
                return False
    return True


@rule
def fill_up(s: State, d: Deal, words: Ints) -> None:
    """Once every demand is met the other places take what is left, in any order."""
    for age in range(NUM_AGES):
        fill_age(d, words, age)
    # After all Ages are filled, since a card that was kept can be kept again.
    for age in range(NUM_AGES):
        for seat in range(s.num_players):
            if d.secret[age, seat] == OPEN:
                keep_any(s, d, words, age, seat)


@rule
def fill_age(d: Deal, words: Ints, age: int) -> None:
    """The cards of a group that are left go to its free places, in any order."""
    cards = local_zeros(DECK_SIZE, np.int64)
    for group in range(d.num_groups[age]):
        if d.free[age, group] == 0:
            continue
        size = 0
        for card in range(NUM_CARDS):
            for _ in range(d.copies[age, group, card]):
                cards[size] = card
                size += 1
        shuffle(words, cards, 0, size)
        for i in range(DECK_SIZE):
            if d.group[age, i] == group and d.card[age, i] == NONE:
                size -= 1
                d.card[age, i] = cards[size]


@rule
def keep_any(s: State, d: Deal, words: Ints, age: int, seat: int) -> None:
    """Nothing is known of the card kept from an Age: each of that hand is equally likely; the secret stays OPEN."""
    rank = below(words, int(s.end_hand[age, seat]))
    for card in range(NUM_CARDS):
        rank -= int(s.end_known[age, seat, card])
        if rank < 0:
            d.from_known[age, seat] = card
            d.kept_card[age, seat] = card
            return
    for i in range(DECK_SIZE):
        if d.owner[age, i] == seat and d.taken[age, i] == 0:
            if rank == 0:
                d.taken[age, i] = 1
                d.kept_card[age, seat] = d.card[age, i]
                return
            rank -= 1
    d.kept_card[age, seat] = d.kept_card[age - 1, seat]  # the card kept before was kept again
    d.secret[age - 1, seat] = SPENT


# ---- writing the result


@rule
def write_back(s: State, d: Deal, words: Ints, viewer: int) -> None:
    """Put what was drawn into a copy of the game."""
    for age in range(NUM_AGES):
        for i in range(DECK_SIZE):
            s.deck[age, i] = d.card[age, i]
    for seat in range(s.num_players):
        if seat != viewer:
            s.hand[seat, :] = 0
            s.hand_size[seat] = 0
            s.gone[seat, :] = 0
            if s.quests_open == 0:
                for j in range(s.quest_count[seat]):
                    s.quests[seat, j] = d.committed[seat, j]
            for age in range(s.age + 1):
                write_age(s, d, age, seat)
            for card in range(NUM_CARDS):
                for _ in range(d.known_left[seat, card]):
                    add_to_hand(s, seat, card)
            choose_anew(s, words, seat)
    write_last_cards(s, viewer)


@rule
def write_age(s: State, d: Deal, age: int, seat: int) -> None:
    """Cards of an Age that the seat did not show: still in the hand, or, when the Age is over, gone but for one."""
    over = age < s.age or current_age_closed(s)
    for i in range(DECK_SIZE):
        if d.owner[age, i] == seat and d.taken[age, i] == 0:
            if over:
                s.gone[seat, d.card[age, i]] += 1
            else:
                add_to_hand(s, seat, d.card[age, i])
    if age > 0 and d.secret[age - 1, seat] == OPEN:
        if over:
            s.gone[seat, d.kept_card[age - 1, seat]] += 1
        else:
            add_to_hand(s, seat, d.kept_card[age - 1, seat])
    if over:
        for card in range(NUM_CARDS):
            s.gone[seat, card] += s.end_known[age, seat, card]
        if d.from_known[age, seat] != NONE:
            s.gone[seat, d.from_known[age, seat]] -= 1
        elif d.secret[age, seat] == 0 and s.kept[age, seat] == 1:
            write_open_keep(s, age, seat)
        if age == s.age and d.secret[age, seat] == OPEN:
            add_to_hand(s, seat, d.kept_card[age, seat])


@rule
def write_open_keep(s: State, age: int, seat: int) -> None:
    """All know which card was kept: the only one of that hand; it did not leave the game then."""
    for card in range(NUM_CARDS):
        if s.end_known[age, seat, card] > 0:
            s.gone[seat, card] -= 1


@rule
def write_last_cards(s: State, viewer: int) -> None:
    """The last two cards of each pack are known to the one who held them last (rules 3.1.2)."""
    n = int(s.num_players)
    for age in range(s.age + 1):
        drafting = age == s.age and s.phase == Phase.GODS_GIFTS
        if not drafting and not no_draft(s, age):
            for pack in range(n):
                holder = (pack + rounds_done(s, age) - 1) % n
                if holder != viewer:
                    for i in range(pack * PACK_SIZE + DRAFTED, (pack + 1) * PACK_SIZE):
                        s.gone[holder, s.deck[age, i]] += 1


@rule
def choose_anew(s: State, words: Ints, seat: int) -> None:
    """A simultaneous choice that the seat has made and not yet shown is made again from what it now holds."""
    if s.pending[seat, 0] == NONE:
        return
    if s.phase == Phase.GODS_GIFTS:
        resample_draft_choices(s, words, seat)
        return
    may_keep_none = int(s.phase == Phase.DISCARD)
    rank = below(words, int(s.hand_size[seat]) + may_keep_none)
    s.pending[seat, 0] = NOTHING
    for card in range(NUM_CARDS):
        rank -= int(s.hand[seat, card])
        if rank < 0:
            s.pending[seat, 0] = card
            return


@rule
def resample_draft_choices(s: State, words: Ints, seat: int) -> None:
    """One card of the pack before the seat, or two, the lower id first (rules 3.1.3)."""
    start, stop = pack(s, seat)
    size = stop - start
    first = below(words, size)
    card = s.deck[s.age, start + first]
    if picks_per_round(s) == 2:
        second = below(words, size - 1)
        second += second >= first
        other = s.deck[s.age, start + second]
        if s.pending[seat, 1] != NONE:
            s.pending[seat, 1] = max(card, other)
        card = min(card, other)
    s.pending[seat, 0] = card


@rule
def draw_gods_anew(s: State, words: Ints) -> None:
    """The order in which the tokens of later Ages will be drawn (rules 6.4.1.6)."""
    sort_god_tokens(s)
    tokens = local_zeros(MAX_SEATS, np.int64)
    for age in range(s.age + 1, NUM_AGES):
        for i in range(s.num_players):
            tokens[i] = s.god_tokens[age, i]
        shuffle(words, tokens, 0, int(s.num_players))
        for i in range(s.num_players):
            s.god_tokens[age, i] = tokens[i]


@rule
def draw_anew(s: State, deals: Deals, words: Ints, seat: int) -> None:
    """Draw what is hidden, in place. `deals` has room for three: what is known, the draw under way, the draw taken."""
    lay_out(s, deals[0], seat)
    note_room(s, deals[0], seat)
    wanted = DRAWS if deals[0].several_ways == 1 else 1
    total = 0.0
    for _ in range(MAX_TRIES):
        copy_record(deals, 1, deals[0])
        if draw(s, deals[1], words, seat):
            total += deals[1].weight
            if unit(words) * total < deals[1].weight:
                copy_record(deals, 2, deals[1])
            wanted -= 1
            if wanted == 0:
                break
    if total == 0.0:
        raise RuntimeError("no deal fits what the seat has seen")
    fill_up(s, deals[2], words)
    write_back(s, deals[2], words, seat)


@shared_rule
def redeal_game(s: State, seat: int, seed: int) -> None:
    """Make a redeal of a game in place, as `redeal` describes it."""
    close_secret_question(s, seat)
    words = local_zeros(NUM_WORDS, np.int64)
    seed_words(words, seed, REDEAL_STREAM)
    draw_anew(s, local_zeros(3, DEAL), words, seat)
    if has_set(s, CardSet.GODS):
        draw_gods_anew(s, words)
    if s.over == 0:
        if s.decision == Decision.NONE:
            resume(s)
        fill_mask(s)


@entry
def redeal(states: States, index: int, seat: int, seed: int) -> States:
    """A game that `seat` can't tell from this one, as an array of one record; the original is unchanged.

    Everything that the seat cannot know, by today's observation or by memory, is sampled with `seed`: every history
    that fits has the same probability, exactly or nearly (`dealing/redeal.py` says where). While others choose in
    secret they begin again, so that another one may be asked. The mask is that of the game returned.
    """
    check_game(states, index)
    check_seat(states[index], seat)
    check_seed(seed)
    result = states[index : index + 1].copy()
    redeal_game(result[0], seat, seed)
    return result
