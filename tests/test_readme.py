"""The README: every command and every example of it runs as it stands, in its order, in a folder of its own."""

import io
import re
import shlex
import sys
from pathlib import Path
from unittest import mock

import pytest
from pool_here import Here
from project_files import ROOT

from bloodrage_env.cli import main
from bloodrage_training.benchmark import command as benchmark
from bloodrage_training.learn import evaluate
from bloodrage_training.tournament import command as tournament

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
INDENTED = [line.strip() for line in TEXT.replace("\\\n", " ").splitlines() if line.startswith("    ")]
COMMANDS = [line.partition("#")[0].strip() for line in INDENTED if line.startswith("bloodrage ")]
# What is added to a command, or replaced in it, so that it takes seconds.
SMALLER = {
    "train": {"--minutes": "0.01", "--set": "evaluation_games=2"},
    "evaluate": {"--deals": "1"},
    "tournament": {"--deals": "1"},
    "benchmark": {"--games": "2"},
}


def smaller(words: list[str]) -> list[str]:
    """A command with a smaller budget."""
    for option, value in SMALLER.get(words[0], {}).items():
        if option in words:
            words[words.index(option) + 1] = value
        else:
            words += [option, value]
    return words


@pytest.mark.slow
def test_every_command_runs_in_the_order_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (agent,) = (block for block in BLOCKS if "class MyAgent" in block)
    (tmp_path / "my_agent.py").write_text(agent)
    for module in (tournament, evaluate, benchmark):
        monkeypatch.setattr(module, "make_pool", lambda backend, workers: Here())
    with mock.patch("bloodrage_env.serve.connections.Server.run") as served:
        for line in COMMANDS:
            monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
            assert main(smaller(shlex.split(line)[1:])) == 0, f"{line}\n{capsys.readouterr().err}"
    assert served.called
    assert len(COMMANDS) >= 9
    assert {"game.brz", "demo.html", "runs"} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.slow
def test_the_first_policy_learns_to_win(capsys: pytest.CaptureFixture[str]) -> None:
    """The text below the example is what it prints, within what machines differ by."""
    (example,) = (block for block in BLOCKS if "MaskablePPO" in block)
    exec(compile(example, "README.md", "exec"), {"__name__": "__main__"})
    pattern = r"wins (\d+)% of 100 games"
    printed = re.search(pattern, capsys.readouterr().out)
    (shown,) = (re.fullmatch(pattern, line) for line in INDENTED if line.startswith("wins "))
    assert printed is not None
    assert shown is not None
    assert int(printed[1]) >= 80
    assert abs(int(printed[1]) - int(shown[1])) <= 15
