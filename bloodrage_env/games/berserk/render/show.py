"""Rendering of the environment with public information."""

from collections.abc import Iterable

from ....render.shapes import Shape
from ....render.show import Show
from .. import SPEC
from ..engine import States
from ..notation import board_text
from .picture import ground, things


class BerserkShow(Show):
    """The board of Berserk."""

    title = SPEC.title

    def text(self, states: States) -> str:
        """Return the board as text."""
        return board_text(states, 0)

    def shapes(self, states: States) -> tuple[Iterable[Shape], Iterable[Shape]]:
        """Return the cells, and the cards and what is beside the board."""
        return ground(), things(states)
