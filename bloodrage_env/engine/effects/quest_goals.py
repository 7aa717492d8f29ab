"""What the quests ask for (rules 3.4)."""

from ...core.compiled import rule
from ..board import REGION
from ..cards import GLORIOUS_DEATH_FIGURES, GOAL, Goal
from ..ids import NUM_KINDS, NUM_PROVINCES, Place
from ..queries import strongest_alone
from ..state import State


@rule
def quest_met(s: State, seat: int, card: int) -> bool:
    """Whether a quest of this clan is met as the board stands."""
    if GOAL[card] == Goal.GLORIOUS_DEATH:
        fallen = 0
        for kind in range(NUM_KINDS):
            fallen += int(s.figures[seat, kind, Place.VALHALLA])
        return fallen >= GLORIOUS_DEATH_FIGURES
    for province in range(NUM_PROVINCES):
        if REGION[province] == GOAL[card] and strongest_alone(s, seat, province):
            return True
    return False
