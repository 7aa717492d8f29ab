"""Workers that carry out tasks: processes on this machine, or on a Ray cluster.

Tasks (`tasks.py`) are games of a tournament, runs of a round of training, and the searches that a policy learns from.
Only the process that made the pool writes its stores and logs, so a worker can die at any time.
"""

import argparse
import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

from bloodrage_env.core.compiled import compile_all
from bloodrage_env.errors import INTERRUPTED, UserError

from .tasks import Died, Done, Event, Pool, Result, Task, carried_out

BACKENDS: Final = ("local", "ray")
GRACE: Final = 5.0  # seconds that a worker has to end what it has begun
INTERRUPT: Final = signal.SIGUSR1  # to a worker: KeyboardInterrupt. Ctrl-C itself is for the process with the pool
_TURN: Final = 1.0  # seconds at most between two looks at Ctrl-C

leaving: Final[list[Callable[[], None]]] = []  # what a worker here does before it ends: a task may add to it


def add_backend(parser: argparse.ArgumentParser) -> None:
    """Add the option that selects where the workers of a command run."""
    said = "where workers run: on this machine, or on a Ray cluster (needs the extra ray)"
    parser.add_argument("--backend", choices=BACKENDS, default=BACKENDS[0], help=said)


def make_pool(backend: str, size: int | None) -> Pool:
    """Return a pool of `size` workers; None is one per core. Raise UserError for "ray" if Ray is not installed."""
    if backend == "ray":
        from .ray_pool import RayPool

        return RayPool(size)
    return LocalPool(size or os.cpu_count() or 1)


# ---- several tasks to their end


class TaskError(UserError):
    """Some tasks have failed; `reasons` are by their numbers."""

    def __init__(self, reasons: dict[int, str]) -> None:
        super().__init__(f"a worker failed: {next(iter(reasons.values()))}")
        self.reasons = reasons


@dataclass(frozen=True)
class Outcome:
    """The results of each task, in the order of the jobs, and whether Ctrl-C was pressed."""

    results: list[list[Any]]
    interrupted: bool


def carry_out_all(pool: Pool, task: Task, jobs: Sequence[Sequence[Any]]) -> Outcome:
    """Carry out a task with the arguments of each job, as many at once as the pool allows.

    After Ctrl-C, or if one task fails, the others are interrupted. All have ended when it returns. Raises TaskError if
    a task failed.
    """
    waiting, at_work = list(enumerate(jobs)), set[int]()
    results: list[list[Any]] = [[] for _ in jobs]
    failed: dict[int, str] = {}
    interrupted = False
    while waiting or at_work:
        try:
            while waiting and pool.idle():
                pool.submit(waiting[0][0], task, *waiting[0][1])
                at_work.add(waiting.pop(0)[0])
            events = pool.events(_TURN)
        except KeyboardInterrupt:
            interrupted = True
            waiting.clear()
            pool.interrupt()
            continue
        for event in events:
            if isinstance(event, Result):
                results[event.number].append(event.value)
                continue
            at_work.discard(event.number)
            if isinstance(event, Done):
                continue
            if not failed and not interrupted:
                waiting.clear()
                pool.interrupt()
            failed[event.number] = event.reason
    if failed:
        raise TaskError(failed)
    return Outcome(results, interrupted)


# ---- processes of this machine


@dataclass
class _Worker:
    process: BaseProcess
    connection: Connection
    task: int | None = None  # the number of what it does


class LocalPool:
    """Worker processes on this machine, `size` of them. Processes that die are replaced."""

    def __init__(self, size: int) -> None:
        compile_all()  # in this process, which shows it, and before anybody's time is counted
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[_Worker] = []
        self._interrupted = False
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # the workers fill the cores already
        try:
            self._workers += (self._start() for _ in range(size))
        except BaseException:
            self.close()
            raise

    def idle(self) -> bool:
        """Whether a worker is idle."""
        return any(worker.task is None for worker in self._workers)

    def submit(self, number: int, task: Task, *arguments: Any) -> None:
        """Send a task to an idle worker."""
        worker = next(worker for worker in self._workers if worker.task is None)
        worker.task = number
        with contextlib.suppress(OSError):  # it has died: `events` will tell
            worker.connection.send((number, task, arguments))

    def events(self, timeout: float) -> list[Event]:
        """Return the messages of workers, and the deaths of workers."""
        ready = wait([worker.connection for worker in self._workers], timeout)
        found: list[Event] = []
        for worker in [worker for worker in self._workers if worker.connection in ready]:
            try:
                event = worker.connection.recv()
            except (EOFError, OSError):
                self._workers.remove(worker)
                if not self._interrupted:
                    self._workers.append(self._start())
                found += self._reap(worker)
                continue
            if not isinstance(event, Result):
                worker.task = None
            found.append(event)
        return found

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in all tasks, once."""
        if not self._interrupted:
            self._interrupted = True
            for pid in [worker.process.pid for worker in self._workers if worker.task is not None]:
                if pid is not None:
                    os.kill(pid, INTERRUPT)

    def close(self) -> None:
        """End all workers, after their clean-up."""
        for worker in self._workers:
            worker.process.terminate()
        deadline = time.monotonic() + GRACE
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.exitcode is None:
                worker.process.kill()
                worker.process.join()
            worker.connection.close()
        self._workers.clear()

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs,), daemon=True)
        with _held_back():
            process.start()
        theirs.close()
        return _Worker(process, ours)

    def _reap(self, worker: _Worker) -> list[Event]:
        """Wait for a worker whose pipe is broken, or kill it. Returns the event of its task, if it had one."""
        worker.connection.close()
        worker.process.join(GRACE)
        if worker.process.exitcode is None:
            worker.process.kill()
            worker.process.join()
        if worker.task is None:
            return []
        code = worker.process.exitcode or 0
        if self._interrupted and code == INTERRUPTED:
            return [Done(worker.task)]
        how = f"signal {-code}" if code < 0 else f"exit status {code}"
        return [Died(worker.task, f"a worker process ended with {how}", True)]


@contextlib.contextmanager
def _held_back() -> Iterator[None]:
    """A context in which new processes ignore INTERRUPT until they are ready for it, and Ctrl-C always."""
    resource_tracker.ensure_running()  # or it starts with the first process, and lets SIGINT through meanwhile
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {INTERRUPT, signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(connection: Connection) -> None:
    """The main loop of a worker."""

    def leave(status: int) -> None:
        # No exception: compilers and plug-ins call Python from places where one would be lost.
        try:
            for each in leaving:
                each()
        finally:
            os._exit(status)

    signal.signal(signal.SIGTERM, lambda *_: leave(0))
    signal.signal(INTERRUPT, signal.default_int_handler)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {INTERRUPT})
        while True:
            for event in carried_out(*connection.recv()):
                connection.send(event)
    except (EOFError, OSError):
        leave(0)
    except KeyboardInterrupt:
        leave(INTERRUPTED)


def _leave_with_parent() -> None:
    """End this process, even in the middle of a task, because the process with the pool was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(GRACE)
        os._exit(1)
