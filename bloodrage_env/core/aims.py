"""Aims for the speed of a game, which `bloodrage bench` compares with its figures.

Speeds of machines differ by a factor of two and more, so the aims are ratios within one run: to a game of another
library (`commands/peers.py`), or to one thread.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Aims:
    """Decisions per second as a multiple of the other game's, unless stated otherwise.

    The number of players of a measured game is that of `options`.
    """

    record: float | None = None  # bytes
    cold: float | None = None  # seconds of the first start
    engine: float = 9.0
    batch: float = 3.0  # in bytes
    sparse: float = 2.0
    calls: float = 2.0
    aec: float = 0.8
    two_threads: float = 1.8  # times one thread
    copy: float = 0.3  # microseconds
    warm: float = 0.8  # seconds of any other start
    options: Mapping[str, Any] = field(default_factory=dict)  # of a measured game
    others: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # other options, measured with no aim
