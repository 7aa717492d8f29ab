"""The PettingZoo AEC environment of Blood Rage: what `core/api/env.py` makes of any game, and pictures."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
import numpy.typing as npt
from gymnasium import logger
from pettingzoo.utils.env_logger import EnvLogger

from ...core.api.env import GameEnv, Observation
from ...core.engine.flow import ILLEGAL
from . import SPEC
from .engine import States
from .game import GAME
from .options import Options

if TYPE_CHECKING:
    from .render.show import Show

__all__ = ["RENDER_MODES", "BloodRage", "Observation"]

RENDER_MODES: Final = ("human", "ansi", "rgb_array")
PICTURE_MODES: Final = ("human", "rgb_array")


class BloodRage(GameEnv):
    """The PettingZoo AEC environment of Blood Rage: `bloodrage_v0.env`. `GameEnv` describes its methods.

    Parameters
    ----------
    num_players : int
        2 to 5; 5 need the card set `p5`.
    reward : {"win", "rank", "margin"}
        Paid when the game ends; until then all rewards are 0. "win": victory, shared by equals, zero-sum
        (`win_rewards`). "rank": the place, zero-sum (`rank_rewards`). "margin": the lead in glory (`margin_rewards`).
    render_mode : {None, "ansi", "rgb_array", "human"}
        "ansi": `render` returns the board as text. "rgb_array": as uint8[800, 1280, 3]. "human": a window shows it and
        follows each `step`. The last two need pygame-ce (the extra `render`).
    **options
        Other arguments of `GameEnv`, and fields of `options.Options`, such as `first_game=True`.

    Raises
    ------
    ValueError
        A value that is out of range.
    TypeError
        An unknown option, or an option of another type.

    Examples
    --------
    >>> from bloodrage_env import bloodrage_v0
    >>> env = bloodrage_v0.env(num_players=2, reward="win")
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     env.step(None if terminated or truncated else int(info["action_mask"].argmax()))
    >>> env.agents
    []
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "bloodrage_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 30,
        "is_parallelizable": False,
    }

    game = GAME
    spec = SPEC

    def __init__(
        self,
        num_players: int = Options.num_players,
        *,
        reward: str = "win",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(num_players=num_players, reward=reward, render_mode=render_mode, **options)
        self._show: Show | None = None  # once something is shown

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return public information: text for "ansi", uint8[800, 1280, 3] for "rgb_array", None for "human" (a window).

        `errors.UserError` if the mode needs pygame-ce and it is not installed.
        """
        if not self._started:
            EnvLogger.error_render_before_reset()
        if self.render_mode is None:
            logger.warn("render() was called on an environment that was made without a render_mode.")
            return None
        return self._shown().render(self.render_mode, self._states)

    @staticmethod
    def picture(mode: str, states: Any) -> str | npt.NDArray[np.uint8] | None:
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
        from .render.show import Show

        return Show().render(mode, states)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._show is not None:
            self._show.close()

    def _repr_html_(self) -> str:
        """Return the board as a picture for a notebook, with public information."""
        if not self._started:
            return "<p>Blood Rage, before <code>reset()</code></p>"
        from .render.show import Board

        return Board(self._states, moves=self._shown().moves)._repr_html_()

    # ---- inside

    def _take_up(self) -> None:
        super()._take_up()
        if self._show is not None:
            self._show.moves.clear()

    def _bind(self) -> None:
        """Record the events of actions where pictures are wanted. What other environments call is unchanged."""
        super()._bind()
        if self.render_mode in PICTURE_MODES:
            self._answer = partial(self._answer_and_show, self._answer)

    def _answer_and_show(self, answer: Callable[..., int], states: States, index: int, action: int, *rows: Any) -> int:
        """Answer the question, record the public events, and show them in the window."""
        before = states.copy()
        seat = answer(states, index, action, *rows)
        if seat != ILLEGAL:
            self._shown().add(before, action)
            if self.render_mode == "human":
                self.render()
        return seat

    def _shown(self) -> "Show":
        """Return the renderer, which is imported when it is first used."""
        if self._show is None:
            from .render.show import Show

            self._show = Show()
        return self._show
