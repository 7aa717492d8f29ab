"""Every entry refuses arguments by which compiled code would read or write beyond a game.

Each is called with good arguments, then with each argument in turn replaced by bad ones, in a process of its own, since
what is not refused may end it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bloodrage_env import games

ROOT = Path(__file__).resolve().parents[1]


def refusals(game: str) -> dict[str, tuple[int, list[str]]]:
    """For each entry how many bad calls were made, and those that were not refused with the name of the argument."""
    done = subprocess.run(
        [sys.executable, "tests/entry_calls.py", game],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"ended by {done.returncode}: {done.stderr[-2000:]}"
    found: dict[str, tuple[int, list[str]]] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
def test_every_entry_refuses_bad_arguments_by_name(game: str) -> None:
    """TypeError for what is of another type, ValueError for a number or length out of range, and nothing else."""
    found = refusals(game)
    assert [line for _, lines in found.values() for line in lines] == []
    assert sum(tried for tried, _ in found.values()) > 1000
