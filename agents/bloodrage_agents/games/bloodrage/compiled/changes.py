"""What each legal action changes in the ledger, as inputs of the action head of a network.

Each action is carried out on a copy of the game, up to the next question or the end of the phase. A card that is chosen
in secret is only moved: to the hand, or to the table. No answer of another seat, no hidden card and no later phase is
read, so that only information of the seat to act counts.
"""

from typing import Final, NamedTuple

import numpy as np

from bloodrage_env.core.compile.borrowed import borrowed
from bloodrage_env.core.compile.decorators import Floats, Ints, Mask, rule, shared_rule
from bloodrage_env.core.compile.local_arrays import local_zeros
from bloodrage_env.games.bloodrage.engine import (
    CARD,
    FLOW,
    NO,
    NUM_ACTIONS,
    STATE,
    Decision,
    State,
)

from ....forward import MOST
from .accounts import Payment
from .ledger import (
    AT_CARDS,
    AT_COUNT_LEADS,
    AT_LEADS,
    AT_PAYMENTS,
    AT_STAKE_LEAD,
    COUNTED,
    LEADS,
    NUM_LEDGER,
    NUM_RIVALS,
    RIVALS,
    count_sides,
)

GAME_ON_TOP: Final = 1  # depth of the stack when a phase has ended


class Change(NamedTuple):
    """A number whose change is given."""

    at: int  # in the ledger
    lead: bool  # whether it is a lead, of two numbers
    unit: int
    meaning: str


def _lead(name: str, rival: str = "best") -> int:
    return AT_LEADS + 2 * (LEADS.index(name) * NUM_RIVALS + RIVALS.index(rival))


def _count(name: str) -> int:
    return AT_COUNT_LEADS + 2 * list(COUNTED).index(name)


CHANGES: Final = {
    "ended": Change(_lead("ended"), True, 5, "lead in glory over the best rival if the game ended now"),
    "settled": Change(_lead("settled"), True, 5, "the same if the Age ended now"),
    "committed": Change(_lead("committed"), True, 5, "the same with the quests in hand committed"),
    **{
        f"settled_{rival}": Change(_lead("settled", rival), True, 5, f"`settled` over clan {rival} clockwise")
        for rival in RIVALS
        if rival != "best"
    },
    "quests": Change(AT_PAYMENTS + Payment.QUESTS, False, 5, "glory of own committed quests that are met"),
    "ragnarok": Change(AT_PAYMENTS + Payment.RAGNAROK, False, 5, "what Ragnarok of this Age pays the seat"),
    "release": Change(AT_PAYMENTS + Payment.RELEASE, False, 5, "what release pays the seat"),
    "rage": Change(_count("rage"), True, 3, "lead in Rage over the best rival"),
    "strength": Change(_count("strength"), True, 5, "lead in STR in all provinces"),
    "led": Change(_count("led"), True, 1, "lead in provinces with strictly the most STR"),
    "hand": Change(_count("hand"), True, 1, "lead in cards"),
    "best": Change(AT_CARDS + 1, False, 3, "the most that the own hand adds in a battle"),
    "stake": Change(AT_STAKE_LEAD, True, 5, "lead in STR in the province of the battle or of the next question"),
}
NUM_CHANGES: Final = len(CHANGES)
CHANGE_UNITS: Final = tuple(change.unit for change in CHANGES.values())
_AT: Final = np.array([change.at for change in CHANGES.values()])
_LEAD: Final = np.array([int(change.lead) for change in CHANGES.values()])
_BOUND: Final = np.array([round(MOST) * unit for unit in CHANGE_UNITS])


@rule
def count_changing(s: State, seat: int, counts: Floats, found: Ints) -> None:
    """Fill `found`, int64[NUM_CHANGES], with the numbers of a position for a seat. `counts` is float32[NUM_LEDGER]."""
    count_sides(s, seat, counts)
    for i in range(NUM_CHANGES):
        found[i] = int(counts[_AT[i]])
        if _LEAD[i] == 1:
            found[i] -= int(counts[_AT[i] + 1])


@rule
def carry_out(t: State, seat: int, action: int) -> None:
    """Carry out a legal action as far as its effect is open to the seat."""
    decision, card = t.decision, action - CARD
    if decision == Decision.DRAFT:
        t.hand[seat, card] += 1
        t.hand_size[seat] += 1
    elif decision == Decision.BATTLE_CARD:
        t.hand[seat, card] -= 1
        t.hand_size[seat] -= 1
        t.main[seat] = card
    elif decision == Decision.KEEP_CARD:
        t.hand[seat, :] = 0
        t.hand_size[seat] = 0
        if action != NO:
            t.hand[seat, card] = 1
            t.hand_size[seat] = 1
    else:
        FLOW.go_on(t, action)
        while decision != Decision.LATE_CARD and t.decision == Decision.NONE and t.depth > GAME_ON_TOP:
            FLOW.resume(t)


@shared_rule
def write_changes(s: State, out: Mask) -> None:
    """Fill `out`, int8[NUM_ACTIONS * NUM_CHANGES], for the seat to act: the changes of each legal action, in counts."""
    out = borrowed(out)
    out[:] = 0
    seat, scratch = int(s.seat), local_zeros(1, STATE)
    counts = local_zeros(NUM_LEDGER, np.float32)
    before, after = local_zeros(NUM_CHANGES, np.int64), local_zeros(NUM_CHANGES, np.int64)
    count_changing(s, seat, counts, before)
    for action in range(NUM_ACTIONS):
        if s.mask[action] == 1:
            scratch[0] = s
            carry_out(scratch[0], seat, action)
            count_changing(scratch[0], seat, counts, after)
            for i in range(NUM_CHANGES):
                out[action * NUM_CHANGES + i] = max(-_BOUND[i], min(_BOUND[i], after[i] - before[i]))
