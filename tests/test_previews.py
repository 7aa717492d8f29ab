"""Masks, answers and previews ask the same functions: two scripts in plain Python, where each rule can be called."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).resolve().parent
GAMES = 40

# What must have been looked at, and how often at least.
WANTED = {
    "price ACTION": 1000,
    "price SAVE": 5,
    "price BUY_BACK": 2,
    "price FREE_PILLAGE": 2,
    "arrival": 2,
    "arrival's strength": 10,
    "Smite": 2,
    "total": 100,
    "token of stats": 100,
    "quest": 30,
    "Ragnarok": 50,
    "doomed": 100,
    "village to take": 3,
}


def printed(script: str, *arguments: str) -> Any:
    """What a script prints, run without compilation."""
    done = subprocess.run(
        [sys.executable, script, *arguments],
        cwd=TESTS,
        env=os.environ | {"PYTHONPATH": str(TESTS.parent), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.slow
def test_previews_say_what_actions_do() -> None:
    """Rules 1.4, 3.2, 3.4, 3.5, 4.6, 4.8, 6.2.4, 6.3.11 and 6.4.4.10: prices, what is killed, what is gained."""
    seen = printed("previews.py", str(GAMES))
    assert seen["games"] == GAMES
    assert {what: (seen.get(what, 0), least) for what, least in WANTED.items() if seen.get(what, 0) < least} == {}


def test_what_a_hook_says_is_what_masks_and_answers_do() -> None:
    """Rules 6.4: a price by place, a monster that is a leader, STR for battles alone, another doomed province."""
    assert printed("bent_hooks.py") == 4
