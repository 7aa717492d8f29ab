"""The engine without compilation, compiled by the public interface of numba, and with bounds checks, each in a process
of its own.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from engine_trace import SEEDS, traces

import bloodrage_env

TESTS = Path(__file__).parent
PACKAGE = Path(bloodrage_env.__file__).parent.parent


def run(task, *options, **variables):
    """What `engine_trace.py` prints, run with these options of Python and environment variables."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    paths = {"PYTHONPATH": os.pathsep.join((str(PACKAGE), str(TESTS)))}
    done = subprocess.run(
        [sys.executable, *options, str(TESTS / "engine_trace.py"), task],
        env=inherited | paths | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
def test_plain_python_plays_the_same_games():
    """The same states, observations and redeals; a number that overflows would warn there."""
    compare(json.loads(run("trace", "-W", "error::RuntimeWarning", NUMBA_DISABLE_JIT="1")))


@pytest.mark.slow
def test_the_public_interface_of_numba_plays_the_same_games():
    """It compiles the whole engine for minutes, the first time."""
    compare(json.loads(run("trace", BLOODRAGE_NUMBA="public")))


def compare(games):
    """Compare action by action with the games that are compiled here."""
    compiled = traces()
    assert len(games) == len(compiled) == len(SEEDS) + 1
    for seed, one, other in zip((*SEEDS, "vector"), games, compiled, strict=True):
        for step, (row, wanted) in enumerate(zip(one, other, strict=True)):
            assert row == wanted, f"game {seed}, decision {step}"


@pytest.mark.slow
def test_no_index_is_out_of_bounds():
    """Compiled code writes past the end of a field without a word; here every index is checked."""
    assert run("checked", NUMBA_BOUNDSCHECK="1").strip() == "checked"
