"""The STR of a clan in a province (rules 1.3, 3.4, 4.3). What single figures are worth: `hooks.strength`."""

from typing import Final

from .....core.compile.decorators import Bytes, rule
from .....core.engine.sparse import WORD, lowest_bit, set_bits
from .. import hooks
from ..ids import KIND_CAPACITY, NUM_BOARD, NUM_KINDS, NUM_PLACES, Purpose
from ..queries import figures_of_kind, provinces_in_reach
from ..state import State
from ..weighing import weigh

_KINDS_AT_ONCE: Final = WORD // NUM_PLACES  # whose figures are looked for together
_BOARD: Final = sum((1 << NUM_BOARD) - 1 << kind * NUM_PLACES for kind in range(_KINDS_AT_ONCE))  # its places as bits


@rule
def clan_strength(s: State, seat: int, province: int, purpose: int) -> int:
    """Total STR of a clan's figures in a province and in its supporting fjord, for a `Purpose` (rules 3.4, 4.3)."""
    total = 0
    for kind in range(NUM_KINDS):
        count = figures_of_kind(s, seat, kind, province)
        if count > 0:
            total += hooks.strength(s, seat, kind, count, province, purpose)
    return total


@rule
def add_strengths(s: State, seat: int, out: Bytes) -> None:
    """Add to `out`, uint8[NUM_PROVINCES], what `clan_strength` is in each province for a battle."""
    each = hooks.strength_by_kind(s, seat)
    if each == hooks.BY_PLACE:
        add_one_by_one(s, seat, out)
    else:
        weigh(s.figures[seat], each, hooks.pair_strength(s, seat), out)


@rule
def add_one_by_one(s: State, seat: int, out: Bytes) -> None:
    """Do as `add_strengths`, where the place of a figure decides about its STR.

    It goes through the figures that there are. Those of a kind are in provinces or in fjords, never in both.
    """
    for first in range(0, KIND_CAPACITY, _KINDS_AT_ONCE):
        groups = set_bits(s.figures[seat], first * NUM_PLACES) & _BOARD
        while groups != 0:
            kind, place = divmod(lowest_bit(groups), NUM_PLACES)
            groups &= groups - 1
            count = int(s.figures[seat, first + kind, place])
            provinces = provinces_in_reach(1 << place)
            while provinces != 0:
                province = lowest_bit(provinces)
                provinces &= provinces - 1
                out[province] += hooks.strength(s, seat, first + kind, count, province, Purpose.BATTLE)


@rule
def strongest_alone(s: State, seat: int, province: int) -> bool:
    """Whether a clan has strictly the most STR in a province that stands, as quests ask (rules 3.4)."""
    if s.destroyed[province] == 1:
        return False
    own = clan_strength(s, seat, province, Purpose.QUEST)
    if own == 0:
        return False
    for other in range(s.num_players):
        if other != seat and clan_strength(s, other, province, Purpose.QUEST) >= own:
            return False
    return True
