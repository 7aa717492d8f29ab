"""A second strike at once, at another card (rules 7.22)."""

from .....core.compile.decorators import rule
from .. import hooks
from ..actions import ACT, DONE
from ..cards import ABILITIES, Part
from ..ids import NONE, NUM_ACTS, SQUAD, Attack, Decision
from ..stack import ask, get, pop
from ..state import Frame, State
from .targets import can_act
from .turn import begin_action


@rule
def may_follow(s: State, slot: int, act: int, before: int) -> bool:
    """Whether the second strike can be this one: simple or across a row, at another card than the first."""
    attack = ABILITIES[Part.ATTACK, s.card[slot], act]
    return (attack == Attack.SIMPLE or attack == Attack.ACROSS) and can_act(s, slot, act, before)


@rule
def ask_again(s: State) -> bool:
    """Ask for the second strike, if the card may strike again and has a target."""
    actor, before = get(s, Frame.ACTOR), get(s, Frame.TARGET)
    if not hooks.strikes_again(s, actor):
        return False
    for act in range(NUM_ACTS):
        if may_follow(s, actor, act, before):
            ask(s, Decision.AGAIN, get(s, Frame.SEAT), actor, NONE)
            return True
    return False


@rule
def mask_again(s: State) -> None:
    """ACT[slot, act] of that card; DONE: no second strike."""
    s.mask[DONE] = 1
    for act in range(NUM_ACTS):
        if may_follow(s, int(s.actor), act, get(s, Frame.TARGET)):
            s.mask[ACT + int(s.actor) % SQUAD * NUM_ACTS + act] = 1


@rule
def apply_again(s: State, seat: int, action: int) -> None:
    """The second strike, or none."""
    before = get(s, Frame.TARGET)
    pop(s)
    if action != DONE:
        begin_action(s, seat, action, before)
