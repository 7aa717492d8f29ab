"""Pools of workers: what tasks yield is sent back, faults are told, an interrupt leaves time to save.

The same tests for processes here and for Ray on this machine.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import worker_tasks
from test_agents_isolated import ends, is_running

from bloodrage_env.errors import INTERRUPTED, UserError
from bloodrage_training import workers
from bloodrage_training.tasks import Again, Died, Done, Event, Pool, Refused, Result, Task
from bloodrage_training.workers import LocalPool, TaskError, Work, carry_out_all, make_pool

TESTS = Path(__file__).resolve().parent


@pytest.fixture(params=["local", pytest.param("ray", marks=[pytest.mark.ray, pytest.mark.slow])])
def pool(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    """Two workers, which find the tasks."""
    monkeypatch.setenv("PYTHONPATH", f"{TESTS.parent}{os.pathsep}{TESTS}")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    if request.param == "ray":
        pytest.importorskip("ray")
    made = make_pool(request.param, 2)
    yield made
    made.close()


def events_of(pool: Pool) -> list[Event]:
    """All until its task has come to an end."""
    output: list[Event] = []
    while not output or isinstance(output[-1], Result):
        output += pool.events(1.0)
    return output


def test_what_a_task_yields_comes_back_and_then_its_end(pool: Pool) -> None:
    pool.submit(7, worker_tasks.count, 3)
    assert events_of(pool) == [Result(7, 0), Result(7, 1), Result(7, 2), Done(7)]


def test_there_is_room_for_as_many_tasks_as_workers(pool: Pool) -> None:
    assert pool.idle()
    pool.submit(0, worker_tasks.count, 1)
    assert pool.idle()
    pool.submit(1, worker_tasks.count, 1)
    assert not pool.idle()
    output: list[Event] = []
    while Done(0) not in output or Done(1) not in output:
        output += pool.events(1.0)
    assert pool.idle()


def test_faults_are_told_and_the_pool_goes_on(pool: Pool) -> None:
    pool.submit(0, worker_tasks.fail, "user")
    assert events_of(pool) == [Result(0, 1), Refused(0, "no such thing")]
    pool.submit(1, worker_tasks.fail, "fault")
    assert events_of(pool) == [Result(1, 1), Died(1, "ValueError: a fault of two lines")]
    pool.submit(2, worker_tasks.fail, "killed")
    *_, last = events_of(pool)
    assert isinstance(last, Died)
    assert (last.number, last.ended) == (2, True)
    pool.submit(3, worker_tasks.count, 1)
    assert events_of(pool) == [Result(3, 0), Done(3)]


def test_all_tasks_are_carried_out_and_results_stand_in_their_order(pool: Pool) -> None:
    outcome = carry_out_all(pool, worker_tasks.count, [[each] for each in (3, 0, 1, 2, 4)])
    assert outcome.results == [[0, 1, 2], [], [0], [0, 1], [0, 1, 2, 3]]
    assert not outcome.interrupted


def test_after_ctrl_c_tasks_have_time_to_save(pool: Pool, tmp_path: Path) -> None:
    def press() -> None:
        while not all((tmp_path / f"{name}-begun").exists() for name in "ab"):
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)  # pressed twice

    thread = threading.Thread(target=press)
    thread.start()
    outcome = carry_out_all(pool, worker_tasks.wait_and_save, [[tmp_path, "a"], [tmp_path, "b"], [tmp_path, "c"]])
    thread.join()
    assert outcome.interrupted
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a-begun", "a-saved", "b-begun", "b-saved"]


def test_ctrl_c_is_for_the_process_with_the_pool_alone() -> None:
    # In a process of its own: what Python starts with the first worker of a process lets SIGINT through.
    code = """if __name__ == "__main__":
        import worker_tasks
        from bloodrage_training.workers import carry_out_all, make_pool
        pool = make_pool("local", 2)
        print(carry_out_all(pool, worker_tasks.hears_ctrl_c, [[], []]).results)
        pool.close()
    """
    done = subprocess.run([sys.executable, "-c", code], cwd=TESTS, capture_output=True, text=True, check=False)
    assert done.stdout == "[[False], [False]]\n", done.stderr


def test_a_task_that_fails_interrupts_the_others(pool: Pool, tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="it is there") as caught:
        carry_out_all(pool, worker_tasks.either, [[tmp_path, "a"], [tmp_path, "fails"]])
    assert caught.value.reasons == {1: "it is there"}
    assert (tmp_path / "a-saved").exists()


def test_a_task_whose_process_dies_begins_again(pool: Pool, tmp_path: Path) -> None:
    """Its results come once; the third death is one too many."""
    outcome = carry_out_all(pool, worker_tasks.dies, [[tmp_path / "a", 1], [tmp_path / "b", 0], [tmp_path / "c", 2]])
    assert outcome.results == [["begun", "ended"]] * 3
    with pytest.raises(TaskError, match="worker") as caught:
        carry_out_all(pool, worker_tasks.dies, [[tmp_path / "d", 9]])
    assert list(caught.value.reasons) == [0]
    assert (tmp_path / "d").read_text() == "xxx"


class Scripted:
    """A pool with room for one task. Its events are given, and each ends the task."""

    def __init__(self, *events: Event) -> None:
        self.script, self.submitted = [*events], list[int]()
        self.busy = False

    def idle(self) -> bool:
        return not self.busy

    def submit(self, number: int, task: Task, *arguments: Any) -> None:
        self.submitted.append(number)
        self.busy = True

    def events(self, timeout: float) -> list[Event]:
        self.busy = False
        return [self.script.pop(0)]

    def interrupt(self) -> None:
        pass

    def close(self) -> None:
        pass


def test_deaths_of_an_earlier_task_of_the_same_number_do_not_count() -> None:
    death, jobs, seen = Died(0, "killed", True), [(0, ()), (0, ())], list[Event]()
    work = Work(Scripted(death, Done(0), death, Done(0)), worker_tasks.count, attempts=2)
    work.carry_out(lambda: jobs.pop(0) if jobs else None, seen.extend)
    assert seen == [Again(0), Done(0), Again(0), Done(0)]


@pytest.mark.parametrize("end", [Died(0, "a fault of the project"), Refused(0, "no such file")])
def test_a_task_that_fails_by_itself_does_not_begin_again(end: Event) -> None:
    pool, seen = Scripted(end), list[Event]()
    work = Work(pool, worker_tasks.count)
    work.submit(0, ())
    work.carry_out(lambda: None, seen.extend)
    assert (seen, pool.submitted) == ([end], [0])


def test_a_task_whose_process_dies_after_an_interrupt_does_not_begin_again() -> None:
    death, seen = Died(0, "killed", True), list[Event]()
    pool = Scripted(death)
    work = Work(pool, worker_tasks.count)
    work.submit(0, ())
    work.interrupt()
    work.carry_out(lambda: None, seen.extend)
    assert (seen, pool.submitted) == ([death], [0])


def test_an_attempt_that_waits_for_room_does_not_begin_after_an_interrupt() -> None:
    pool, seen = Scripted(Died(0, "killed", True)), list[Event]()
    work = Work(pool, worker_tasks.count)

    def take(events: Sequence[Event]) -> None:
        seen.extend(events)
        work.interrupt()

    work.submit(0, ())
    work.carry_out(lambda: None, take)
    assert (seen, pool.submitted) == ([Again(0)], [0])


def test_after_a_failure_no_more_tasks_begin(tmp_path: Path) -> None:
    pool = make_pool("local", 1)
    try:
        with pytest.raises(TaskError):
            carry_out_all(pool, worker_tasks.mark, [[tmp_path / "a", True], [tmp_path / "b", False]])
        assert pool.idle()
    finally:
        pool.close()
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize(("interrupted", "how"), [(False, f"exit status {INTERRUPTED}"), (True, "exit status 7")])
def test_only_a_task_that_was_interrupted_may_end_so(interrupted: bool, how: str, tmp_path: Path) -> None:
    """A worker that ends with the status of an interrupt, without one; and with another one, after it."""
    waiting = tmp_path / "waiting" if interrupted else None
    pool = make_pool("local", 1)
    try:
        pool.submit(0, worker_tasks.leave, int(how.split()[-1]), waiting)
        assert pool.events(60.0) == [Result(0, "begun")]
        if waiting:
            while not waiting.exists():
                time.sleep(0.01)
            pool.interrupt()
        assert events_of(pool) == [Died(0, f"a worker process ended with {how}", True)]
    finally:
        pool.close()


def test_a_worker_that_died_while_it_was_idle_is_replaced() -> None:
    pool = LocalPool(1)
    try:
        process = pool._workers[0].process
        process.kill()
        process.join()
        pool.submit(0, worker_tasks.count, 1)
        assert events_of(pool) == [Died(0, "a worker process ended with signal 9", True)]
        pool.submit(1, worker_tasks.count, 1)
        assert events_of(pool) == [Result(1, 0), Done(1)]
    finally:
        pool.close()


def test_a_closed_pool_leaves_no_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a task has left to be done at the end is done; a worker that does not listen is killed."""
    monkeypatch.setattr(workers, "GRACE", 0.5)
    pool = LocalPool(2)
    processes = [each.process for each in pool._workers]
    for number, deaf in enumerate((False, True)):
        pool.submit(number, worker_tasks.at_the_end, tmp_path / "done", deaf)
    begun: list[Event] = []
    while len(begun) < 2:
        begun += pool.events(1.0)
    pool.close()
    assert (tmp_path / "done").exists()
    assert [each.exitcode for each in processes] == [0, -signal.SIGKILL]


PARENT = """
import worker_tasks
from bloodrage_training.workers import LocalPool
pool = LocalPool(1)
pool.submit(0, worker_tasks.stay)
events = []
while not events:
    events = pool.events(1.0)
print(events[0].value, flush=True)
pool.events(600.0)
"""


def test_a_worker_ends_with_a_parent_that_is_killed() -> None:
    """Even in the middle of a task."""
    path = f"{TESTS.parent}{os.pathsep}{TESTS}"
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], env=os.environ | {"PYTHONPATH": path}, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert is_running(worker)
        parent.kill()
        parent.wait()
    assert ends(worker)


def test_workers_live_on_from_task_to_task() -> None:
    pool = make_pool("local", 1)
    try:
        first, second = carry_out_all(pool, worker_tasks.who, [[], []]).results
    finally:
        pool.close()
    assert first == second != [os.getpid()]


def test_without_ray_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UserError, match="package ray: install bloodrage with the extra ray"):
        make_pool("ray", 1)
