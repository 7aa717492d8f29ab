"""How the pool on a Ray cluster connects: with a stub for Ray, which need not be installed."""

import os
import sys
import types

import pytest

from bloodrage_training.ray_pool import RayPool


class StubRay(types.ModuleType):
    """As much of Ray as a pool needs to begin. Like Ray it refuses `num_cpus` where a cluster is there already."""

    def __init__(self):
        super().__init__("ray")
        self.address, self.cpus = None, 6

    def init(self, address=None, num_cpus=None, **_):
        self.address = address or os.environ.get("RAY_ADDRESS")
        if self.address not in (None, "local"):
            if num_cpus is not None:
                raise ValueError("When connecting to an existing cluster, num_cpus and num_gpus must not be provided.")
        elif num_cpus is not None:
            self.cpus = num_cpus

    def cluster_resources(self):
        return {"CPU": float(self.cpus)}

    def remote(self, **_):
        return lambda function: function


@pytest.mark.parametrize(
    ("existing", "size", "address", "room"),
    [
        (None, 3, "local", 3),
        (None, None, "local", 6),
        ("10.0.0.1:6379", 3, "10.0.0.1:6379", 3),
        ("auto", None, "auto", 6),
    ],
)
def test_workers_are_counted_here_and_on_a_cluster_that_is_there(monkeypatch, existing, size, address, room):
    stub = StubRay()
    monkeypatch.setitem(sys.modules, "ray", stub)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    if existing is not None:
        monkeypatch.setenv("RAY_ADDRESS", existing)
    pool = RayPool(size)
    assert stub.address == address
    assert pool._size == room
