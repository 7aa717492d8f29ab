"""Workers on a Ray cluster. Needs the extra `ray`.

Every machine of the cluster needs this project, and the files that tasks name at the same paths (docs/ray.md).
"""

import contextlib
import importlib
import json
import logging
import os
import sys
from collections.abc import Iterator
from typing import Any, Final

from bloodrage_env.core.compile.decorators import compile_all
from bloodrage_env.errors import MissingPackageError, UserError
from bloodrage_env.text import counted

from .tasks import Died, Done, Event, Result, Task, carried_out

RUNTIME_ENV: Final = "BLOODRAGE_RAY_RUNTIME_ENV"  # JSON: the runtime_env of the workers, such as a wheel to install


class RayPool:
    """Tasks on the cluster that the environment variable RAY_ADDRESS names, by default on this machine only.

    At most `size` tasks run at once, by default one per CPU. The variable BLOODRAGE_RAY_RUNTIME_ENV
    contains the `runtime_env`.
    """

    def __init__(self, size: int | None) -> None:
        try:
            ray: Any = importlib.import_module("ray")
        except ImportError:
            raise MissingPackageError("--backend ray", "ray", "ray") from None
        compile_all()  # in this process, which shows it, and before anybody's time is counted
        self._ray = ray
        given: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR, "configure_logging": False}
        if RUNTIME_ENV in os.environ:
            given["runtime_env"] = _runtime_env(os.environ[RUNTIME_ENV])
        try:
            with _silent():
                if "RAY_ADDRESS" in os.environ:
                    ray.init(**given)  # a cluster that is there already has the CPUs that it has
                else:
                    ray.init("local", num_cpus=size, **given)
            self._size = size or int(ray.cluster_resources().get("CPU", 1))
            machines = sum(bool(node["Alive"]) for node in ray.nodes())
        except Exception as error:  # Ray raises many kinds, with many lines
            ray.shutdown()
            raise UserError(f"Ray can't start: {_first_line(error)}; {_cure()}") from None
        print(f"Ray: {counted(self._size, 'task')} at a time on {counted(machines, 'machine')}", file=sys.stderr)
        self._carry_out = ray.remote(max_retries=0, num_returns="streaming")(carried_out)
        self._events: dict[Any, int] = {}  # of each task a generator of them, and its number
        self._interrupted = False

    def idle(self) -> bool:
        """Whether the cluster has room for another task."""
        return len(self._events) < self._size

    def submit(self, number: int, task: Task, *arguments: Any) -> None:
        """Send a task to the cluster."""
        self._events[self._carry_out.remote(number, task, arguments)] = number

    def events(self, timeout: float) -> list[Event]:
        """Return the events of the tasks."""
        ready, _ = self._ray.wait(list(self._events), num_returns=1, timeout=timeout) if self._events else ([], [])
        return [self._next(events) for events in ready]

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in all tasks, once."""
        if not self._interrupted:
            self._interrupted = True
            for events in self._events:
                self._ray.cancel(events, force=False)

    def close(self) -> None:
        """Leave the cluster and end the tasks that run there."""
        self._ray.shutdown()

    def _next(self, events: Any) -> Event:
        """Return the next event of a task that has one."""
        number, errors = self._events[events], self._ray.exceptions
        try:
            event: Event = self._ray.get(next(events))
        except (errors.TaskCancelledError, StopIteration):
            event = Done(number)
        except errors.RayError as error:
            event = Died(number, f"a Ray worker failed ({type(error).__name__})", True)
        if not isinstance(event, Result):
            del self._events[events]
        return event


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """A context without stderr: Ray's libraries repeat there, many times, what the exception says."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _first_line(error: Exception) -> str:
    """Return the first line of a message, or the kind of error."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:200].rstrip(".") if lines else type(error).__name__


def _cure() -> str:
    if "RAY_ADDRESS" in os.environ:
        cluster = f"the cluster {os.environ['RAY_ADDRESS']} (RAY_ADDRESS)"
        return f"check {cluster} with 'ray status', and its token (docs/ray.md)"
    return "'--backend local' needs no Ray"


def _runtime_env(text: str) -> dict[str, Any]:
    """Return the content of the environment variable. Raise UserError for anything but a JSON object."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise UserError(f"{RUNTIME_ENV} is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise UserError(f'{RUNTIME_ENV} is not a JSON object; give one such as {{"py_modules": ["bloodrage.whl"]}}')
    return found
