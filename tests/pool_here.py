"""Pools of workers for tests, without other processes."""

from collections.abc import Callable
from typing import Any

from bloodrage_training.tasks import Event, Result, Task, carried_out


class Here:
    """A pool that carries out tasks in this process."""

    results = 0  # of all pools together

    def __init__(self, size: int = 1) -> None:
        self.waiting = list[Event]()

    def idle(self) -> bool:
        return not self.waiting

    def submit(self, number: int, task: Task, *arguments: Any) -> None:
        self.waiting += carried_out(number, task, arguments)
        Here.results += sum(isinstance(event, Result) for event in self.waiting)

    def events(self, timeout: float) -> list[Event]:
        found, self.waiting = self.waiting, []
        return found

    def interrupt(self) -> None:
        self.waiting.clear()

    def close(self) -> None:
        pass


class DeadlyPool:
    """A pool that carries out nothing: of every task it reports the event `kind`, made with the facts."""

    def __init__(self, kind: Callable[..., Event], *facts: str | bool) -> None:
        self.kind, self.facts = kind, facts
        self.number: int | None = None

    def idle(self) -> bool:
        return self.number is None

    def submit(self, number: int, task: Task, *arguments: Any) -> None:
        self.number = number

    def events(self, timeout: float) -> list[Event]:
        number, self.number = self.number, None
        assert number is not None
        return [self.kind(number, *self.facts)]

    def interrupt(self) -> None:
        pass

    def close(self) -> None:
        pass
