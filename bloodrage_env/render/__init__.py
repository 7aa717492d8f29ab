"""The style sheet and the scripts that the pages of every game use."""

from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parent / "static"
