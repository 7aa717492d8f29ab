"""A game of another package: the toy, with six seats, goes through every command, and has a table in the browser."""

import json
import re
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
import toy_game
from pool_here import Here
from serve_client import Client
from toy_installed import TOY, forget, toy

from bloodrage_agents import registry
from bloodrage_env import VectorGames, games
from bloodrage_env.cli import main
from bloodrage_env.commands import bench, measures
from bloodrage_env.commands.compile import load_all
from bloodrage_env.errors import UserError
from bloodrage_training import ladder
from bloodrage_training.tournament import command

__all__ = ["toy"]

pytestmark = pytest.mark.usefixtures("toy")


def succeeds(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command of the toy prints."""
    status = main([*words])
    out, error = capsys.readouterr()
    assert status == 0, error
    return out


@pytest.mark.slow
def test_it_is_found_by_its_entry_point() -> None:
    assert games.names() == ("bloodrage", "berserk", "toy")
    assert games.game("toy").max_seats == 6
    batch = VectorGames(2, 6, game="toy")
    batch.reset()
    assert batch.masks.shape == (2, 24)


def test_five_files_are_enough_for_all_but_agents_and_training(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    least = replace(toy_game.SPEC, agents="", open_seats="", forward="", learnable="", compiled=("toy_game.engine",))
    monkeypatch.setattr(toy_game, "SPEC", least)
    forget()
    try:
        succeeds(capsys, "demo", "--game", "toy", "--players", "3", "--quiet")
        succeeds(capsys, "check", "--game", "toy", "--games", "5")
        succeeds(capsys, "compile", "--game", "toy")
        assert main(["train", "--game", "toy", "--out", str(tmp_path / "run")]) == 1
        assert capsys.readouterr().err.endswith("bloodrage train: Highest has no training\n")
    finally:
        forget()


def test_it_plays_where_there_is_no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("toy_game.training", "bloodrage_training.learn.learnable", "bloodrage_training.learn.policy"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    load_all("toy")


def test_the_guide_for_changes_counts_its_lines() -> None:
    lines = {path.name: path.read_text(encoding="utf-8").count("\n") for path in TOY.iterdir() if path.is_file()}
    least = ("pyproject.toml", "__init__.py", "engine.py", "game.py", "words.py")
    counted = (sum(lines.values()), len(lines), sum(lines[name] for name in least), len(least))
    page = (TOY.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(r"(\d+) lines in (\d+) files, of which (\d+)\s+lines in (\d+) files", page)
    assert found is not None
    assert tuple(map(int, found.groups())) == counted


def test_the_page_shows_every_line() -> None:
    """Imports included: the page alone is enough."""
    page = (TOY.parents[1] / "docs" / "add_a_game.md").read_text(encoding="utf-8").splitlines()
    lines = [line for path in TOY.glob("*.[pt]*") for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line for line in lines if line not in page] == []


def test_what_it_lacks_is_one_line() -> None:
    for part, said in (("study", "analyst"), ("policy", "trained policy"), ("tree", "tree search"), ("aims", "aims")):
        with pytest.raises(UserError, match=f"^Highest has no {said}"):
            games.spec("toy").load(part)
    with pytest.raises(UserError, match=r"^Highest has no trained policy$"):
        registry.make("network", "toy")


def test_demo_shows_and_saves_a_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    replay, page = tmp_path / "a.replay", tmp_path / "a.html"
    files = ("--save", str(replay), "--html", str(page))
    out = succeeds(capsys, "demo", "--game", "toy", "--players", "6", "--agents", "high", *files)
    assert out.count(" scores") == 3
    assert "Seed 1, 18 decisions of high, high, high, high, high, high." in out
    assert page.read_text().count("<details>") == 18
    assert "6 players" in succeeds(capsys, "replay", str(replay), "--verify")


def test_check_and_cards(capsys: pytest.CaptureFixture[str]) -> None:
    assert "60 random games with " in succeeds(capsys, "check", "--game", "toy", "--games", "60")
    assert succeeds(capsys, "cards", "--game", "toy") == "There is nothing to look up in this game.\n"


@pytest.mark.slow
def test_bench(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "QUICK", measures.Effort(1, 2, 2))
    monkeypatch.setattr(measures, "BATCH", 8)
    monkeypatch.setattr(measures, "_timed_start", lambda game, environment: 0.5)
    monkeypatch.setattr(bench, "_cores", lambda: 1)
    figures = json.loads(succeeds(capsys, "bench", "--game", "toy", "--quick", "--json"))["figures"]
    assert all(figure["value"] > 0 for figure in figures)
    assert "high, compiled" in succeeds(capsys, "bench", "--game", "toy", "--quick", "--agents")


def test_play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO("b\n1\n1\n1\n"))
    out = succeeds(capsys, "play", "--game", "toy", "--players", "6", "--seat", "green", "--seed", "3")
    assert "You are Green." in out
    assert out.count(" scores") == 3


def test_tournament(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "make_pool", lambda backend, workers: Here())
    store, page = str(tmp_path / "a.sqlite"), tmp_path / "a.html"
    run = ("tournament", "run", "--game", "toy", "--players", "6", "--agents", "random,high,low", "--deals", "4")
    assert "36 games" not in succeeds(capsys, *run, "--seed", "1", "--store", store)
    out = succeeds(capsys, "tournament", "report", store, "--html", str(page), "--csv", str(tmp_path / "csv"))
    assert "points" in out
    assert "Win rate by seat" in page.read_text()
    assert "seat 5" in page.read_text()
    assert {path.name for path in (tmp_path / "csv").iterdir()} == {"games.csv", "agents.csv", "pairs.csv"}
    assert "every game plays as stored" in succeeds(capsys, "tournament", "verify", store)


def test_training(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(ladder, "make_pool", lambda backend, size: Here())
    settings = ("games=4", "steps=8", "decisions=60", "evaluation_games=6", "width=8", "layers=1", "players=[2, 6]")
    changes = [word for each in settings for word in ("--set", each)]
    succeeds(capsys, "train", "--game", "toy", "--out", str(tmp_path / "run"), *changes)
    monkeypatch.setattr("bloodrage_training.learn.evaluate.make_pool", lambda backend, size: Here())
    few = ("--players", "6", "--deals", "1", "--against", "high")
    out = succeeds(capsys, "evaluate", str(tmp_path / "run"), "--game", "toy", *few)
    assert re.search(r"^high +6 ", out, re.MULTILINE)


def test_a_table_in_the_browser(tmp_path: Path) -> None:
    with Client(tmp_path, [("high", "plays its highest number")], "toy") as client:
        for path in ("/", "/play", "/game/start.js", "/game/play.js", "/game/plain.css"):
            assert client.call("GET", path).status == 200
        assert b"--clan-5" in client.call("GET", "/board/colours.css").body
        assert client.call("GET", "/api/texts").json["players"] == [2, 6]
        assert client.call("POST", "/api/seat/hint", {"number": 0}, "x").status == 404
        token, *_ = client.new_game(None, *["high"] * 5)
        while not (view := client.asked(token))["scene"]["over"]:
            question = view["question"]
            assert client.answer(token, question["number"], question["choices"][0]["action"]).status == 200
        assert view["scene"]["result"].count("\n") == 5
        assert sum("scores" in text for entry in view["log"] for _, text in entry["lines"]) == 3
        assert not client.said


def test_no_seat_is_told_what_others_hold() -> None:
    shown, game = games.presentation("toy"), games.game("toy")
    for seed in range(3):
        states = game.new_game(seed, games.options_from("toy", num_players=6))
        for _ in range(9):
            action = int(np.flatnonzero(states[0].mask)[0])
            for seat in range(6):
                deal = game.redeal(states, 0, seat, 7)
                assert shown.board_text(deal, 0, seat, False) == shown.board_text(states, 0, seat, False)
                if seat != states[0].seat and (states[0].choice == -1).sum() > 1:
                    assert shown.events(states, action, seat) == []
            game.play.apply(states, 0, action)
