"""Gods' Gifts: deal and draft (rules 3.1)."""

from enum import IntEnum

import numpy as np

from .....core.compile.decorators import rule
from ..actions import CARD
from ..ids import MAX_SEATS, NONE, Decision, Phase
from ..primitives import add_to_hand, leave_unseen
from ..stack import ask, clockwise, get, pop, put
from ..state import DRAFTED, PACK_SIZE, Frame, State

DRAFT_ROUNDS = np.array([0, 0, 3] + [DRAFTED] * (MAX_SEATS - 2), dtype=np.int64)  # by number of players (rules 3.1.3)


class Step(IntEnum):
    """Of the routine."""

    DEAL = 0
    CHOOSE = 1


@rule
def picks_per_round(s: State) -> int:
    """Two players keep two cards at a time (rules 3.1.3)."""
    return DRAFTED // int(DRAFT_ROUNDS[s.num_players])


@rule
def no_draft(s: State, age: int) -> bool:
    """Under `first_game` each player keeps all eight cards of Age 1 (rules 3.1.4)."""
    return s.first_game == 1 and age == 0


@rule
def pack_of(s: State, seat: int, draft_round: int) -> int:
    """The pack of a seat; packs go to the left, and are named by where they began (rules 3.1.2)."""
    return clockwise(s, seat, int(s.num_players) * PACK_SIZE - int(draft_round))


@rule
def pack(s: State, seat: int) -> tuple[int, int]:
    """Where in the Age's deck the cards begin and end that are left in the pack before a seat (rules 3.1.2)."""
    start = pack_of(s, seat, s.draft_round) * PACK_SIZE
    return start + int(s.draft_round) * picks_per_round(s), start + PACK_SIZE


@rule
def passed_on(s: State, seat: int, draft_round: int) -> tuple[int, int]:
    """Where in the Age's deck the cards begin and end that a seat passed on in a round that is done and has not held
    since: what was left then of its pack. Of a pack that has come back they are those taken in between (rules 3.1.2).
    """
    start = pack_of(s, seat, draft_round) * PACK_SIZE
    picks = picks_per_round(s)
    again = draft_round + int(s.num_players)
    stop = start + PACK_SIZE
    if again < s.draft_round or (again == s.draft_round and s.phase == Phase.GODS_GIFTS):
        stop = start + again * picks
    return start + (draft_round + 1) * picks, stop


@rule
def gods_gifts(s: State) -> None:
    """Deal; then rounds in which all choose, one after the other and hidden, and keep at once."""
    if get(s, Frame.STEP) == Step.DEAL:
        s.draft_round = 0
        if no_draft(s, s.age):
            for seat in range(s.num_players):
                for i in range(seat * PACK_SIZE, (seat + 1) * PACK_SIZE):
                    add_to_hand(s, seat, s.deck[s.age, i])
            pop(s)
            return
        put(s, Frame.STEP, Step.CHOOSE)
    picks = picks_per_round(s)
    for offset in range(s.num_players):
        seat = clockwise(s, s.first_player, offset)
        if s.pending[seat, picks - 1] == NONE:
            ask(s, Decision.DRAFT, seat, NONE, NONE, NONE)
            return
    keep_choices(s)
    done = int(s.draft_round) + 1
    s.draft_round = done
    if done * picks == DRAFTED:
        leave_last_cards(s)
        pop(s)


@rule
def keep_choices(s: State) -> None:
    """Everybody keeps the card chosen; it moves to the front of what is left of its pack."""
    for seat in range(s.num_players):
        start, stop = pack(s, seat)
        for pick in range(picks_per_round(s)):
            card = s.pending[seat, pick]
            for i in range(start + pick, stop):
                if s.deck[s.age, i] == card:
                    s.deck[s.age, i] = s.deck[s.age, start + pick]
                    s.deck[s.age, start + pick] = card
                    break
            add_to_hand(s, seat, card)
            s.pending[seat, pick] = NONE


@rule
def leave_last_cards(s: State) -> None:
    """The last two of each pack leave the game, seen by the one who held them last (rules 3.1.2)."""
    for seat in range(s.num_players):
        start = pack_of(s, seat, int(s.draft_round) - 1) * PACK_SIZE
        for i in range(start + DRAFTED, start + PACK_SIZE):
            leave_unseen(s, seat, s.deck[s.age, i])


@rule
def mask_draft(s: State) -> None:
    """CARD[card] of the pack. Of two cards the lower id is chosen first, so that a pair is one sequence."""
    seat = s.seat
    start, stop = pack(s, seat)
    first = s.pending[seat, 0]
    highest = NONE
    copies_of_highest = 0
    copies_of_first = 0
    for i in range(start, stop):
        card = s.deck[s.age, i]
        if card > highest:
            highest = card
            copies_of_highest = 0
        copies_of_highest += card == highest
        copies_of_first += card == first
        if first == NONE or card > first:
            s.mask[CARD + card] = 1
    if first != NONE and copies_of_first > 1:
        s.mask[CARD + first] = 1
    if first == NONE and picks_per_round(s) == 2 and copies_of_highest == 1:
        s.mask[CARD + highest] = 0


@rule
def apply_draft(s: State, seat: int, action: int) -> None:
    """Remember the choice until all have chosen."""
    pick = 0 if s.pending[seat, 0] == NONE else 1
    s.pending[seat, pick] = action - CARD
