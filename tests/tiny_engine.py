"""A tiny engine with a copy of the modules that compile, which tests start in processes of their own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bloodrage_env

ROOT = Path(bloodrage_env.__file__).parents[1]
CORE = ROOT / "bloodrage_env" / "core"
PACKAGE = Path("bloodrage_env")
NOTICE = "bloodrage: compiling"

TINY_ENGINE = {
    "__init__.py": "",
    "env.py": "",
    "engine/__init__.py": "",
    "engine/table.csv": "name,price",
    "engine/numbers.py": "FACTOR = 7",
    "engine/state.py": """
from typing import Annotated
import numpy as np
from ..core.compile.decorators import record_type
STATE = np.dtype((np.record, [("age", np.int16), ("hand", np.int8, (2, 3)), ("rage", np.int32, 5)]))
State = Annotated[np.record, record_type(STATE)]
States = Annotated[np.ndarray, record_type(STATE)[::1]]
""",
    "engine/rules.py": """
from enum import IntEnum
from ..core.compile.decorators import rule, shared_rule
from .state import State
from .numbers import FACTOR

class Clan(IntEnum):
    WOLF = 0
    BEAR = 3

class Law(IntEnum):
    ONE = 1

@rule
def pay(s: State, clan: int, rage: int, really: bool = True, other: Clan = Clan.BEAR) -> int:
    if really:
        s.rage[clan] += rage
        s.rage[other] += 1
    return s.rage[clan]

@rule
def both(s: State, clan: Clan) -> tuple[int, bool]:
    return s.rage[clan], s.age

@rule
def factor() -> int:
    return FACTOR

@shared_rule
def oldest(s: State) -> int:
    return s.age + 2 * factor() - 14
""",
    "engine/play.py": """
from ..core.compile.decorators import Mask, entry, quick_entry
from .state import States
from .rules import Clan, both, factor, oldest, pay

@entry
def step(states: States, i: int, rage: int = 2, twice: bool = False) -> int:
    s = states[i]
    pay(s, 1, 1)
    pay(s, Clan.BEAR, oldest(s), False)
    pay(s, 2, 0, rage > 2)
    if twice:
        pay(s, 0, rage)
    return both(s, Clan.WOLF)[0] + rage * factor()

@quick_entry
def mask(states: States, i: int, out: Mask) -> None:
    out[:] = 0
    out[step(states, i) % len(out)] = 1

@entry
def peek(states: States, i: int, clan: int) -> int:
    return states[i].rage[clan] + oldest(states[i])
""",
}

PRELUDE = """
import json, numba, numpy as np
from bloodrage_env.core.compile import decorators
from bloodrage_env.engine import rules
from bloodrage_env.engine.play import mask, peek, step
from bloodrage_env.engine.state import STATE, State
S = np.zeros(3, STATE)
def error(call):
    try:
        return "no error: %r" % call()
    except Exception as e:
        return f"{type(e).__name__}: {e}"
"""


class Tree:
    """A checkout with the tiny engine in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name, text in TINY_ENGINE.items():
            self.write(name, text)
        shutil.copytree(CORE, root / PACKAGE / "core", ignore=shutil.ignore_patterns("__pycache__"))

    def write(self, name: str, text: str) -> None:
        path = self.root / PACKAGE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def start(self, code: str, **variables: str) -> "subprocess.Popen[str]":
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "COV_", "COVERAGE_"))}
        places = {"PYTHONPATH": str(self.root), "XDG_CACHE_HOME": str(self.root / "home"), "BLOODRAGE_NUMBA": "private"}
        return subprocess.Popen(
            [sys.executable, "-c", PRELUDE + code],
            cwd=self.root,
            env=inherited | places | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, code: str = "print(json.dumps(step(S, 0)))", **variables: str) -> tuple[object, bool]:
        """Run the code; return what it printed, as JSON, and whether anything was compiled for it."""
        return finish(self.start(code, **variables))

    def cached(self, suffix: str) -> list[Path]:
        return sorted(self.root.glob(f"bloodrage_env/engine/__pycache__/*{suffix}"))


def finish(process: "subprocess.Popen[str]") -> tuple[object, bool]:
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert err.count(NOTICE) <= 1
    return json.loads(out), NOTICE in err


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """Return a tree that is compiled, for tests that leave it as it is."""
    tree = Tree(tmp_path_factory.mktemp("warm"))
    assert tree.run() == (14, True)
    return tree
