"""The game and its Ages: the order of the phases (rules 3, 3.7)."""

from .....core.compile.decorators import rule
from .. import hooks
from ..decks import has_set
from ..ids import NONE, NUM_AGES, CardSet, Phase, Routine, Stat
from ..primitives import set_rage, stat_value
from ..stack import clockwise, get, push, put
from ..state import Frame, State
from .endgame import final_scores
from .gods import place_gods
from .valhalla import release


@rule
def game(s: State) -> None:
    """One phase after the other; each is a routine, or done at once."""
    phase = get(s, Frame.STEP)
    s.phase = phase
    put(s, Frame.STEP, phase + 1)
    if phase == Phase.GODS_GIFTS:
        push(s, Routine.GODS_GIFTS, NONE, NONE)
    elif phase == Phase.ACTION:
        begin_action_phase(s)
    elif phase == Phase.DISCARD:
        push(s, Routine.DISCARD_PHASE, NONE, NONE)
    elif phase == Phase.QUEST:
        push(s, Routine.QUEST_PHASE, NONE, NONE)
    elif phase == Phase.RAGNAROK:
        push(s, Routine.RAGNAROK, NONE, hooks.doomed_province(s))
    elif phase == Phase.VALHALLA:
        release(s)
    else:
        end_of_age(s)


@rule
def begin_action_phase(s: State) -> None:
    """Rage is set to the Rage stat's value; the first player begins (rules 3.2.1)."""
    for seat in range(s.num_players):
        set_rage(s, seat, stat_value(s, seat, Stat.RAGE))
        s.passed[seat] = 0
    push(s, Routine.ACTION_PHASE, s.first_player, NONE)


@rule
def end_of_age(s: State) -> None:
    """Tokens turn up, the first-player token passes to the left (rules 3.7); after the third Age the game ends."""
    if s.age == NUM_AGES - 1:
        final_scores(s)
        s.phase = Phase.OVER
        s.over = 1
        return
    s.pillaged[:] = 0
    s.barred[:] = 0
    s.first_player = clockwise(s, s.first_player, 1)
    s.age += 1
    if has_set(s, CardSet.GODS):
        place_gods(s)
    s.phase = Phase.GODS_GIFTS
    put(s, Frame.STEP, Phase.GODS_GIFTS)
