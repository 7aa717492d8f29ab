"""Frigga's Succor: a warrior follows a figure that has invaded (rules 6.3.3)."""

from .....core.compile.decorators import rule
from ..actions import YES
from ..ids import Figure, Place
from ..primitives import move_figure
from ..state import State


@rule
def apply_succor(s: State, seat: int, action: int) -> None:
    """One warrior follows; it brings none itself."""
    if action == YES:
        move_figure(s, seat, Figure.WARRIOR, Place.RESERVE, s.about_place)
