"""What the quests ask for (rules 3.4, 6.4.2.5)."""

from ..board import REGION
from ..cards import GLORIOUS_DEATH_FIGURES, GOAL, WIDESPREAD_PROVINCES, Goal
from ..compiled import State, rule
from ..ids import NUM_KINDS, NUM_PROVINCES, Place
from ..queries import strongest_alone


@rule
def quest_met(s: State, seat: int, card: int) -> bool:
    """Whether a quest of this clan is met as the board stands."""
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
