"""A simple strike, from its target to the closing (rules 4.1 to 4.3, 4.8)."""

from enum import IntEnum

from .....core.compile.decorators import rule
from ...mode import TEAM
from .. import hooks, keyword_hooks
from ..actions import DONE
from ..board import NEAR
from ..ids import MISS, Attack, Decision
from ..primitives import turn_up
from ..queries import owner, partner_of
from ..stack import ask, get, go_to, pop, put
from ..state import Frame, State
from .closing import close_card
from .fight import ask_pick, ask_reroll, ask_weaken, prepare_rerolls, roll_dice
from .landing import land_strikes
from .on_strike import on_strike
from .reactions import reactions
from .second_strike import ask_again
from .targets import chosen, offer


class Step(IntEnum):
    """The steps of a simple strike."""

    TARGET = 0
    DEFENDER = 1
    ROLL = 2
    PICK_WHITE = 3
    PICK_BLACK = 4
    EXPERIENCE = 5
    REROLL_WHITE = 6
    REROLL_BLACK = 7
    WEAKEN = 8
    LAND = 9
    ON_STRIKE = 10
    ON_COUNTER = 11
    REACT = 12
    CLOSE = 13
    END = 14


@rule
def strike(s: State) -> None:
    """From the target to the end of the fight; what follows is `aftermath`."""
    actor, target = get(s, Frame.ACTOR), get(s, Frame.TARGET)
    step = get(s, Frame.STEP)
    if step == Step.TARGET:
        go_to(s, Step.DEFENDER)
        ask(s, Decision.TARGET, get(s, Frame.SEAT), actor, target)
        return
    if step == Step.DEFENDER:
        go_to(s, Step.ROLL)
        if ask_defender(s, actor, target, owner(target)):
            return
    if TEAM > 1 and step <= Step.ROLL and get(s, Frame.DEFENDED) == 0 and get(s, Frame.DONE) == 0:
        put(s, Frame.DONE, 1)
        if ask_defender(s, actor, target, partner_of(owner(target))):
            return
    if step <= Step.ROLL:
        roll_dice(s, actor, target)
        go_to(s, Step.PICK_WHITE)
    if step <= Step.PICK_WHITE:
        go_to(s, Step.PICK_BLACK)
        if ask_pick(s, actor, target, True):
            return
    if step <= Step.PICK_BLACK:
        go_to(s, Step.EXPERIENCE)
        if ask_pick(s, target, actor, False):
            return
    if step <= Step.EXPERIENCE:
        go_to(s, Step.REROLL_WHITE)
        prepare_rerolls(s, actor, True)
    fight_on(s, actor, target)


@rule
def fight_on(s: State, actor: int, target: int) -> None:
    """Dice may be rolled again; then the strikes land."""
    step = get(s, Frame.STEP)
    if step == Step.REROLL_WHITE:
        if ask_reroll(s, actor, target):
            return
        prepare_rerolls(s, target, False)
        go_to(s, Step.REROLL_BLACK)
    if step <= Step.REROLL_BLACK:
        if ask_reroll(s, target, actor):
            return
        go_to(s, Step.WEAKEN)
    if step <= Step.WEAKEN:
        go_to(s, Step.LAND)
        if ask_weaken(s, actor, target):
            return
    if step <= Step.LAND:
        land_strikes(s, actor, target)
        go_to(s, Step.ON_STRIKE)
    aftermath(s, actor, target)


@rule
def aftermath(s: State, actor: int, target: int) -> None:
    """Effects on the struck, reactions, closing; a second strike may follow at once (rules 4.8 b to d)."""
    step = get(s, Frame.STEP)
    if step <= Step.ON_STRIKE:
        go_to(s, Step.ON_COUNTER)
        if on_strike(s, actor, target, get(s, Frame.FORCE)):
            return
    if step <= Step.ON_COUNTER:
        go_to(s, Step.REACT)
        if on_strike(s, target, actor, get(s, Frame.COUNTER)):
            return
    if step <= Step.REACT:
        forward, back = get(s, Frame.FORCE) != MISS, get(s, Frame.COUNTER) != MISS
        reactions(s, actor, target, Attack.SIMPLE, forward, back)
        go_to(s, Step.CLOSE)
    if step <= Step.CLOSE:
        if not hooks.stays_open(s, actor):
            close_card(s, actor)
        if get(s, Frame.DEFENDED) == 1:
            close_card(s, target)
        go_to(s, Step.END)
        if ask_again(s):
            return
    pop(s)


@rule
def aim_strike(s: State, target: int) -> None:
    """The target is turned up; then it is settled whether the strike is directed (rules 4.2)."""
    actor = get(s, Frame.ACTOR)
    s.strikes[actor] += 1
    turn_up(s, target)
    put(s, Frame.TARGET, target)
    put(s, Frame.DIRECTED, int(hooks.is_directed(s, actor, target) or keyword_hooks.is_unanswered(s)))


# ---- the defender (rules 4.3)


@rule
def defenders(s: State, actor: int, target: int, seat: int) -> int:
    """Cells of other open cards of a seat that are adjacent to both, as bits."""
    bits = int(NEAR[s.cell[actor]]) & int(NEAR[s.cell[target]]) & int(s.standing[seat])
    return bits & ~hooks.closed_bits(s, bits)


@rule
def ask_defender(s: State, actor: int, target: int, seat: int) -> bool:
    """Ask the owner of the target, or its partner (rules 10.11), if the strike is not directed and there is a card to
    name.
    """
    if get(s, Frame.DIRECTED) == 1:
        return False
    if defenders(s, actor, target, seat) == 0 and keyword_hooks.flying_defenders(s, actor, target, seat) == 0:
        return False
    ask(s, Decision.DEFENDER, seat, actor, target)
    return True


@rule
def mask_defender(s: State) -> None:
    """CELL[cell] or FLYER[slot] of the defender; DONE: none."""
    actor, target, seat = int(s.actor), int(s.target), int(s.seat)
    s.mask[DONE] = 1
    offer(s, defenders(s, actor, target, seat), keyword_hooks.flying_defenders(s, actor, target, seat))


@rule
def apply_defender(s: State, seat: int, action: int) -> None:
    """The defender becomes the target in every respect, turned up if it was face down."""
    if action != DONE:
        target = chosen(s, seat, action)
        turn_up(s, target)
        put(s, Frame.TARGET, target)
        put(s, Frame.DEFENDED, 1)
