"""The PettingZoo AEC environment of Berserk: what `core/api/env.py` makes of any game, and pictures."""

from typing import Any, ClassVar

from ...core.api.env import Observation
from ...render.show import RENDER_MODES, PictureEnv, Show
from . import SPEC
from .game import GAME
from .options import Options

__all__ = ["RENDER_MODES", "Berserk", "Observation"]


class Berserk(PictureEnv):
    """Berserk for `player_0` and `player_1`.

    - `options`: those of `options.Options`, such as `combat="difference"` or `setup="fixed"`.
    - `reward`: "win": +1 and -1, 0 in a draw and when the last turn is over; until the end 0.
    - `render_mode`: as in `bloodrage_v0.env`: "ansi", "rgb_array" or "human"; None: no rendering.

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
        "render_fps": 30,
        "is_parallelizable": False,
    }

    game = GAME
    spec = SPEC

    def __init__(self, *, reward: str = "win", render_mode: str | None = None, **options: Any) -> None:
        super().__init__(reward=reward, render_mode=render_mode, **{"num_players": Options.num_players} | options)

    @staticmethod
    def new_show() -> Show:
        """Return what shows games."""
        from .render.show import BerserkShow

        return BerserkShow()
