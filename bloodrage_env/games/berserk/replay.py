"""Replays of Berserk (`core/api/replay.py`)."""

from dataclasses import dataclass
from typing import ClassVar

from ...core.api import replay
from ...core.api.replay import ReplayError
from .game import GAME
from .options import DEFAULT, Options

__all__ = ["Replay", "ReplayError"]


@dataclass(frozen=True)
class Replay(replay.Replay):
    """A game as options, seed and actions; `scores` is 1 for the winner when it was saved, None if not known."""

    game = GAME
    suffix: ClassVar[str] = ".bsk"
    options: Options = DEFAULT
