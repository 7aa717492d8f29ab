"""What the others have drafted: a deal in which it is as likely as those who draft make it.

A redeal is one history of the draft: the Age's deck says which card was taken k-th from each pack, and each history
that fits what the observer has seen is equally likely. Players do not draft at random, however. Here a clan takes card
c of a pack P with the chance

    want[c] / sum(want[d] for d in P)

or two cards b and c at once (rules 3.1.3) by want[b] * want[c] over the sum of that for all pairs of P. The chance of a
history is the product of the chances of all picks but the observer's. Metropolis's algorithm (1953) makes a deal with
that chance of one of a redeal. It swaps two cards of one group, cards that the observer has last seen together in a
pack or has never seen, and keeps the swap with the chance min(1, new / old); it tries `SWAPS` for each such card.

Cards that a clan has shown stay where the redeal has put them. Nothing else is taken as evidence: which card was kept
from the Age before, what a clan held when it made a pick, or what it has done since.

How much a card is wanted is fitted to picks of v7, an earlier policy, by
`python -m research.fit_drafts`.
"""

import csv
from pathlib import Path
from typing import Final

import numpy as np

from bloodrage_env.core.compile.decorators import Floats, Ints, rule
from bloodrage_env.core.engine.chance import below, unit
from bloodrage_env.games.bloodrage.engine import (
    CARD,
    DRAFT_ROUNDS,
    DRAFTED,
    MAX_SEATS,
    NONE,
    NUM_CARDS,
    PACK_SIZE,
    TYPE,
    Card,
    CardType,
    Decision,
    Phase,
    State,
    pack,
    passed_on,
)

from ....mcts.nodes import Doubles
from ....mcts.settings import Setting

SWAPS: Final = 8  # tried for each hidden card; twice as many find hardly more of the hands (docs/agents/ismcts.md)
NEVER_SEEN: Final = 0  # the group of the places that the observer has never seen; each round has one of its own
LEFT: Final = MAX_SEATS  # LEFT + seat in the place of an owner: the seat saw the card leave the game
IN_HAND: Final = -1  # where a clan has a card, or the number of the quest committed
NOWHERE: Final = -2  # that is hidden

COLUMNS: Final = ("two", "more")  # of players: at two they take two cards at once
with (Path(__file__).parent / "drafts.csv").open(newline="", encoding="utf-8") as _file:
    _ROWS = {row["name"]: row for row in csv.DictReader(_file)}
# float64[2, NUM_CARDS]: the logarithm of how much a card is wanted, up to a constant. The mean is 0, which a card has
# that no picks were fitted to.
LOG_WANTS: Final = np.zeros((len(COLUMNS), NUM_CARDS))
for _name, _row in _ROWS.items():
    LOG_WANTS[:, Card[_name]] = [float(_row[column]) for column in COLUMNS]


@rule
def wants_row(s: State) -> int:
    """Return the row of LOG_WANTS for this number of players."""
    return min(int(s.num_players), 3) - 2


@rule
def wants_of(s: State, weight: float) -> Doubles:
    """float64[NUM_CARDS]: how much each card is wanted; with `weight` 0 all alike, with 1 as by v7."""
    return np.exp(weight * LOG_WANTS[wants_row(s)])


@rule
def score_picks(s: State, settings: Doubles, scores: Floats) -> bool:
    """Fill `scores` with the logits by which a clan picks a card; False if something else is asked, or DRAFTS is 0."""
    weight = settings[Setting.DRAFTS]
    if s.decision != Decision.DRAFT or weight == 0.0:
        return False
    row = wants_row(s)
    for card in range(NUM_CARDS):
        scores[CARD + card] = weight * LOG_WANTS[row, card]
    return True


@rule
def resample_draft(s: State, observer: int, wants: Doubles, words: Ints) -> None:
    """Swap cards of a deal in place: those drafted in this Age, left in packs, or not dealt.

    `wants`, float64[NUM_CARDS], are above 0. The observer's view of the deal does not change. Hidden choices of others
    may have changed hands, so they have to choose again.
    """
    if s.draft_round == 0 or s.phase >= Phase.QUEST:
        return
    cards = s.deck[s.age].astype(np.int64)
    size = len(cards)
    owners, places = np.zeros(size, np.int64), np.zeros(size, np.int64)
    begins, ends = np.zeros(size, np.int64), np.zeros(size, np.int64)
    count = lay_out(s, observer, owners, places, begins, ends)
    picks = np.zeros(size, np.int64)
    mark_picks(s, observer, picks)
    chances = np.ones(MAX_SEATS + 1)  # of the picks from each pack; the last one is of what was not dealt
    for first in range(s.num_players):
        chances[first] = chance_of(cards, picks, first, wants)
    for _ in range(SWAPS * count):
        at = below(words, count)
        i, j = places[at], places[begins[at] + below(words, ends[at] - begins[at])]
        if cards[i] != cards[j]:
            try_swap(s, cards, picks, i, j, owners, wants, chances, words)
    for i in range(size):
        s.deck[s.age, i] = cards[i]


@rule
def lay_out(s: State, observer: int, owners: Ints, places: Ints, begins: Ints, ends: Ints) -> int:
    """Fill the owner of each place of the Age's deck, NONE where there is none; `places` with the hidden ones, group by
    group; and where in that the group of each begins and ends. Return how many places are hidden.
    """
    groups = np.full(len(owners), NEVER_SEEN)
    owners[:] = NONE
    rounds = int(DRAFT_ROUNDS[s.num_players])
    for draft_round in range(s.draft_round):
        for seat in range(s.num_players):
            start, stop = passed_on(s, seat, draft_round)
            owners[start - DRAFTED // rounds : start] = seat
            if draft_round == rounds - 1:
                owners[start:stop] = LEFT + seat
            if seat == observer:
                groups[start - DRAFTED // rounds : start] = NONE
                groups[start:stop] = draft_round + 1
    if s.phase == Phase.GODS_GIFTS:
        start, stop = pack(s, observer)
        groups[start:stop] = NONE
    count = 0
    for group in range(s.draft_round + 1):
        begin = count
        for i in range(len(groups)):
            if groups[i] == group and s.deck[s.age, i] != NONE:
                places[count] = i
                count += 1
        begins[begin:count] = begin
        ends[begin:count] = count
    return count


@rule
def mark_picks(s: State, observer: int, picks: Ints) -> None:
    """Fill `picks` for each place of the Age's deck: how many cards were taken at once from there on, 0 where none was
    or the observer took them.
    """
    n = int(s.num_players)
    taken = DRAFTED // int(DRAFT_ROUNDS[n])
    for first in range(n):
        for draft_round in range(s.draft_round):
            if (first + draft_round) % n != observer:
                picks[first * PACK_SIZE + draft_round * taken] = taken


@rule
def chance_of(cards: Ints, picks: Ints, first: int, wants: Doubles) -> float:
    """The chance of the picks from the pack that began with a seat, but for the observer's."""
    start = first * PACK_SIZE
    total, pairs, after = 0.0, 0.0, 0.0
    taken, all_there = 1.0, 1.0  # products of what was taken and of all: a division takes as long as many of these
    for i in range(start + PACK_SIZE - 1, start - 1, -1):
        want = wants[cards[i]]
        pairs += want * total
        total += want
        if picks[i] == 1:
            taken *= want
            all_there *= total
        elif picks[i] == 2:
            taken *= want * after
            all_there *= pairs
        after = want
    return taken / all_there


@rule
def try_swap(
    s: State, cards: Ints, picks: Ints, i: int, j: int, owners: Ints, wants: Doubles, chances: Doubles, words: Ints
) -> None:
    """Swap the cards of two places, or not; `chances` are those of the packs."""
    a, b = cards[i], cards[j]
    one, other = owners[i], owners[j]
    at, there = IN_HAND, IN_HAND
    if one != other:
        at, there = find(s, one, a, b, words), find(s, other, b, a, words)
        if at == NOWHERE or there == NOWHERE:
            return
    cards[i], cards[j] = b, a
    n = int(s.num_players)
    p, q = min(i // PACK_SIZE, n), min(j // PACK_SIZE, n)
    new_p = chance_of(cards, picks, p, wants) if p < n else 1.0
    new_q = chance_of(cards, picks, q, wants) if q < n and q != p else 1.0
    old = chances[p] * (chances[q] if q != p else 1.0)
    if unit(words) * old >= new_p * new_q:
        cards[i], cards[j] = a, b
        return
    chances[p] = new_p
    if q != p:
        chances[q] = new_q
    if one != other:
        replace(s, one, at, a, b)
        replace(s, other, there, b, a)


@rule
def find(s: State, owner: int, card: int, other: int, words: Ints) -> int:
    """Where the owner of a place has its card and could have another one: in the hand, or in a quest drawn at random;
    each is looked at in half of the cases, so that a swap is as likely as the one back.
    """
    if owner == NONE or owner >= LEFT:
        return IN_HAND
    known = s.known[owner]
    if s.quest_count[owner] == 0 or below(words, 2) == 0:
        hand = s.hand[owner]
        return IN_HAND if hand[card] > known[card] and hand[other] >= known[other] else NOWHERE
    j = below(words, int(s.quest_count[owner]))
    hidden = s.quests[owner, j] == card and TYPE[other] == CardType.QUEST and known[card] == 0 and known[other] == 0
    return j if hidden else NOWHERE


@rule
def replace(s: State, owner: int, at: int, card: int, other: int) -> None:
    """Give the owner of a place another card for the one that it had there."""
    if owner == NONE:
        return
    if owner >= LEFT:
        s.gone[owner - LEFT, card] -= 1
        s.gone[owner - LEFT, other] += 1
    elif at == IN_HAND:
        s.hand[owner, card] -= 1
        s.hand[owner, other] += 1
    else:
        s.quests[owner, at] = other
