"""Workers that carry out tasks: processes on this machine, or on a Ray cluster.

Tasks (`tasks.py`) are games of a tournament, runs of a round of training, and the searches that a policy learns from.
Only the process that made the pool writes its stores and logs, so a worker can die at any time.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

from bloodrage_env.core.compile.decorators import compile_all
from bloodrage_env.errors import INTERRUPTED, UserError

from .tasks import Again, Died, Done, Event, Pool, Result, Task, carried_out

BACKENDS: Final = ("local", "ray")
GRACE: Final = 5.0  # seconds that a worker has to end what it has begun
INTERRUPT: Final = signal.SIGUSR1  # to a worker: KeyboardInterrupt. Ctrl-C itself is for the process with the pool
_TURN: Final = 1.0  # seconds at most between two calls of `take`

leaving: Final[list[Callable[[], None]]] = []  # what a worker here does before it ends: a task may add to it


def make_pool(backend: str, size: int | None) -> Pool:
    """Return a pool of `size` workers; None is one per core. Raise UserError for "ray" if Ray is not installed."""
    if backend == "ray":
        from .ray_pool import RayPool

        return RayPool(size)
    return LocalPool(size or os.cpu_count() or 1)


# ---- several tasks to their end

ATTEMPTS: Final = 3  # at a task whose process dies
Job = tuple[int, Sequence[Any]]  # the number of a task, and its arguments


class Work:
    """Tasks of one kind that a pool carries out, as many at once as it has room for.

    A task whose process dies begins again, up to `attempts` attempts in all.
    """

    def __init__(self, pool: Pool, task: Task, attempts: int = ATTEMPTS) -> None:
        self._pool, self._task, self._attempts = pool, task, attempts
        self._at_work: dict[int, Sequence[Any]] = {}
        self._again: list[Job] = []
        self._deaths: Counter[int] = Counter()

    def carry_out(self, next_job: Callable[[], Job | None], take: Callable[[Sequence[Event]], None]) -> None:
        """Submit jobs until `next_job` returns None and all tasks have ended.

        `next_job` is called whenever the pool has room. `take` receives new events, at least once a second, even if
        there are none. After an exception of either, or Ctrl-C, the tasks still run, and another call can wait for
        them.
        """
        while True:
            while self._pool.idle() and (job := self._again.pop() if self._again else next_job()) is not None:
                self.submit(*job)
            if not self._at_work:
                return
            take([self._noted(event) for event in self._pool.events(_TURN)])

    def submit(self, number: int, arguments: Sequence[Any]) -> None:
        """Begin a task and return. The pool must have room for it."""
        self._pool.submit(number, self._task, *arguments)
        self._at_work[number] = arguments

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in all tasks. None of them begins again."""
        self._attempts = 0
        self._again.clear()
        self._pool.interrupt()

    def _noted(self, event: Event) -> Event:
        """Return the event, or `Again` for a death after which the task begins again."""
        if isinstance(event, Result):
            return event
        arguments = self._at_work.pop(event.number, ())
        if isinstance(event, Done):
            del self._deaths[event.number]  # a later task can have the same number
        if isinstance(event, Died) and event.ended:
            self._deaths[event.number] += 1
            if self._deaths[event.number] < self._attempts:
                self._again.append((event.number, arguments))
                return Again(event.number)
        return event


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


def carry_out_all(
    pool: Pool, task: Task, jobs: Sequence[Sequence[Any]], turn: Callable[[Sequence[Event]], None] | None = None
) -> Outcome:
    """Carry out a task with the arguments of each job, as many at once as the pool allows.

    After Ctrl-C, or if one task fails, the others are interrupted. All have ended when it returns. `turn` receives new
    events, at least once a second. Raise TaskError if a task failed.
    """
    waiting = list(enumerate(jobs))
    results: list[list[Any]] = [[] for _ in jobs]
    failed: dict[int, str] = {}
    interrupted = False
    work = Work(pool, task)

    def stop() -> None:
        waiting.clear()
        work.interrupt()

    def take(events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Result):
                results[event.number].append(event.value)
            elif isinstance(event, Again):
                results[event.number].clear()
            elif not isinstance(event, Done):
                if not failed and not interrupted:
                    stop()
                failed[event.number] = event.reason
        if turn is not None:
            turn(events)

    while True:
        try:
            work.carry_out(lambda: waiting.pop(0) if waiting else None, take)
            break
        except KeyboardInterrupt:
            interrupted = True
            stop()
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
        # A fork would copy locks that other threads hold, and nobody would release.
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
        # While this process holds that end too, the death of the worker goes unnoticed.
        theirs.close()
        return _Worker(process, ours)

    def _reap(self, worker: _Worker) -> list[Event]:
        """Wait for a worker whose pipe is broken, or kill it. Return the event of its task, if it had one."""
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
