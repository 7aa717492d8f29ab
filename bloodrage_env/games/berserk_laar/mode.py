"""The constants of the Battle for Laar (`berserk/mode.py` has that of a game without it)."""

from pathlib import Path
from typing import Final

NAME: Final = "berserk_laar"
TEAM: Final = 1
BEINGS: Final[Path | None] = Path(__file__).with_name("beings.csv")
