"""Rendering of the environment with public information, and a picture in a notebook."""

from collections.abc import Iterable, Sequence

from ....render.shapes import Shape
from ....render.show import Show
from ..engine import NONE, States
from ..notation import Kind, events
from .ansi import board_text
from .picture import ground, things
from .scene import scene
from .svg import scene_svg


class BloodRageShow(Show):
    """The board of Blood Rage with the last moves."""

    title = "Blood Rage"

    def add(self, before: States, action: int) -> None:
        """Record the public events of a legal action."""
        found = events(before, action, NONE)  # no seat: hands stay hidden
        self.moves.extend(event.text for event in found if event.kind in (Kind.ANSWER, Kind.EFFECT))

    def text(self, states: States) -> str:
        """Return the board as text."""
        return board_text(states, 0)

    def shapes(self, states: States) -> tuple[Iterable[Shape], Iterable[Shape]]:
        """Return the land, and everything on and around it."""
        shown = scene(states, 0, moves=self.moves)
        return ground(shown), things(shown)


class Board:
    """A picture of a game for notebooks: put it at the end of a cell. The arguments are those of `scene`."""

    def __init__(
        self,
        states: States,
        index: int = 0,
        seat: int | None = None,
        all_hands: bool = False,
        moves: Sequence[str] = (),
    ) -> None:
        self.scene = scene(states, index, seat, all_hands, moves)

    def _repr_html_(self) -> str:
        return scene_svg(self.scene)
