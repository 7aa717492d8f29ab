"""What differs between the modes of Berserk. Each mode is compiled from the same modules, with a `mode` of its own."""

from pathlib import Path
from typing import Final

NAME: Final = "berserk"
TEAM: Final = 1  # players in a team, side by side
BEINGS: Final[Path | None] = None  # the table of the two creatures that are in no deck (rules 11), if there are any
