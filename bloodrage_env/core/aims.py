"""How fast a game is to be: what `bloodrage bench` sets beside its figures."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Aims:
    """Decisions a second unless it says otherwise; the seats of a measured game are those of `options`."""

    engine: float
    batch: float
    sparse: float  # the same with sparse observations
    threads: float  # times one thread, with two
    calls: float
    aec: float
    copy: float  # microseconds
    record: float  # bytes
    cold: float  # seconds of the first start
    warm: float
    options: Mapping[str, Any] = field(default_factory=dict)  # of a measured game
    others: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # other options, measured with no aim
