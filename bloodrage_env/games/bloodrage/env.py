"""The PettingZoo AEC environment of Blood Rage: what `core/api/env.py` makes of any game, and pictures."""

from typing import Any, ClassVar

from ...core.api.env import Observation
from ...render.show import RENDER_MODES, PictureEnv, Show
from . import SPEC
from .game import GAME
from .options import Options

__all__ = ["RENDER_MODES", "BloodRage", "Observation"]


class BloodRage(PictureEnv):
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

    @staticmethod
    def new_show() -> Show:
        """Return what shows games."""
        from .render.show import BloodRageShow

        return BloodRageShow()
