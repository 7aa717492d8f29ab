"""Tasks for workers, the events that report their progress, and the interface of a pool of workers.

A task is a generator function of the project with its arguments. Each yielded value is sent back at once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bloodrage_env.errors import UserError

Task = Callable[..., Iterator[Any]]


@dataclass(frozen=True)
class Result:
    """Task `number` has yielded a value."""

    number: int
    value: Any


@dataclass(frozen=True)
class Done:
    """Task `number` has ended or was interrupted."""

    number: int


@dataclass(frozen=True)
class Died:
    """Task `number` failed, by a fault of the project or because its process died. Another attempt may succeed."""

    number: int
    reason: str
    ended: bool = False  # its process is no more, so that nobody has seen what it failed at


@dataclass(frozen=True)
class Again:
    """The process of task `number` died. The task begins again, so its results so far come once more."""

    number: int


@dataclass(frozen=True)
class Refused:
    """Task `number` cannot be carried out. A UserError contains the reason."""

    number: int
    reason: str


Event = Result | Done | Died | Again | Refused


class Pool(Protocol):
    """Carries out tasks: `LocalPool` on this machine, or `RayPool` in `ray_pool.py`."""

    def idle(self) -> bool:
        """Whether another task can be submitted."""
        ...

    def submit(self, number: int, task: Task, *arguments: Any) -> None:
        """Begin a task. Events refer to it by its number."""
        ...

    def events(self, timeout: float) -> list[Event]:
        """Return new events; wait for `seconds` if there are none. The last event of a task follows its results."""
        ...

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in all tasks, which have time to end. No more tasks are submitted."""
        ...

    def close(self) -> None:
        """End all tasks at once."""
        ...


def carried_out(number: int, task: Task, arguments: Sequence[Any]) -> Iterator[Event]:
    """Carry out a task. Yield its events."""
    try:
        for value in task(*arguments):
            yield Result(number, value)
        yield Done(number)
    except UserError as error:
        yield Refused(number, str(error))
    except Exception as error:
        yield Died(number, " ".join(f"{type(error).__name__}: {error}".split()))
