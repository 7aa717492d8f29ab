"""Pictures of a game: text (`ansi`)."""

from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parent / "static"
