"""What is hidden from whom (rules 9.4): the questions that are answered in secret, and cards that lie face down."""

import numpy as np

from ....core.compile.decorators import rule
from .ids import NUM_DECISIONS, Decision, Phase, Placing
from .queries import number_of, owner
from .stack import get
from .state import Frame, State

# Questions whose answers, and whose number, only the seat that is asked may know.
SECRET = np.zeros(NUM_DECISIONS, dtype=np.int64)
SECRET[[Decision.BUY, Decision.PLACE, Decision.HIDE]] = 1


@rule
def answered_in_secret(s: State) -> bool:
    """Whether the open question is one of them."""
    return SECRET[s.decision] == 1


@rule
def has_placed(s: State, seat: int) -> bool:
    """Whether the placement of a seat is over."""
    if s.phase == Phase.PLACEMENT:
        return number_of(s, seat) < number_of(s, get(s, Frame.SEAT))
    return s.phase > Phase.PLACEMENT


@rule
def squad_is_seen(s: State, seat: int) -> bool:
    """Whether everybody sees which cells the cards of a seat take: its placement is over, or that of both if they
    place at once.
    """
    if s.phase == Phase.PLACEMENT:
        return s.placing == Placing.IN_TURN and has_placed(s, seat)
    return s.phase > Phase.PLACEMENT


@rule
def is_hidden(s: State, slot: int, viewer: int) -> bool:
    """Whether a card lies face down before a seat that is not its owner."""
    return s.face_down[slot] == 1 and owner(slot) != viewer
