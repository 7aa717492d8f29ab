"""Training for the Battle for Laar: the modules of `games/berserk`, by the `mode` of this folder."""

from pathlib import Path

__path__ = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "berserk")]
