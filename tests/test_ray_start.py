"""A Ray cluster as docs/ray.md starts it: three nodes with a token, of which one is killed while games are played."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from project_files import ROOT

from bloodrage_training.tournament.store import Store

pytest.importorskip("ray")
pytestmark = [pytest.mark.ray, pytest.mark.slow]
RAY = [sys.executable, "-m", "ray.scripts.scripts"]
PORT = "6391"
PAGE = (ROOT / "docs" / "ray.md").read_text(encoding="utf-8")


def environment(home: Path, **more: str) -> dict[str, str]:
    """That of somebody whose home is this folder."""
    home.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    cache = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    return {**kept, "HOME": str(home), "XDG_CACHE_HOME": cache, "RAY_USAGE_STATS_ENABLED": "0", **more}


def ray(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*RAY, *words], env=env, capture_output=True, text=True, timeout=180, check=False)


def bloodrage(env: dict[str, str], *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bloodrage_env", *words, "--backend", "ray"]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """The environments of a machine without the token, and of one that has it as the page says."""
    psutil = pytest.importorskip("psutil")
    for line in ("ray get-auth-token --generate", "RAY_AUTH_MODE=token ray start --head --port 6379"):
        assert f"    {line}" in PAGE
    folder = tmp_path_factory.mktemp("homes")
    first = environment(folder / "first", RAY_AUTH_MODE="token")
    other = environment(folder / "other", RAY_ADDRESS=f"127.0.0.1:{PORT}")
    before = {each.pid for each in psutil.process_iter()}
    assert ray(first, "get-auth-token", "--generate").returncode == 0
    started = ray(first, "start", "--head", "--port", PORT, "--num-cpus", "1", "--include-dashboard=false")
    assert started.returncode == 0, started.stderr
    token = folder / "other" / ".ray" / "auth_token"
    allowed = {**other, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(folder / "first/.ray/auth_token")}
    assert not token.exists()
    yield other, allowed
    for each in psutil.process_iter(["pid", "cmdline"]):
        if each.pid not in before and any("ray" in word for word in each.info["cmdline"] or ()):
            each.kill()


def test_without_the_token_it_is_one_line(homes: tuple[dict[str, str], dict[str, str]], tmp_path: Path) -> None:
    words = ("tournament", "run", "--agents", "random,greedy", "--deals", "1", "--store", str(tmp_path / "a.sqlite"))
    running = bloodrage(homes[0], *words)
    (line,) = running.communicate(timeout=180)[1].splitlines()
    assert line.startswith("bloodrage tournament: Ray can't start: ")
    assert "and its token (docs/ray.md)" in line


def test_a_killed_node_loses_no_game(homes: tuple[dict[str, str], dict[str, str]], tmp_path: Path) -> None:
    import psutil

    for _ in range(2):
        joined = ray(homes[1], "start", "--address", f"127.0.0.1:{PORT}", "--num-cpus", "1")
        assert joined.returncode == 0, joined.stderr
    raylets = [each.pid for each in psutil.process_iter(["name"]) if each.info["name"] == "raylet"]
    path = tmp_path / "a.sqlite"
    words = ("tournament", "run", "--agents", "random,greedy", "--seed", "1", "--deals", "60", "--store", str(path))
    running = bloodrage(homes[1], *words)
    while not path.exists() or not recorded(path):
        assert running.poll() is None, running.communicate()[1]
    os.kill(max(raylets), signal.SIGKILL)
    assert running.wait(600) == 0
    assert "3 tasks at a time on 3 machines" in running.communicate()[1]
    with Store.open(path) as store:
        assert store.recorded() == 60 * 4


def recorded(path: Path) -> int:
    """How many games are stored."""
    with Store.open(path) as store:
        return store.recorded()
