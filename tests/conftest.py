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

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]


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


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    api = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server of tables, of the `GAME` of a module, in a process of its own."""
    from tests.serve_process import ServerProcess

    server = ServerProcess(tmp_path_factory.mktemp("games"), game=getattr(request.module, "GAME", games.FIRST))
    yield server
    server.kill()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that has no error at the end."""
    from tests.play_page import PATIENCE, hurried

    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(1000 * PATIENCE)
    hurried(page)
    page.troubles = []
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("console", lambda message: page.troubles.append(message.text))
    yield page
    page.close()
    assert page.troubles == []
