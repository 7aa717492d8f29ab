"""The evaluation of a position before single actions are scored: probabilities, values and prospects.

Nothing that fills a plan reads what the seat may not know: of the others only open fields and `known`; of the seat
itself its hand, quests and secret choices. So a view, a redealt game and the true game give the same plan.
"""

from typing import Annotated, TypeAlias, cast

import numba
import numpy as np
import numpy.typing as npt

from bloodrage_env.core.compile.decorators import rule
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, NUM_BOARD, NUM_KINDS, NUM_PROVINCES, NUM_STATS

from .weights import NUM_COLUMNS, NUM_WEIGHTS

NUM_GOALS = 6
MOST = 10  # card strengths from 0 to 9
SIGHT_STRENGTH = 3  # what Heimdall's Sight is taken to add

_FIELDS = np.dtype(
    [
        ("weights", np.float64, NUM_COLUMNS),  # a row of the table: weights, then card values
        ("seat", np.int64),
        ("act", np.float64),  # 1 while the seat can still act after the move looked at
        ("below", np.float64, (MAX_SEATS, MOST)),  # chance that an opponent's card adds at most so much
        ("best_card", np.int64),  # what own cards add at most
        ("force", np.float64, (MAX_SEATS, NUM_PROVINCES)),  # STR of each clan in each province
        ("present", np.int64, (MAX_SEATS, NUM_PROVINCES)),  # figures that would fight there
        ("threat", np.float64, (MAX_SEATS, NUM_PROVINCES)),  # STR that could join a battle there
        ("land", np.float64, (MAX_SEATS, NUM_PROVINCES)),  # STR of the figures that stand there
        ("single", np.float64, (MAX_SEATS, NUM_PROVINCES)),  # ... of the strongest of them
        ("token", np.float64, NUM_PROVINCES),  # glory that the pillage is worth to the seat
        ("axes", np.float64),  # ... and a battle won
        ("step", np.float64, NUM_STATS),  # ... and a step on a stat
        ("rage", np.float64),  # ... and one Rage
        ("rush", np.float64),  # ... and that a pillage brings the end of the phase nearer
        ("leads", np.float64, MAX_SEATS),  # 1 for the others who have the most glory
        ("quest", np.float64, NUM_GOALS),  # ... and meeting the quests of this goal in hand or committed
        ("stand", np.float64, (NUM_KINDS, NUM_BOARD)),  # ... and a figure that stands there in the end
        ("death", np.float64, NUM_KINDS),  # ... and a figure that dies in battle
        ("doubt", np.float64),  # how uncertain control is till the end of the Action phase
        ("worth", np.float64, NUM_PROVINCES),  # prospect of a pillage of each province
        ("control", np.float64, NUM_PROVINCES),  # chance of the most STR at the end of the phase
        ("trial", np.float64, NUM_PROVINCES),  # the same after a move that is looked at
    ]
)
# Records, so that fields are attributes without compilation too.
PLAN = cast("np.dtype[np.record]", np.dtype((np.record, _FIELDS)))
Plan: TypeAlias = Annotated[np.record, numba.from_dtype(PLAN)]
Plans: TypeAlias = Annotated[npt.NDArray[np.record], numba.from_dtype(PLAN)[::1]]
Reals: TypeAlias = Annotated[npt.NDArray[np.float64], numba.float64[::1]]


@rule
def card_worth(plan: Plan, card: int) -> float:
    """What the style thinks of a card."""
    return float(plan.weights[NUM_WEIGHTS + card])
