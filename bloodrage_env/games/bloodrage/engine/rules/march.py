"""March: figures of one province go to empty villages of another (rules 3.2.6)."""

from .....core.compile.decorators import rule
from ..actions import COUNT
from ..ids import NONE, NUM_KINDS, Decision, Routine
from ..primitives import move_figure
from ..queries import room
from ..stack import ask, get, pop, push, put
from ..state import Frame, State
from .pillage import allow_pillage

MARCH_PRICE = 1


@rule
def begin_march(s: State, seat: int, origin: int, target: int) -> None:
    """The price is paid; who goes is asked."""
    s.march[:] = 0
    push(s, Routine.MARCH, seat, target)
    put(s, Frame.ORIGIN, origin)


@rule
def march(s: State) -> None:
    """Ask how many of each kind go, one kind after the other; the step is the kind. Then all go at once."""
    seat = get(s, Frame.SEAT)
    origin = get(s, Frame.ORIGIN)
    target = get(s, Frame.PLACE)
    for kind in range(get(s, Frame.STEP), NUM_KINDS):
        chosen = int(s.march.sum())
        count = int(s.figures[seat, kind, origin])
        space = room(s, target) - chosen
        if count > 0 and space > 0:
            put(s, Frame.STEP, kind + 1)
            ask(s, Decision.MARCH, seat, target, NONE, kind)
            others_follow = False
            for later in range(kind + 1, NUM_KINDS):
                others_follow = others_follow or s.figures[seat, later, origin] > 0
            s.low = 0 if chosen > 0 or others_follow else 1
            s.high = min(count, space)
            return
    for kind in range(NUM_KINDS):
        for _ in range(s.march[kind]):
            move_figure(s, seat, kind, origin, target)
            allow_pillage(s, seat, target)
        s.march[kind] = 0
    pop(s)


@rule
def mask_count(s: State) -> None:
    """COUNT[low] to COUNT[high]"""
    for count in range(s.low, s.high + 1):
        s.mask[COUNT + count] = 1


@rule
def apply_march(s: State, seat: int, action: int) -> None:
    """Remember how many go."""
    s.march[s.about_kind] = action - COUNT
