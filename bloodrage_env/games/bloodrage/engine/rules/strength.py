"""The STR of a clan in a province (rules 1.3, 3.4, 4.3). What single figures are worth: `hooks.strength`."""

from .....core.compiled import rule
from .. import hooks
from ..ids import NUM_KINDS, Purpose
from ..queries import figures_of_kind
from ..state import State


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
