"""Thor's Domain: a pillage right after an Invade (rules 6.3.4)."""

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import YES
from ..primitives import gain_rage
from ..rules.pillage import begin_pillage
from ..stack import pop
from ..state import State


@rule
def apply_free_pillage(s: State, seat: int, action: int) -> None:
    """Pay, and pillage at once; the Invade has nothing left to do."""
    if action == YES:
        pop(s)
        gain_rage(s, seat, -hooks.FREE_PILLAGE_PRICE)
        begin_pillage(s, seat, s.about_place)
