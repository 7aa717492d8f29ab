"""What holds for all tests."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from bloodrage_env import games

# How long a test takes says how busy the machine is.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

# Tests run side by side, and PyTorch's threads would wait for each other's processors.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A shell that starts the tests in the background has them ignore Ctrl-C, and all that they start; some are about it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test asks of its own endpoint goes there."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The tests of a module that has `GAMES` get a `client` of each of them."""
    if "client" in metafunc.fixturenames and hasattr(metafunc.module, "GAMES"):
        metafunc.parametrize("client", metafunc.module.GAMES, indirect=True)


@pytest.fixture
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """A client of the server of tables in this process."""
    from serve_client import Client  # starlette may be missing

    with Client(tmp_path / "games", game=getattr(request, "param", games.FIRST)) as client:
        yield client
