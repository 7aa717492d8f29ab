"""Hidden cards in groups, as one seat sees them (see `redeal.py`)."""

from typing import Annotated, TypeAlias, cast

import numba
import numpy as np
import numpy.typing as npt

from .....core.compile.decorators import rule
from ..card_ids import CARD_CAPACITY, NUM_CARDS
from ..cards import TYPE
from ..decks import deck_size
from ..ids import MAX_SEATS, NONE, NUM_AGES, CardType, Phase
from ..information import kept_in_secret
from ..rules.gods_gifts import DRAFT_ROUNDS, no_draft, picks_per_round
from ..state import DECK_SIZE, DRAFTED, MAX_QUESTS, MAX_SHOWN, PACK_SIZE, State

POOL = 0  # the group of places that the seat has never seen
NUM_GROUPS = 10  # the pool, and a group for each time that the seat held a pack

# What the viewer can say of the card that an opponent kept from an Age; 0 if none was kept, or all know which
OPEN = 1  # one of the hand it came from
SPENT = 2  # shown, committed or kept again since, so that it is settled

_FIELDS = np.dtype(
    [
        ("group", np.int8, (NUM_AGES, DECK_SIZE)),  # of a place of the deck; NONE where the viewer knows the card
        ("owner", np.int8, (NUM_AGES, DECK_SIZE)),  # the opponent who took it, or NONE
        ("card", np.int8, (NUM_AGES, DECK_SIZE)),  # drawn so far, or NONE
        ("taken", np.int8, (NUM_AGES, DECK_SIZE)),  # shown, committed or kept: not among what is left
        ("num_groups", np.int8, NUM_AGES),
        ("free", np.int16, (NUM_AGES, NUM_GROUPS)),  # places without a card
        ("slots", np.int16, (NUM_AGES, NUM_GROUPS, MAX_SEATS)),  # those of an opponent
        ("copies", np.int8, (NUM_AGES, NUM_GROUPS, NUM_CARDS)),  # cards without a place
        ("quests", np.int16, (NUM_AGES, NUM_GROUPS)),  # quests among them
        ("secret", np.int8, (NUM_AGES, MAX_SEATS)),  # 0, OPEN or SPENT
        ("kept_card", np.int8, (NUM_AGES, MAX_SEATS)),  # drawn where nothing is known of it
        ("from_known", np.int8, (NUM_AGES, MAX_SEATS)),  # the card kept, where it is one known before
        ("committed", np.int8, (MAX_SEATS, MAX_QUESTS)),
        ("known_left", np.int8, (MAX_SEATS, CARD_CAPACITY)),  # known cards that are not committed
        ("room", np.int8, (NUM_AGES, MAX_SEATS, MAX_SHOWN)),  # how much choice each shown card leaves, or MET
        ("several_ways", np.int8),  # any demand has several ways
        ("weight", np.float64),  # of the draw, against the chance of making it
    ],
    align=True,
)
DEAL = cast("np.dtype[np.record]", np.dtype((np.record, _FIELDS)))
Deal: TypeAlias = Annotated[np.record, numba.from_dtype(DEAL)]
Deals: TypeAlias = Annotated[npt.NDArray[np.record], numba.from_dtype(DEAL)[::1]]


@rule
def current_age_closed(s: State) -> bool:
    """After 3.3 the hands of this Age are history."""
    return s.phase >= Phase.QUEST


@rule
def rounds_done(s: State, age: int) -> int:
    """Round of an Age's draft that are over."""
    if age == s.age and s.phase == Phase.GODS_GIFTS:
        return int(s.draft_round)
    return int(DRAFT_ROUNDS[s.num_players])


@rule
def lay_out_age(s: State, d: Deal, viewer: int, age: int) -> None:
    """Group and owners of an Age's deck as the viewer sees them."""
    d.num_groups[age] = 1
    for i in range(deck_size(s, age)):
        d.group[age, i] = POOL
    if age > s.age:
        return
    for pack in range(s.num_players):
        if no_draft(s, age):
            for i in range(pack * PACK_SIZE, (pack + 1) * PACK_SIZE):
                d.owner[age, i] = pack
                if pack == viewer:
                    d.group[age, i] = NONE
        else:
            lay_out_pack(s, d, viewer, age, pack)


@rule
def lay_out_pack(s: State, d: Deal, viewer: int, age: int, pack: int) -> None:
    """A pack place by place: who took it, and in which group the viewer last saw it."""
    n = int(s.num_players)
    picks = picks_per_round(s)
    done = rounds_done(s, age)
    group = POOL
    for k in range(PACK_SIZE):
        i = pack * PACK_SIZE + k
        draft_round = k // picks
        holder = (pack + draft_round) % n
        held_now = draft_round == done and k < DRAFTED
        if k % picks == 0 and holder == viewer and k < DRAFTED and (draft_round < done or held_now):
            group = int(d.num_groups[age])
            d.num_groups[age] += 1
        own_pick = holder == viewer and k < DRAFTED and draft_round < done
        d.group[age, i] = NONE if own_pick else group
        if k < DRAFTED and draft_round < done:
            d.owner[age, i] = holder


@rule
def count_groups(s: State, d: Deal, viewer: int) -> None:
    """Collect the hidden cards of each group, and the places that wait for one."""
    for age in range(NUM_AGES):
        for i in range(DECK_SIZE):
            group = d.group[age, i]
            card = s.deck[age, i]
            if group == NONE:
                d.card[age, i] = card
            else:
                d.card[age, i] = NONE
                d.free[age, group] += 1
                d.copies[age, group, card] += 1
                if TYPE[card] == CardType.QUEST:
                    d.quests[age, group] += 1
                owner = d.owner[age, i]
                if owner != NONE:
                    d.slots[age, group, owner] += 1


@rule
def lay_out(s: State, d: Deal, viewer: int) -> None:
    """Everything that the viewer knows of hidden cards."""
    d.group[:] = NONE
    d.owner[:] = NONE
    d.committed[:] = NONE
    d.from_known[:] = NONE
    d.weight = 1.0
    for age in range(NUM_AGES):
        lay_out_age(s, d, viewer, age)
    count_groups(s, d, viewer)
    for seat in range(s.num_players):
        for card in range(CARD_CAPACITY):
            d.known_left[seat, card] = s.known[seat, card]
        for age in range(NUM_AGES):
            closed = age < s.age or (age == s.age and current_age_closed(s))
            if closed and seat != viewer and kept_in_secret(s, age, seat):
                d.secret[age, seat] = OPEN
