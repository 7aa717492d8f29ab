"""The budget of a search for one decision: a number of simulations, or milliseconds."""

from time import perf_counter
from typing import Final

from bloodrage_env.errors import UserError

LOOKS: Final = 20  # approximate number of looks at the clock per decision
MOST: Final = 1024  # simulations before Python has its turn again, to hear Ctrl-C for example


class Budget:
    """A budget per decision, in simulations or milliseconds. Raises UserError unless exactly one is given, 1 or
    more.
    """

    def __init__(self, simulations: int | None = None, ms: int | None = None) -> None:
        if (simulations is None) == (ms is None):
            raise UserError("a search takes simulations=N or ms=N, one of the two")
        if (simulations or ms or 0) < 1:
            raise UserError("a search needs at least one simulation, or one millisecond, for a decision")
        self.simulations = simulations
        self.ms = ms

    def start(self) -> "Meter":
        """Return a meter for a decision."""
        return Meter(self)


class Meter:
    """The rest of a budget. Run as many simulations as `chunk` returns, and call it again, until it returns 0.

    The clock of a budget in milliseconds starts with the first chunk.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._begin = 0.0
        self._granted = 0
        self._finished = 0  # of those granted, all but the last chunk

    def chunk(self, unit: int = 1, until: float = 1.0) -> int:
        """Return how many times `unit` simulations to run next. At most the fraction `until` of the budget is used.

        With milliseconds, the first chunk is one unit. The size of later chunks follows from the measured speed.
        """
        self._finished = self._granted
        if self._budget.simulations is not None:
            left = self._budget.simulations * until - self._granted
        elif self._granted == 0:
            self._begin = perf_counter()
            left = unit
        else:
            part = min(until - self._spent(), 1 / LOOKS)
            left = 0.0 if part <= 0 else max(unit, self._all() * part)
        size = int(min(left, max(unit, MOST)) / unit + 1e-9)
        self._granted += size * unit
        return size

    def left(self) -> int:
        """Return how many simulations can follow those already granted. With milliseconds, this is an estimate."""
        if self._budget.simulations is not None:
            return self._budget.simulations - self._granted
        return max(0, int(self._all()) - self._granted)

    def _spent(self) -> float:
        """Return the fraction of the milliseconds that has been used."""
        return max((perf_counter() - self._begin) * 1000 / (self._budget.ms or 1), 1e-6)

    def _all(self) -> float:
        """Return how many simulations the milliseconds suffice for, at the speed of those that have ended."""
        return max(1, self._finished) / self._spent()
