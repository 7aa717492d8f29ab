"""What each legal action changes in the ledger, as inputs of the action head of a network.

Each action is carried out on a copy of the game, up to the next question or the end of the phase. A card that is chosen
in secret is only moved: to the hand, or to the table. No answer of another seat, no hidden card and no later phase is
read, so that only information of the seat to act counts.
"""

from typing import Final, NamedTuple

import numpy as np

from bloodrage_env.core.compile.borrowed import borrowed
from bloodrage_env.core.compile.decorators import Ints, Mask, rule, shared_rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.core.compile.memory_copies import copy_record
from bloodrage_env.games.bloodrage.engine import (
    CARD,
    FLOW,
    MAX_SEATS,
    NO,
    NONE,
    NUM_ACTIONS,
    NUM_PROVINCES,
    STATE,
    Decision,
    State,
)

from ....forward import MOST
from .accounts import NUM_PAYMENTS, Payment
from .ledger import (
    CELLS,
    GREAT,
    NUM_GOALS,
    NUM_TOTALS,
    PAID,
    RIVALS,
    committed_total,
    fill_goals,
    fill_quests,
    fill_strengths,
    fill_totals,
    lead_over,
    least_lead,
    margin,
    stake_of,
    total_there,
)
from .odds import own_best

GAME_ON_TOP: Final = 1  # depth of the stack when a phase has ended


class Change(NamedTuple):
    """A number whose change is given."""

    unit: int
    meaning: str


CHANGES: Final = {
    "ended": Change(5, "lead in glory over the best rival if the game ended now"),
    "settled": Change(5, "the same if the Age ended now"),
    "committed": Change(5, "the same with the quests in hand committed"),
    **{f"settled_{rival}": Change(5, f"`settled` over clan {rival} clockwise") for rival in RIVALS if rival != "best"},
    "quests": Change(5, "glory of own committed quests that are met"),
    "ragnarok": Change(5, "what Ragnarok of this Age pays the seat"),
    "release": Change(5, "what release pays the seat"),
    "rage": Change(3, "lead in Rage over the best rival"),
    "strength": Change(5, "lead in STR in all provinces"),
    "led": Change(1, "lead in provinces with strictly the most STR"),
    "hand": Change(1, "lead in cards"),
    "best": Change(3, "the most that the own hand adds in a battle"),
    "stake": Change(5, "lead in STR in the province of the battle or of the next question"),
}
NUM_CHANGES: Final = len(CHANGES)
CHANGE_UNITS: Final = tuple(change.unit for change in CHANGES.values())
_BOUND: Final = np.array([round(MOST) * unit for unit in CHANGE_UNITS])
(
    _ENDED, _SETTLED, _COMMITTED, _OVER_RIVALS, _QUESTS, _RAGNAROK, _RELEASE, _RAGE, _STRENGTH, _LED, _HAND, _BEST,
    _STAKE,
) = (
    list(CHANGES).index(name)
    for name in (
        "ended", "settled", "committed", f"settled_{RIVALS[1]}", "quests", "ragnarok", "release", "rage", "strength",
        "led", "hand", "best", "stake",
    )
)  # fmt: skip


class Count(NamedTuple):
    """What is counted of a position: work arrays."""

    goals: Ints  # int64[NUM_GOALS]
    quests: Ints  # int64[4]
    payments: Ints  # int64[PAID]
    totals: Ints  # int64[NUM_TOTALS]


@rule
def count_board(s: State, seat: int, count: Count, found: Ints) -> None:
    """Fill `count`, and the numbers of `found` that `count_cards` does not fill."""
    n = int(s.num_players)
    strengths = local_zeros(CELLS, np.uint8)
    fill_strengths(s, strengths)
    fill_goals(s, seat, strengths, count.goals)
    fill_quests(s, seat, count.goals, count.quests)
    fill_totals(s, seat, count.quests, count.payments, count.totals)
    found[_ENDED] = least_lead(s, seat, count.totals[MAX_SEATS : 2 * MAX_SEATS])
    found[_COMMITTED] = least_lead(s, seat, count.totals[3 * MAX_SEATS : 4 * MAX_SEATS])
    settled = count.totals[2 * MAX_SEATS : 3 * MAX_SEATS]
    found[_SETTLED] = least_lead(s, seat, settled)
    for r in range(1, n):
        found[_OVER_RIVALS + r - 1] = settled[seat] - settled[(seat + r) % n]
    own = count.payments[seat * NUM_PAYMENTS : (seat + 1) * NUM_PAYMENTS]
    found[_QUESTS], found[_RAGNAROK] = own[Payment.QUESTS], own[Payment.RAGNAROK]
    found[_RELEASE] = own[Payment.RELEASE]
    rage = local_zeros(MAX_SEATS, np.int64)
    total, led = local_zeros(MAX_SEATS, np.int64), local_zeros(MAX_SEATS, np.int64)
    for clan in range(n):
        rage[clan] = s.rage[clan]
        for province in range(NUM_PROVINCES):
            if s.destroyed[province] == 0:
                total[clan] += strengths[clan * NUM_PROVINCES + province]
                led[clan] += int(margin(s, clan, strengths, province) > 0)
    found[_RAGE] = least_lead(s, seat, rage)
    found[_STRENGTH], found[_LED] = least_lead(s, seat, total), least_lead(s, seat, led)


@rule
def count_quests(s: State, seat: int, count: Count, found: Ints) -> None:
    """Fill the number of `found` that depends on the quests in hand. The board is as it was in `count_board`."""
    fill_quests(s, seat, count.goals, count.quests)
    own = count.payments[seat * NUM_PAYMENTS : (seat + 1) * NUM_PAYMENTS]
    committed = count.totals[3 * MAX_SEATS : 4 * MAX_SEATS]
    committed[seat] = committed_total(s, seat, count.quests, own)
    found[_COMMITTED] = least_lead(s, seat, committed)


@rule
def count_cards(s: State, seat: int, found: Ints) -> None:
    """Fill the numbers of `found` that depend on cards in hand and on the table."""
    cards = local_zeros(MAX_SEATS, np.int64)
    for clan in range(s.num_players):
        cards[clan] = s.hand_size[clan]
    found[_HAND] = least_lead(s, seat, cards)
    found[_BEST] = own_best(s, seat, NONE)
    province, stake = stake_of(s), GREAT
    if province != NONE:
        strength = total_there(s, seat, province)
        for other in range(s.num_players):
            if other != seat:
                stake = min(stake, lead_over(s, strength, other, province))
    found[_STAKE] = stake if stake < GREAT else 0


@rule
def chooses_in_secret(s: State) -> bool:
    """Whether the answer to the open question only moves a card of the own hand until the others have answered."""
    return s.decision in (Decision.DRAFT, Decision.BATTLE_CARD, Decision.KEEP_CARD)


@rule
def move_card(t: State, seat: int, action: int) -> None:
    """Move the card that is chosen in secret: to the hand, or to the table."""
    card = action - CARD
    if t.decision == Decision.DRAFT:
        t.hand[seat, card] += 1
        t.hand_size[seat] += 1
    elif t.decision == Decision.BATTLE_CARD:
        t.hand[seat, card] -= 1
        t.hand_size[seat] -= 1
        t.main[seat] = card
    else:
        t.hand[seat, :] = 0
        t.hand_size[seat] = 0
        if action != NO:
            t.hand[seat, card] = 1
            t.hand_size[seat] = 1


@rule
def carry_out(t: State, action: int) -> None:
    """Carry out an action, up to the next question or the end of the phase."""
    decision = t.decision
    FLOW.go_on(t, action)
    while decision != Decision.LATE_CARD and t.decision == Decision.NONE and t.depth > GAME_ON_TOP:
        FLOW.resume(t)


@shared_rule
def write_changes(s: State, out: Mask) -> None:
    """Fill `out`, int8[NUM_ACTIONS * NUM_CHANGES], for the seat to act: the changes of each legal action, in counts."""
    out = borrowed(out)
    out[:] = 0
    seat, scratch = int(s.seat), local_zeros(1, STATE)
    before, after = local_zeros(NUM_CHANGES, np.int64), local_zeros(NUM_CHANGES, np.int64)
    count = Count(
        local_zeros(NUM_GOALS, np.int64), local_zeros(4, np.int64), local_zeros(PAID, np.int64),
        local_zeros(NUM_TOTALS, np.int64),
    )  # fmt: skip
    secret = chooses_in_secret(s)
    count_board(s, seat, count, before)
    count_cards(s, seat, before)
    for i in range(NUM_CHANGES):
        after[i] = before[i]
    t = scratch[0]
    for action in range(NUM_ACTIONS):
        if s.mask[action] == 1:
            copy_record(scratch, 0, s)
            if secret:
                move_card(t, seat, action)
                count_quests(t, seat, count, after)
            else:
                carry_out(t, action)
                count_board(t, seat, count, after)
            count_cards(t, seat, after)
            for i in range(NUM_CHANGES):
                out[action * NUM_CHANGES + i] = max(-_BOUND[i], min(_BOUND[i], after[i] - before[i]))
