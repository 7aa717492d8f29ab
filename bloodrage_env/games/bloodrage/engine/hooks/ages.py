"""The end of an Age and of the game (rules 3.4 to 3.6, 5)."""

from .....core.compile.decorators import rule
from ..cards import Effect
from ..effects import kickstarter_monsters
from ..ids import NONE
from ..queries import upgrade_sum
from ..state import State


@rule
def quest_times(s: State, seat: int) -> int:
    """The factor of quest glory, 1 without upgrades that raise it (rules 6.3.18)."""
    return 1 + upgrade_sum(s, seat, Effect.QUEST_MORE)


@rule
def doomed_province(s: State) -> int:
    """The province that Ragnarok destroys in this Age, NONE for none (rules 3.5, 6.4.3.3, 6.4.3.4)."""
    province = kickstarter_monsters.fenrirs_province(s)
    if province == NONE and s.destroyed[s.ragnarok[s.age]] == 0:
        province = int(s.ragnarok[s.age])
    return province


@rule
def ragnarok_times(s: State, seat: int) -> int:
    """The factor of Ragnarok glory, 1 without upgrades that raise it (rules 6.3.18)."""
    return 1 + upgrade_sum(s, seat, Effect.RAGNAROK_MORE)


@rule
def release_glory(s: State, seat: int) -> int:
    """Glory for each figure that Valhalla releases (rules 6.3.18)."""
    return upgrade_sum(s, seat, Effect.RELEASE_GLORY)


@rule
def end_glory(s: State, seat: int) -> int:
    """Glory for each figure on the board at the end (rules 5)."""
    return upgrade_sum(s, seat, Effect.END_GLORY)
