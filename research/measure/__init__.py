"""Measures the figures of the documents: `python -m research.measure.NAME` writes `docs/results/NAME.json`."""

import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "docs"))  # `results`, which reads and writes the figures
