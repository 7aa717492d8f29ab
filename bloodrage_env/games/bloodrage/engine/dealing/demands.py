"""What opponents have shown, committed and kept, as demands on the places of `groups.py`; each is met with its share
of the histories.
"""

from .....core.compile.decorators import Ints, rule
from .....core.engine.chance import below, unit
from ..card_ids import NUM_CARDS
from ..cards import QUESTS, TYPE
from ..ids import NONE, CardType
from ..information import copies_since
from ..state import DECK_SIZE, State
from .groups import OPEN, SPENT, Deal

ANY_QUEST = -2
MET = 127  # instead of the choice that a demand leaves


@rule
def wanted(d: Deal, age: int, group: int, card: int) -> int:
    """Copy of a card, or of any quest, that wait for a place in a group."""
    return int(d.quests[age, group]) if card == ANY_QUEST else int(d.copies[age, group, card])


@rule
def group_weight(d: Deal, age: int, group: int, seat: int, card: int) -> float:
    """In how many places of a seat the card is on average, over the ways to fill a group."""
    if d.slots[age, group, seat] == 0:
        return 0.0
    return float(d.slots[age, group, seat]) * wanted(d, age, group, card) / float(d.free[age, group])


@rule
def age_weight(d: Deal, age: int, seat: int, card: int) -> float:
    """The same over all groups of an Age."""
    total = 0.0
    for group in range(d.num_groups[age]):
        total += group_weight(d, age, group, seat, card)
    return total


@rule
def known_at_end(s: State, d: Deal, age: int, seat: int, card: int) -> int:
    """Copy of a card, or quests, known to be in the hand from which a card was kept."""
    if card != ANY_QUEST:
        return int(s.end_known[age, seat, card])
    total = 0
    for quest in range(NUM_CARDS):
        if TYPE[quest] == CardType.QUEST:
            total += int(s.end_known[age, seat, quest])
    return total


@rule
def kept_weight(s: State, d: Deal, age: int, seat: int, card: int) -> float:
    """Share of the histories in which the card kept from `age` (perhaps kept before, too) is this one."""
    total = 0.0
    share = 1.0
    while age >= 0 and d.secret[age, seat] == OPEN:
        share /= float(s.end_hand[age, seat])
        total += share * (known_at_end(s, d, age, seat, card) + age_weight(d, age, seat, card))
        age -= 1
    return total


@rule
def pick_quest(d: Deal, words: Ints, age: int, group: int) -> int:
    """A quest of a group, each copy equally likely."""
    rank = below(words, int(d.quests[age, group]))
    for card in range(NUM_CARDS):
        if TYPE[card] == CardType.QUEST:
            rank -= int(d.copies[age, group, card])
            if rank < 0:
                return card
    return NONE


@rule
def take_place(d: Deal, words: Ints, age: int, group: int, seat: int, card: int) -> int:
    """Put a card (or a quest) into a place of the seat, each equally likely; returns the card."""
    if card == ANY_QUEST:
        card = pick_quest(d, words, age, group)
    rank = below(words, int(d.slots[age, group, seat]))
    for i in range(DECK_SIZE):
        if d.group[age, i] == group and d.owner[age, i] == seat and d.card[age, i] == NONE:
            if rank == 0:
                d.card[age, i] = card
                d.taken[age, i] = 1
                break
            rank -= 1
    d.slots[age, group, seat] -= 1
    d.free[age, group] -= 1
    d.copies[age, group, card] -= 1
    if TYPE[card] == CardType.QUEST:
        d.quests[age, group] -= 1
    return card


@rule
def take_from_age(d: Deal, words: Ints, age: int, seat: int, card: int, at: float) -> int:
    """Take the place at which the running weight passes `at`."""
    last = NONE
    for group in range(d.num_groups[age]):
        weight = group_weight(d, age, group, seat, card)
        if weight > 0.0:
            last = group
            if at < weight:
                break
            at -= weight
    return take_place(d, words, age, last, seat, card)


@rule
def take_kept(s: State, d: Deal, words: Ints, age: int, seat: int, card: int, at: float) -> int:
    """Settle which card was kept from `age`: one known before, one of its places, or one kept already then."""
    share = 1.0
    while True:
        d.secret[age, seat] = SPENT
        share /= float(s.end_hand[age, seat])
        known = known_at_end(s, d, age, seat, card)
        if at < share * known:
            return take_known_at_end(s, d, words, age, seat, card)
        at -= share * known
        weight = share * age_weight(d, age, seat, card)
        earlier = age > 0 and d.secret[age - 1, seat] == OPEN and kept_weight(s, d, age - 1, seat, card) > 0.0
        if at < weight or not earlier:
            if weight > 0.0:
                return take_from_age(d, words, age, seat, card, at / share)
            return take_known_at_end(s, d, words, age, seat, card)
        at -= weight
        age -= 1


@rule
def take_known_at_end(s: State, d: Deal, words: Ints, age: int, seat: int, card: int) -> int:
    """The card kept is one that all knew in that hand."""
    if card == ANY_QUEST:
        rank = below(words, known_at_end(s, d, age, seat, ANY_QUEST))
        for quest in range(NUM_CARDS):
            if TYPE[quest] == CardType.QUEST:
                rank -= int(s.end_known[age, seat, quest])
                if rank < 0:
                    card = quest
                    break
    d.from_known[age, seat] = card
    return card


@rule
def meet_shown(s: State, d: Deal, words: Ints, age: int, seat: int, card: int) -> bool:
    """A seat has shown a card that it had from this Age's deal or kept from before; False if no way is left."""
    dealt = age_weight(d, age, seat, card)
    kept = kept_weight(s, d, age - 1, seat, card)
    if dealt + kept <= 0.0:
        return False
    d.weight = float(d.weight) * (dealt + kept)
    at = unit(words) * (dealt + kept)
    if at < dealt or kept <= 0.0:
        take_from_age(d, words, age, seat, card, at)
    else:
        take_kept(s, d, words, age - 1, seat, card, at - dealt)
    return True


@rule
def room(s: State, d: Deal, age: int, seat: int, card: int) -> int:
    """How many copies of a shown card the seat can have had, less those that it has shown besides and that wait.

    Less than 1 is a dead end; 1 too where it may have come from one group, or hand kept from, only, which is not a
    choice. That there are several is noted.
    """
    copies = int(kept_weight(s, d, age - 1, seat, card) > 0.0)
    sources = copies
    for group in range(d.num_groups[age]):
        here = min(int(d.slots[age, group, seat]), int(d.copies[age, group, card]))
        copies += here
        sources += int(here > 0)
    if sources > 1:
        d.several_ways = 1
    for k in range(s.shown_count[age, seat]):
        copies -= int(s.shown[age, seat, k] == card and d.room[age, seat, k] != MET)
    return min(copies + 1, 1) if sources == 1 else copies + 1


@rule
def note_room(s: State, d: Deal, viewer: int) -> None:
    """Note how much choice each demand leaves, and whether any leaves some."""
    for age in range(s.age + 1):
        for seat in range(s.num_players):
            if seat != viewer:
                for k in range(s.shown_count[age, seat]):
                    card = int(s.shown[age, seat, k])
                    d.room[age, seat, k] = room(s, d, age, seat, card)
                if age == s.age and s.quest_count[seat] > 0 and s.quests_open == 0:
                    d.several_ways = 1


@rule
def meet_all_shown(s: State, d: Deal, words: Ints, viewer: int) -> bool:
    """Meet the demands one by one, each time one that leaves the least choice; few dead ends that way."""
    while True:
        least, its_age, its_seat, number = MET, 0, 0, 0
        for age in range(s.age + 1):
            for seat in range(s.num_players):
                if seat != viewer:
                    for k in range(s.shown_count[age, seat]):
                        if d.room[age, seat, k] < least:
                            least, its_age, its_seat, number = int(d.room[age, seat, k]), age, seat, k
        if least == MET:
            return True
        card = int(s.shown[its_age, its_seat, number])
        if least < 1 or not meet_shown(s, d, words, its_age, its_seat, card):
            return False
        d.room[its_age, its_seat, number] = MET
        update_room(s, d, viewer, its_seat, card)


@rule
def update_room(s: State, d: Deal, viewer: int, near: int, met: int) -> None:
    """Count again where the card just placed took a place of the same seat, or a copy of the same card."""
    for age in range(s.age + 1):
        for seat in range(s.num_players):
            if seat != viewer:
                for k in range(s.shown_count[age, seat]):
                    card = int(s.shown[age, seat, k])
                    if d.room[age, seat, k] != MET and (seat == near or card == met):
                        d.room[age, seat, k] = room(s, d, age, seat, card)


@rule
def known_choices(s: State, d: Deal, seat: int, quest: int, j: int) -> int:
    """Known copies of a quest that can be the one committed as number `j`, after those drawn for earlier ones."""
    return copies_since(s, seat, quest, j) - (int(s.known[seat, quest]) - int(d.known_left[seat, quest]))


@rule
def meet_committed(s: State, d: Deal, words: Ints, seat: int) -> bool:
    """Draw a seat's committed quests, in the order in which it committed them."""
    age = int(s.age)
    for j in range(s.quest_count[seat]):
        known = 0
        for quest in QUESTS:
            known += known_choices(s, d, seat, quest, j)
        dealt = age_weight(d, age, seat, ANY_QUEST)
        kept = kept_weight(s, d, age - 1, seat, ANY_QUEST)
        if known + dealt + kept <= 0.0:
            return False
        d.weight = float(d.weight) * (known + dealt + kept)
        at = unit(words) * (known + dealt + kept)
        if at < known:
            card = NONE
            for quest in QUESTS:
                choices = known_choices(s, d, seat, quest, j)
                if choices > 0:
                    card = int(quest)
                    at -= choices
                    if at < 0.0:
                        break
            d.known_left[seat, card] -= 1
            d.committed[seat, j] = card
        elif at < known + dealt or kept <= 0.0:
            d.committed[seat, j] = take_from_age(d, words, age, seat, ANY_QUEST, at - known)
        else:
            d.committed[seat, j] = take_kept(s, d, words, age - 1, seat, ANY_QUEST, at - known - dealt)
    return True
