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

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def refusals() -> dict[str, tuple[int, list[str]]]:
    """For each entry how many bad calls were made, and those that were not refused with the name of the argument."""
    done = subprocess.run(
        [sys.executable, "tests/entry_calls.py"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"ended by {done.returncode}: {done.stderr[-2000:]}"
    found: dict[str, tuple[int, list[str]]] = json.loads(done.stdout)
    return found


def test_every_entry_refuses_bad_arguments_by_name(refusals: dict[str, tuple[int, list[str]]]) -> None:
    """TypeError for what is of another type, ValueError for a number or length out of range, and nothing else."""
    assert [line for _, lines in refusals.values() for line in lines] == []
    assert sum(tried for tried, _ in refusals.values()) > 1000
