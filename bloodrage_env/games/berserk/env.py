"""The PettingZoo AEC environment of Berserk: what `core/api/env.py` makes of any game, and the board as text."""

from typing import Any, ClassVar, Final

from gymnasium import logger
from pettingzoo.utils.env_logger import EnvLogger

from ...core.api.env import GameEnv, Observation
from . import SPEC
from .engine import States
from .game import GAME
from .notation import board_text
from .options import Options

__all__ = ["RENDER_MODES", "Berserk", "Observation"]

RENDER_MODES: Final = ("ansi",)


class Berserk(GameEnv):
    """Berserk for `player_0` and `player_1`.

    - `options`: those of `options.Options`, such as `combat="difference"` or `setup="fixed"`.
    - `reward`: "win": +1 and -1, 0 in a draw and when the last turn is over; until the end 0.
    - `render_mode`: "ansi": `render()` returns the board as text with public information; None: no rendering.

    Everybody's game ends together. An illegal action, also one that is not a number at all, ends it: the mover has -1,
    the other 0. After `max_turns` turns the game is cut off (truncations). One seat often has several decisions in
    a row.

    `observe` works for both agents at any time, the mask of the agent that is not to move is all zero; each call
    returns arrays of its own, except that the mask is also the one in `infos[agent]["action_mask"]`.

    `copy.copy`, `copy.deepcopy` and pickle make true copies at any time. ValueError: a bad argument.
    TypeError: an option of another type, or one that does not exist.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "berserk_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
    }

    game = GAME
    spec = SPEC

    def __init__(self, *, reward: str = "win", render_mode: str | None = None, **options: Any) -> None:
        super().__init__(reward=reward, render_mode=render_mode, **{"num_players": Options.num_players} | options)

    def render(self) -> str | None:
        """Return the board as text for "ansi", with public information."""
        if not self._started:
            EnvLogger.error_render_before_reset()
        if self.render_mode is None:
            logger.warn("render() was called on an environment that was made without a render_mode.")
            return None
        return board_text(self._states, 0)

    @staticmethod
    def picture(mode: str, states: States) -> str:
        """Return the public board of a game, an array of one record; `mode` is "ansi"."""
        return board_text(states, 0)

    def close(self) -> None:
        """Nothing is open."""
