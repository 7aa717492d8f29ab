"""Replays of Berserk (`core/replay.py`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...core import replay
from ...core.replay import ReplayError
from .game import GAME
from .options import DEFAULT, Options

__all__ = ["SUFFIX", "Recorder", "Replay", "ReplayError"]

SUFFIX: Final = ".bsk"


@dataclass(frozen=True)
class Replay(replay.Replay):
    """A game as options, seed and actions; `scores` is 1 for the winner when it was saved, None if not known."""

    game = GAME
    options: Options = DEFAULT


class Recorder(replay.Recorder):
    """A game that remembers what was done, for `replay`; `players` are the names of who plays, by seat."""

    def __init__(self, seed: int, options: Options = DEFAULT, players: Sequence[str] = ()) -> None:
        super().__init__(Replay(seed, options, players=tuple(players)))

    def replay(self) -> Replay:
        """The game so far."""
        game: Replay = super().replay()
        return game
