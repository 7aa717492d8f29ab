"""Rendering of the environment with public information: text, pixels, a window, a picture in a notebook."""

from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..engine import NONE, States
from ..notation import Kind, events
from .ansi import board_text
from .scene import scene
from .svg import scene_svg

SHOWN_MOVES: Final = 12  # lines about what happened last


class Show:
    """The last moves of an environment's game, and its window if it has one. A copy has no window."""

    def __init__(self) -> None:
        self.moves: deque[str] = deque(maxlen=SHOWN_MOVES)
        self._window: Any = None

    def add(self, before: States, action: int) -> None:
        """Record the public events of a legal action."""
        found = events(before, action, NONE)  # no seat: hands stay hidden
        self.moves.extend(event.text for event in found if event.kind in (Kind.ANSWER, Kind.EFFECT))

    def render(self, mode: str, states: States) -> str | npt.NDArray[np.uint8] | None:
        """Return the picture as `BloodRage.render` does. Raise UserError if it needs pygame-ce and it is not
        installed.
        """
        if mode == "ansi":
            return board_text(states, 0)
        from . import pygame_view

        shown = scene(states, 0, moves=self.moves)
        if mode == "rgb_array":
            return pygame_view.pixels(shown)
        if self._window is None:
            self._window = pygame_view.Window("Blood Rage")
        self._window.show(shown)
        return None

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the content of copies and pickles."""
        return self.__dict__ | {"_window": None}


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
