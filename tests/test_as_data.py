"""`--json` prints the table of a command as JSON, and nothing else on stdout."""

import json
from pathlib import Path

import pytest
from pool_here import Here

from bloodrage_agents.network import file_of
from bloodrage_env.cli import main
from bloodrage_training import as_data, ladder, leaderboard
from bloodrage_training.learn import evaluate
from bloodrage_training.tournament import command as tournament


@pytest.mark.slow
def test_tables_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    for module in (tournament, ladder, leaderboard, evaluate):
        monkeypatch.setattr(module, "make_pool", lambda backend, workers: Here())
    run = "tournament run --agents random,greedy --players 2 --deals 2 --store a.sqlite"
    assert main(run.split()) == 0
    shared = "--players 2 --deals 1 --json"
    commands = {
        "tournament report a.sqlite --json --html a.html --csv a": {"agent", "elo", "win_rate", "seats"},
        f"ladder flat --opponent random --budgets 1 --store ladder {shared} --html b.html": {"budget", "win_share"},
        f"leaderboard --agents random --store leaders {shared} --html c.html": {"spec", "against", "elo"},
        f"evaluate {file_of('shipped')} --against random {shared}": {"opponent", "agents"},
    }
    for line, names in commands.items():
        capsys.readouterr()
        assert main(line.split()) == 0
        rows = json.loads(capsys.readouterr().out)
        assert rows
        assert all(names <= row.keys() for row in rows), line
    assert json.loads(as_data.text([{"elo": float("nan")}])) == [{"elo": None}]
