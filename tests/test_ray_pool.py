"""How the pool on a Ray cluster connects: with a stub for Ray, which need not be installed."""

import os
import sys
import types

import pytest
import worker_tasks

from bloodrage_env.errors import UserError
from bloodrage_training.ray_pool import RUNTIME_ENV, RayPool
from bloodrage_training.tasks import Died, Done, Result


class StubRay(types.ModuleType):
    """As much of Ray as a pool needs to begin. Like Ray it refuses `num_cpus` where a cluster is there already."""

    def __init__(self):
        super().__init__("ray")
        self.address, self.cpus, self.cancelled = None, 6, []
        self.exceptions = types.SimpleNamespace(TaskCancelledError=CancelledError, RayError=FaultError)

    def init(self, address=None, num_cpus=None, runtime_env=None, **_):
        self.runtime_env = runtime_env
        self.address = address or os.environ.get("RAY_ADDRESS")
        if self.address not in (None, "local"):
            if num_cpus is not None:
                raise ValueError("When connecting to an existing cluster, num_cpus and num_gpus must not be provided.")
        elif num_cpus is not None:
            self.cpus = num_cpus

    def shutdown(self):
        self.address = None

    def nodes(self):
        return [{"Alive": True}, {"Alive": False}]

    def cluster_resources(self):
        return {"CPU": float(self.cpus)}

    def remote(self, **_):
        return lambda function: types.SimpleNamespace(remote=function)

    def wait(self, tasks, num_returns, timeout):
        return tasks[:num_returns], tasks[num_returns:]

    def get(self, event):
        if isinstance(event, Exception):
            raise event
        return event

    def cancel(self, task, force):
        self.cancelled.append((task, force))


class CancelledError(Exception):
    """What Ray raises for a task that was cancelled."""


class FaultError(Exception):
    """An error of Ray."""


@pytest.fixture
def stub(monkeypatch):
    stub = StubRay()
    monkeypatch.setitem(sys.modules, "ray", stub)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    return stub


@pytest.mark.parametrize(
    ("existing", "size", "address", "room"),
    [
        (None, 3, "local", 3),
        (None, None, "local", 6),
        ("10.0.0.1:6379", 3, "10.0.0.1:6379", 3),
        ("auto", None, "auto", 6),
    ],
)
def test_workers_are_counted_here_and_on_a_cluster_that_is_there(stub, monkeypatch, existing, size, address, room):
    if existing is not None:
        monkeypatch.setenv("RAY_ADDRESS", existing)
    pool = RayPool(size)
    assert stub.address == address
    assert pool._size == room


@pytest.mark.parametrize("part", ["init", "nodes"])
@pytest.mark.parametrize(
    ("address", "error", "said"),
    [
        (None, ValueError("\nThe raylet died.\nFurther lines\nof a log"), "The raylet died; '--backend local' needs"),
        ("10.0.0.1:6379", ConnectionError(), "ConnectionError; check the cluster 10.0.0.1:6379 (RAY_ADDRESS) with"),
    ],
)
def test_a_ray_that_cannot_start_is_one_line(stub, monkeypatch, address, error, said, part):
    def fail(*_, **__):
        raise error

    if address is not None:
        monkeypatch.setenv("RAY_ADDRESS", address)
    monkeypatch.setattr(stub, part, fail)
    with pytest.raises(UserError) as found:
        RayPool(1)
    assert str(found.value).startswith(f"Ray can't start: {said}")
    assert "\n" not in str(found.value)
    assert stub.address is None


def test_the_environment_names_what_workers_install(stub, monkeypatch):
    RayPool(1)
    assert stub.runtime_env is None
    monkeypatch.setenv(RUNTIME_ENV, '{"py_modules": ["bloodrage.whl"]}')
    RayPool(1)
    assert stub.runtime_env == {"py_modules": ["bloodrage.whl"]}
    for text, says in (("wheel", "is not JSON: "), ("[]", "is not a JSON object")):
        monkeypatch.setenv(RUNTIME_ENV, text)
        with pytest.raises(UserError, match=says):
            RayPool(1)


def test_tasks_fill_the_room_until_they_end(stub):
    pool = RayPool(2)
    pool.submit(0, worker_tasks.count, 1)
    assert pool.idle()
    pool.submit(1, worker_tasks.count, 0)
    assert not pool.idle()
    assert pool.events(0.0) == [Result(0, 0)]
    assert not pool.idle()
    assert pool.events(0.0) == [Done(0)]
    assert pool.idle()
    assert pool.events(0.0) == [Done(1)]
    assert pool.events(0.0) == []


@pytest.mark.parametrize(
    ("error", "event"),
    [(CancelledError(), Done(5)), (FaultError(), Died(5, "a Ray worker failed (FaultError)", True))],
)
def test_tasks_that_are_cancelled_or_lost(stub, error, event):
    pool = RayPool(1)
    pool._events[iter([error])] = 5
    assert pool.events(0.0) == [event]
    assert pool.idle()


def test_tasks_are_interrupted_once_and_have_time_to_end(stub):
    pool = RayPool(2)
    pool.submit(0, worker_tasks.count, 1)
    pool.interrupt()
    pool.interrupt()
    assert [force for _, force in stub.cancelled] == [False]
