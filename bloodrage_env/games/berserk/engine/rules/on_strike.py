"""What a simple strike that landed does to the struck card beside its wounds (rules 4.8 b, 7.2, 7.18, 7.28)."""

from .....core.compile.decorators import rule
from .. import hooks, keyword_hooks
from ..actions import YES
from ..board import BEHIND, OFF_BOARD
from ..ids import MISS, Decision
from ..laar import plays
from ..primitives import enter, wound
from ..queries import lives, owner, place_of, taken
from ..stack import ask
from ..state import State
from .beings import heal_allies
from .closing import close_card


@rule
def on_strike(s: State, source: int, struck: int, force: int) -> bool:
    """The effects of a strike that landed on a card that lives, also of a dead source; True if somebody is asked."""
    if force != MISS:
        heal_allies(s, source)
    if force == MISS or not lives(s, struck):
        return False
    s.poison[struck] = hooks.poison_of(s, source, struck, force)
    keyword_hooks.mark(s, source, struck)
    if hooks.closing_wounds(s, source, struck) > 0:
        if not plays(s, owner(struck)):
            wound(s, struck, hooks.closing_wounds(s, source, struck), True)
            return False
        ask(s, Decision.CLOSE_OR_WOUND, owner(struck), source, struck)
        return True
    if hooks.push_wounds(s, source) > 0:
        ask(s, Decision.PUSH, owner(source), source, struck)
        return True
    return False


@rule
def apply_close_or_wound(s: State, seat: int, action: int) -> None:
    """YES: the struck card closes; NO: it is wounded (influence)."""
    if action == YES:
        close_card(s, int(s.target))
    else:
        wound(s, int(s.target), hooks.closing_wounds(s, int(s.actor), int(s.target)), True)


@rule
def pushed_to(s: State, source: int, struck: int) -> int:
    """The free cell where a push would bring the struck card, or OFF_BOARD (rules 7.28)."""
    cell = int(BEHIND[place_of(s, source), s.cell[struck]])
    return OFF_BOARD if cell == OFF_BOARD or taken(s) >> cell & 1 == 1 else cell


@rule
def apply_push(s: State, seat: int, action: int) -> None:
    """YES: the owner of the struck card chooses, if it can be pushed; if not it is wounded (influence)."""
    source, struck = int(s.actor), int(s.target)
    if action != YES:
        return
    if pushed_to(s, source, struck) == OFF_BOARD or not plays(s, owner(struck)):
        wound(s, struck, hooks.push_wounds(s, source), True)
    else:
        ask(s, Decision.GO_OR_WOUND, owner(struck), source, struck)


@rule
def apply_go_or_wound(s: State, seat: int, action: int) -> None:
    """YES: it is pushed; NO: it is wounded."""
    source, struck = int(s.actor), int(s.target)
    if action == YES:
        enter(s, struck, pushed_to(s, source, struck))
    else:
        wound(s, struck, hooks.push_wounds(s, source), True)
