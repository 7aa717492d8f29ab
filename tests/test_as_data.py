"""`--json` prints the table of a command as JSON, and nothing else on stdout."""

import json
from pathlib import Path

import pytest
from pool_here import Here

from bloodrage_agents.network import file_of
from bloodrage_env import as_data, games
from bloodrage_env.cli import main
from bloodrage_training import ladder, leaderboard
from bloodrage_training.learn import evaluate, exploit
from bloodrage_training.tournament import command as tournament


@pytest.mark.slow
def test_tables_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    for module in (tournament, ladder, leaderboard, evaluate, exploit):
        monkeypatch.setattr(module, "make_pool", lambda backend, workers: Here())
    run = "tournament run --agents random,greedy --players 2 --deals 2 --store a.sqlite"
    assert main(run.split()) == 0
    shared = "--players 2 --deals 1 --json"
    commands = {
        "tournament report a.sqlite --json --html a.html --csv a": {"agent", "elo", "win_rate", "seats"},
        f"ladder flat --opponent random --budgets 1 --store ladder {shared} --html b.html": {"budget", "win_rate"},
        f"leaderboard --agents random --store leaders {shared} --html c.html": {"spec", "against", "elo"},
        "tournament run --agents random,greedy --players 2 --deals 2 --seed 1 --store b.sqlite --json": {
            "elo",
            "agent",
        },
        "tournament resume b.sqlite --deals 3 --json": {"elo", "agent"},
        "tournament compare a.sqlite b.sqlite --json": {"agent", "win_rate_before", "change", "score"},
        "exploit random --responder greedy --players 2 --games 2 --json": {"games", "win_rate", "gain"},
        f"evaluate {file_of('shipped')} --against random {shared}": {"opponent", "agents"},
    }
    for line, names in commands.items():
        capsys.readouterr()
        assert main(line.split()) == 0
        rows = json.loads(capsys.readouterr().out)
        assert rows
        assert all(names <= row.keys() for row in rows), line
    assert json.loads(as_data.text([{"elo": float("nan")}])) == [{"elo": None}]


@pytest.mark.parametrize(
    ("line", "names", "count"),
    [
        ("cards --json", {"id", "title", "type", "text"}, 88),
        ("cards fenrir --json", {"id", "strength", "copies"}, 1),
        ("cards --game berserk --json", {"id", "title", "element", "keywords"}, 47),
        ("check --games 20 --players 2 --json", {"games", "players", "decisions", "deepest_stack", "cut_off"}, 1),
        ("analyse game.brz --simulations 1 --json", {"step", "seat", "action", "analysis", "cost"}, 0),
    ],
)
def test_facts_as_json(
    line: str, names: set[str], count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    recorder = games.recorder(games.options_from("bloodrage", num_players=2), seed=1)
    for _ in range(3):
        recorder.apply(int(recorder.states[0].mask.argmax()))
    recorder.replay().save("game.brz")
    assert main(line.split()) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == count or not count
    assert all(names <= row.keys() for row in rows)
