"""Pools of workers for tests, without other processes."""

from collections.abc import Callable, Sequence

from bloodrage_training.tournament.records import Plan, Unit
from bloodrage_training.tournament.workers import Event, Player, play_unit


class Here:
    """A pool that plays in this process."""

    games = 0

    def __init__(self, plan: Plan, workers: int = 1, hidden: Sequence[str] = ()) -> None:
        self.player, self.waiting = Player(plan, hidden), list[Event]()

    def idle(self) -> bool:
        return not self.waiting

    def submit(self, unit: Unit) -> None:
        self.waiting += play_unit(self.player, unit)
        Here.games += len(unit.games)

    def events(self, timeout: float) -> list[Event]:
        told, self.waiting = self.waiting, []
        return told

    def close(self) -> None:
        self.player.close()


class DeadlyPool:
    """A pool that plays nothing: of every unit it reports the event `kind`, made with the facts."""

    def __init__(self, kind: Callable[..., Event], *facts: str | bool) -> None:
        self.kind, self.facts = kind, facts
        self.unit: Unit | None = None

    def idle(self) -> bool:
        return self.unit is None

    def submit(self, unit: Unit) -> None:
        self.unit = unit

    def events(self, timeout: float) -> list[Event]:
        unit, self.unit = self.unit, None
        assert unit is not None
        return [self.kind(unit.number, *self.facts)]

    def close(self) -> None:
        pass
