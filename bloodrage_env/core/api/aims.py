"""Aims for the speed of a game, which `bloodrage bench` compares with its figures.

Speeds of machines differ by a factor of two and more, so the aims are ratios within one run: to a game of another
library (`commands/peers.py`), or to one thread.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True)
class Aims:
    """Decisions per second as a multiple of the other game's, unless stated otherwise.

    The number of players of a measured game is that of `options`.
    """

    record: float | None = None  # bytes
    cold: float | None = None  # seconds of the first start
    engine: float | None = None
    batch: float | None = None  # in bytes
    sparse: float | None = None
    calls: float | None = None
    aec: float | None = None
    two_threads: float | None = None  # times one thread
    copy: float | None = None  # microseconds
    warm: float | None = None  # seconds of any other start
    options: Mapping[str, Any] = field(default_factory=dict)  # of a measured game
    others: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # other options, measured with no aim


USUAL: Final = Aims(engine=9.0, batch=3.0, sparse=2.0, calls=2.0, aec=0.8, two_threads=1.8, copy=0.3, warm=0.8)
