"""What the render modes of environments share: the last moves, pixels, a window."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
import numpy.typing as npt
from gymnasium import logger
from pettingzoo.utils.env_logger import EnvLogger

from ..core.api.env import GameEnv
from ..core.engine.flow import ILLEGAL
from .shapes import FRAME, Shape
from .svg import document

if TYPE_CHECKING:
    from .pixels import Window

RENDER_MODES: Final = ("human", "ansi", "rgb_array")
PICTURE_MODES: Final = ("human", "rgb_array")
SHOWN_MOVES: Final = 12  # lines about what happened last

Rendered = str | npt.NDArray[np.uint8] | None


class Show(ABC):
    """How a game is shown, with public information, and its window if it has one. A copy has no window."""

    title: ClassVar[str]  # of the window

    def __init__(self) -> None:
        self.moves: deque[str] = deque(maxlen=SHOWN_MOVES)
        self._window: Window | None = None

    @abstractmethod
    def text(self, states: Any) -> str:
        """Return the board of a game, an array of one record, as text."""

    @abstractmethod
    def shapes(self, states: Any) -> tuple[Iterable[Shape], Iterable[Shape]]:
        """Return the picture of a game: what seldom changes, and the shapes in front of it."""

    def add(self, before: Any, action: int) -> None:  # noqa: B027
        """Record what a legal action brings in public. The default records nothing."""

    def render(self, mode: str, states: Any) -> Rendered:
        """Return the picture as `PictureEnv.render` does. Raise UserError if it needs pygame-ce and it is not
        installed.
        """
        if mode == "ansi":
            return self.text(states)
        from . import pixels

        ground, things = self.shapes(states)
        if mode == "rgb_array":
            return pixels.pixels(ground, things)
        if self._window is None:
            self._window = pixels.Window(self.title)
        self._window.show(ground, things)
        return None

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the content of copies and pickles."""
        return self.__dict__ | {"_window": None}


class PictureEnv(GameEnv):
    """A PettingZoo environment with the modes of RENDER_MODES. A subclass returns its `Show` from `new_show`."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._show: Show | None = None  # once something is shown

    @staticmethod
    def new_show() -> Show:
        """Return what shows games; it is imported here, when it is first needed."""
        raise NotImplementedError

    def render(self) -> Rendered:
        """Return public information: text for "ansi", uint8[800, 1280, 3] for "rgb_array", None for "human" (a window).

        Raise UserError if the mode needs pygame-ce and it is not installed.
        """
        if not self._started:
            EnvLogger.error_render_before_reset()
        if self.render_mode is None:
            logger.warn("render() was called on an environment that was made without a render_mode.")
            return None
        return self._shown().render(self.render_mode, self._states)

    @classmethod
    def picture(cls, mode: str, states: Any) -> Rendered:
        """Return the public board of a game, as `render` does.

        Parameters
        ----------
        mode : {"ansi", "rgb_array", "human"}
            As for the class.
        states : ndarray
            An array of one record.

        Returns
        -------
        str or ndarray or None
            Text, or uint8[800, 1280, 3]; None for a window.
        """
        return cls.new_show().render(mode, states)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._show is not None:
            self._show.close()

    def _repr_html_(self) -> str:
        """Return the board as a picture for a notebook, with public information."""
        show = self._shown()
        if not self._started:
            return f"<p>{show.title}, before <code>reset()</code></p>"
        ground, things = show.shapes(self._states)
        return document([*ground, *things], FRAME, f"A game of {show.title}")

    def _take_up(self) -> None:
        super()._take_up()
        if self._show is not None:
            self._show.moves.clear()

    def _bind(self) -> None:
        """Record the events of actions where pictures are wanted. What other environments call is unchanged."""
        super()._bind()
        if self.render_mode in PICTURE_MODES:
            self._answer = partial(self._answer_and_show, self._answer)

    def _answer_and_show(self, answer: Callable[..., int], states: Any, index: int, action: int, *rows: Any) -> int:
        """Answer the question, record the public events, and show them in the window."""
        before = states.copy()
        seat = answer(states, index, action, *rows)
        if seat != ILLEGAL:
            self._shown().add(before, action)
            if self.render_mode == "human":
                self.render()
        return seat

    def _shown(self) -> Show:
        if self._show is None:
            self._show = self.new_show()
        return self._show
