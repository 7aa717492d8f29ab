"""Berserk as pictures: the board and its cards on pages, and the page of a replay."""

from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parent / "static"
PICTURES: Final = Path(__file__).with_name("pictures.csv")  # of the cards (render/art.py)
# The colours of the seats.
COLOURS: Final = (
    ":root{--clan-0:#c9971a;--clan-1:#1a8fa6;--clan-2:#a8430f;--clan-3:#6a4ec2;"
    "--ink-0:#111;--ink-1:#fff;--ink-2:#fff;--ink-3:#fff;}\n"
)
