"""Pictures of a game: text, SVG, pages and pygame."""

from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parent / "static"
PICTURES: Final = Path(__file__).with_name("pictures.csv")  # of the cards (render/art.py)
