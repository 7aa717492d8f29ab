"""Quest: committed quests are revealed, checked and paid (rules 3.4). To commit one: `action.py` (rules 3.2.8)."""

from enum import IntEnum

from .....core.compile.decorators import rule
from .. import hooks
from ..board import REGION
from ..cards import GLORIOUS_DEATH_FIGURES, GOAL, QUEST_GLORY, WIDESPREAD_PROVINCES, Goal
from ..ids import NONE, NUM_KINDS, NUM_PROVINCES, Place, Source
from ..information import note_committed_shown, note_end_of_age
from ..primitives import discard_openly, gain_glory
from ..stack import clockwise, get, pop, put
from ..state import Frame, State
from .choices import ask_stat
from .strength import strongest_alone


class Step(IntEnum):
    """The steps of the Quest phase."""

    REVEAL = 0
    PAY = 1


@rule
def quest_phase(s: State) -> None:
    """All quests are revealed at once; then each clan's are paid, from the first player on."""
    if get(s, Frame.STEP) == Step.REVEAL:
        reveal_quests(s)
        put(s, Frame.STEP, Step.PAY)
    while get(s, Frame.ASKED) < s.num_players:
        seat = clockwise(s, s.first_player, get(s, Frame.ASKED))
        while s.quest_count[seat] > 0:
            if pay_last_quest(s, seat):
                return
        put(s, Frame.ASKED, get(s, Frame.ASKED) + 1)
    s.quests_open = 0
    pop(s)


@rule
def reveal_quests(s: State) -> None:
    """Face up, all at once; what hands hold besides is history now."""
    s.quests_open = 1
    for seat in range(s.num_players):
        for i in range(s.quest_count[seat]):
            note_committed_shown(s, seat, s.quests[seat, i], i)
        note_end_of_age(s, seat)


@rule
def pay_last_quest(s: State, seat: int) -> bool:
    """Discard a quest and pay it if it is met; True if the seat is asked for a stat.

    Nothing that a quest pays changes whether another is met, so that the order reveals nothing.
    """
    s.quest_count[seat] -= 1
    card = int(s.quests[seat, s.quest_count[seat]])
    s.quests[seat, s.quest_count[seat]] = NONE
    discard_openly(s, card)
    if not quest_met(s, seat, card):
        return False
    gain_glory(s, seat, int(QUEST_GLORY[card]) * hooks.quest_times(s, seat), Source.QUEST)
    return ask_stat(s, seat, hooks.ALL_STATS, NONE, card)


@rule
def quest_met(s: State, seat: int, card: int) -> bool:
    """Whether a quest of this clan is met as the board stands (rules 3.4, 6.4.2.5)."""
    if GOAL[card] == Goal.GLORIOUS_DEATH:
        fallen = 0
        for kind in range(NUM_KINDS):
            fallen += int(s.figures[seat, kind, Place.VALHALLA])
        return fallen >= GLORIOUS_DEATH_FIGURES
    won = 0
    for province in range(NUM_PROVINCES):
        if GOAL[card] == Goal.WIDESPREAD or REGION[province] == GOAL[card]:
            won += int(strongest_alone(s, seat, province))
    return won >= (WIDESPREAD_PROVINCES if GOAL[card] == Goal.WIDESPREAD else 1)
