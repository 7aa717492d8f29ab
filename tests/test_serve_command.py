"""`bloodrage serve`: the agents that it offers, and why it can't begin, in one line."""

import sys

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from bloodrage_agents import registry
from bloodrage_env import games
from bloodrage_env.cli import main
from bloodrage_env.commands.serve import default_folder, listen, on_offer
from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.table_page.levels import LEVELS


def test_a_port_that_is_taken(capsys, tmp_path):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert (
            main(["serve", "--game", games.FIRST, "--port", str(port), "--agents", "random", "--games", str(tmp_path)])
            == 1
        )
    said = f"bloodrage serve: can't listen at 127.0.0.1 port {port}: Address already in use\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("host", [".local", "x" * 64])
def test_a_host_that_is_no_name(host):
    with pytest.raises(UserError, match=f"^can't listen at {host} port 0: .*label"):
        listen(host, 0)


def test_opponents_are_offered_by_level():
    """Each is there with its name, the guided search is the strongest, and no agent is left out."""
    specs = [spec for spec, _ in on_offer(None, games.FIRST)]
    assert specs[: len(LEVELS)] == list(LEVELS)
    assert list(LEVELS.values()) == ["Easy", "Medium", "Hard", "Strongest"]
    assert specs[len(LEVELS) - 1] == "ismcts:path=shipped"
    assert {*registry.alone()} <= {*specs}
    assert len(specs) == len(set(specs))


@pytest.mark.parametrize("agents", ["nobody", "human", "missing.py:Agent"])
def test_agents_that_there_are_not(capsys, tmp_path, agents):
    assert main(["serve", "--game", games.FIRST, "--agents", agents, "--games", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert err.startswith("bloodrage serve: ")
    assert err.count("\n") == 1


def test_a_missing_extra_is_said_in_a_line(capsys, monkeypatch, tmp_path):
    import builtins

    real = builtins.__import__

    def missing(name, *rest):
        if name == "uvicorn":
            raise ModuleNotFoundError("No module named 'uvicorn'", name="uvicorn")
        return real(name, *rest)

    monkeypatch.delitem(sys.modules, "bloodrage_env.serve.connections", raising=False)
    monkeypatch.setattr(builtins, "__import__", missing)
    assert main(["serve", "--games", str(tmp_path)]) == 1
    reason = "the server needs the package uvicorn: install bloodrage with the extra web (README, Install)"
    assert capsys.readouterr().err == f"bloodrage serve: {reason}\n"


def test_without_a_home_the_folder_has_to_be_named(monkeypatch):
    def no_home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr("pathlib.Path.home", no_home)
    with pytest.raises(UserError, match="name a folder with --games"):
        default_folder("bloodrage")
