"""The constants of the team battle (`berserk/mode.py` has that of a game for two)."""

from pathlib import Path
from typing import Final

NAME: Final = "berserk_team"
TEAM: Final = 2  # players in a team, side by side
BEINGS: Final[Path | None] = None
