"""Replays of Blood Rage: `.brz` files (`core/replay.py`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from ...core import replay
from ...core.replay import HUMAN, MAX_CONTENT, MAX_FILE, ReplayError, Shares
from .game import GAME
from .options import DEFAULT, Options

__all__ = ["HUMAN", "MAX_CONTENT", "MAX_FILE", "SUFFIX", "Recorder", "Replay", "ReplayError", "Shares"]

SUFFIX: Final = ".brz"


@dataclass(frozen=True)
class Replay(replay.Replay):
    """A game as options, seed and actions; `scores` is the glory of each seat when it was saved, None if not known."""

    game = GAME
    score_key: ClassVar[str] = "glory"
    options: Options = DEFAULT


class Recorder(replay.Recorder):
    """A game that remembers what was done, for `replay`; `players` are the names of who plays, by seat."""

    def __init__(self, seed: int, options: Options = DEFAULT, players: Sequence[str] = ()) -> None:
        super().__init__(Replay(seed, options, players=tuple(players)))

    def replay(self) -> Replay:
        """The game so far."""
        game: Replay = super().replay()
        return game
