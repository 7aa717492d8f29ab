"""Replays of Blood Rage: `.brz` files (`core/api/replay.py`)."""

from dataclasses import dataclass
from typing import ClassVar

from ...core.api import replay
from ...core.api.replay import HUMAN, MAX_CONTENT, MAX_FILE, ReplayError, Shares
from .game import GAME
from .options import DEFAULT, Options

__all__ = ["HUMAN", "MAX_CONTENT", "MAX_FILE", "Replay", "ReplayError", "Shares"]


@dataclass(frozen=True)
class Replay(replay.Replay):
    """A game as options, seed and actions; `scores` is the glory of each seat when it was saved, None if not known."""

    game = GAME
    score_key: ClassVar[str] = "glory"
    suffix: ClassVar[str] = ".brz"
    options: Options = DEFAULT
