"""Tasks, which workers carry out, what is said of them, and what a pool of workers does.

A task is a generator function of the project with its arguments; what it yields is sent back as it comes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bloodrage_env.errors import UserError

Task = Callable[..., Iterator[Any]]


@dataclass(frozen=True)
class Result:
    """Task `number` has yielded something."""

    number: int
    value: Any


@dataclass(frozen=True)
class Done:
    """Task `number` has come to its end, or was interrupted."""

    number: int


@dataclass(frozen=True)
class Died:
    """Task `number` failed: by a fault of the project, or with its process. Another attempt may succeed."""

    number: int
    reason: str
    ended: bool = False  # its process is no more, so that nobody has seen what it failed at


@dataclass(frozen=True)
class Refused:
    """Task `number` can't be carried out at all: a UserError says why."""

    number: int
    reason: str


Event = Result | Done | Died | Refused


class Pool(Protocol):
    """What carries out tasks: `LocalPool` here, or `RayPool` in `ray_pool.py`."""

    def idle(self) -> bool:
        """Whether another task may be submitted."""
        ...

    def submit(self, number: int, task: Task, *arguments: Any) -> None:
        """Begin with a task, which events call by its number."""
        ...

    def events(self, timeout: float) -> list[Event]:
        """What has happened; waits for so many seconds if nothing has. After its results a task has one event more."""
        ...

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in all tasks, which have time to end; no more are submitted."""
        ...

    def close(self) -> None:
        """End at once, whatever is being done."""
        ...


def carried_out(number: int, task: Task, arguments: Sequence[Any]) -> Iterator[Event]:
    """Carry out a task, and tell how it went."""
    try:
        for value in task(*arguments):
            yield Result(number, value)
        yield Done(number)
    except UserError as error:
        yield Refused(number, str(error))
    except Exception as error:
        yield Died(number, " ".join(f"{type(error).__name__}: {error}".split()))
