"""The subject of the open question and the next turn, by name, as the stack of routines contains them."""

from typing import NamedTuple

from ....core.compile.decorators import entry, rule
from .checks import check_game
from .ids import NONE, Decision, Place, Routine
from .stack import clockwise, get
from .state import Frame, State, States

FRAME_OF_PHASE = 1  # the Action phase's frame is on the game's
FRAME_OF_ACTION = 2  # that of an action on this


class Asked(NamedTuple):
    """What else the open question is about, beside the fields of a game; NONE or 0 where it is about another thing."""

    pillager: int  # in a call to battle: the clan that pillages
    declined: int  # in a call to battle and for late cards: clans that have declined in a row
    origin: int  # in a March: the province that it leaves
    sacrificed: int  # of the two figures of a sacrifice: those chosen, 0 or 1
    taker: int  # the clan whose Mystic is taking a village, also while what this sets off is asked
    kind: int  # of that Mystic: the figure kind
    raised: int  # 1 where it comes from Valhalla
    victim: int  # the clan of which it may take, or has taken, a figure's village


@rule
def asked(s: State) -> Asked:
    """What else the open question is about; of a question that is not hidden."""
    pillager = NONE
    declined = 0
    origin = NONE
    sacrificed = 0
    taker = NONE
    kind = NONE
    raised = 0
    victim = NONE
    decision = s.decision
    if decision == Decision.CALL:
        pillager = get(s, Frame.SEAT)
    if decision == Decision.CALL or decision == Decision.LATE_CARD:
        declined = get(s, Frame.DECLINED) - 1
    elif decision == Decision.MARCH:
        origin = get(s, Frame.ORIGIN)
    elif decision == Decision.SACRIFICE:
        sacrificed = get(s, Frame.STEP) - 1
    if s.depth > FRAME_OF_ACTION and s.stack[FRAME_OF_ACTION, Frame.ROUTINE] == Routine.TAKE_VILLAGE:
        taker = int(s.stack[FRAME_OF_ACTION, Frame.SEAT])
        kind = int(s.stack[FRAME_OF_ACTION, Frame.KIND])
        raised = int(s.stack[FRAME_OF_ACTION, Frame.ORIGIN] == Place.VALHALLA)
        victim = clockwise(s, taker, s.stack[FRAME_OF_ACTION, Frame.VICTIMS])
    return Asked(pillager, declined, origin, sacrificed, taker, kind, raised, victim)


@rule
def next_turn(s: State) -> int:
    """The seat whose turn comes next in the Action phase, if it can act then (rules 3.2.1)."""
    return int(s.stack[FRAME_OF_PHASE, Frame.SEAT])


@entry
def asked_in(states: States, index: int) -> Asked:
    """What else the open question of a game is about: the rule `asked`."""
    check_game(states, index)
    return asked(states[index])
