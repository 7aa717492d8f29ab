"""What an edit makes stale: the stamps of the compiled functions of all packages, of a copy with one file changed."""

import json
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import bloodrage_env
from bloodrage_env.core.compile import building, stamps

ROOT = Path(bloodrage_env.__file__).parents[1]

# The stamps of each compiled function as the packages are, and after each edit. Nothing is compiled for it.
STAMPS = """
import json, sys
from pathlib import Path
import bloodrage_agents.games.bloodrage.compiled, bloodrage_training.learn.compiled
from bloodrage_env.commands.compile import load_all
load_all("bloodrage")
from bloodrage_env.core.compile import decorators, stamps
functions = {f"{each.py_func.__module__}.{each.py_func.__name__}": each.py_func for each in decorators.entries}

def stamped():
    for each in vars(stamps).values():
        if hasattr(each, "cache_clear"):
            each.cache_clear()
    return {name: stamps.stamp(each) for name, each in functions.items()}

found = {"": stamped()}
for file in json.loads(sys.argv[1]):
    content = Path(file).read_bytes()
    Path(file).write_bytes(content + (b"\\nADDED = 7\\n" if file.endswith(".py") else b"\\n"))
    found[file] = stamped()
    Path(file).write_bytes(content)
print(json.dumps(found))
"""
ALL = "bloodrage_env", "bloodrage_agents", "bloodrage_training"
FOLDERS = {"bloodrage_env": ".", "bloodrage_agents": "agents", "bloodrage_training": "training"}

HEURISTICS = "bloodrage_agents.games.bloodrage.compiled.heuristics"
ENGINE_API, PREVIEWS = "bloodrage_env.games.bloodrage.engine.api", "bloodrage_env.games.bloodrage.engine.previews"
OBSERVATION, BATCH = "bloodrage_env.core.engine.observe", "bloodrage_env.core.engine.batch.step_games"
SEARCH, LEARN = "bloodrage_agents.mcts", "bloodrage_training.learn.compiled"

EDITS: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
    ("bloodrage_env/core/engine/chance.py", (ENGINE_API, OBSERVATION, BATCH, PREVIEWS, SEARCH), ()),
    ("bloodrage_env/core/compile/decorators.py", ALL, ()),
    ("bloodrage_env/core/compile/numba_private.py", ALL, ()),
    ("bloodrage_env/games/bloodrage/engine/board.py", (ENGINE_API, OBSERVATION, BATCH, PREVIEWS, SEARCH), ()),
    ("bloodrage_env/games/bloodrage/engine/rules/battle.py", (ENGINE_API, OBSERVATION, BATCH, SEARCH), ()),
    ("bloodrage_env/games/bloodrage/engine/cards.csv", (ENGINE_API, OBSERVATION, BATCH, PREVIEWS, SEARCH), ()),
    ("bloodrage_env/games/bloodrage/observation.py", (OBSERVATION, BATCH), (ENGINE_API, PREVIEWS)),
    ("bloodrage_env/vector.py", (), (ENGINE_API, OBSERVATION, BATCH, PREVIEWS)),
    ("bloodrage_env/core/engine/rewards.py", (BATCH, SEARCH), (ENGINE_API, PREVIEWS)),
    (
        "bloodrage_env/games/bloodrage/engine/question.py",
        ("bloodrage_env.games.bloodrage.engine.question", PREVIEWS, SEARCH),
        (f"{LEARN}.sparse",),
    ),
    ("bloodrage_env/games/bloodrage/env.py", (), ALL),
    (
        "agents/bloodrage_agents/games/bloodrage/compiled/prices.py",
        ("bloodrage_agents.games.bloodrage.compiled.heuristics",),
        (ENGINE_API, f"{LEARN}.sparse"),
    ),
    ("agents/bloodrage_agents/registry.py", (), ALL),
    ("training/bloodrage_training/learn/compiled/sparse.py", (f"{LEARN}.sparse",), (ENGINE_API, SEARCH)),
    ("training/bloodrage_training/learn/runs.py", (), ALL),
]


@pytest.fixture(scope="module")
def stamped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """The stamps of the functions of a copy of the packages after each edit, and after none."""
    root = tmp_path_factory.mktemp("real")
    for package in ALL:
        inside = f"{FOLDERS[package]}/{package}"
        shutil.copytree(ROOT / inside, root / inside, ignore=shutil.ignore_patterns("__pycache__"))
    variables = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")} | {
        "PYTHONPATH": os.pathsep.join(str(root / folder) for folder in FOLDERS.values())
    }
    command = [sys.executable, "-c", STAMPS, json.dumps([file for file, *_ in EDITS])]
    done = subprocess.run(command, cwd=root, env=variables, capture_output=True, check=True)
    found: dict[str, dict[str, str]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(("file", "stale", "kept"), EDITS)
def test_an_edit_makes_stale_what_it_is_compiled_into(
    stamped: dict[str, dict[str, str]], file: str, stale: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    """Whatever package it lies in; no constant may change below a compiled function that stays as it was."""
    before, after = stamped[""], stamped[file]
    changed = {name for name in before if before[name] != after[name]}
    for prefix in (*stale, *kept):
        names = {name for name in before if name.startswith(prefix)}
        assert names, prefix
        assert names & changed == (names if prefix in stale else set()), prefix


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
@pytest.mark.parametrize("name", ["bloodrage", "berserk"])
def test_what_the_tables_of_a_game_name_belongs_to_the_sources(name: str) -> None:
    """Each kind of question has its two functions, each routine its own, and all of their modules are stamped."""
    flow, ids = (import_module(f"bloodrage_env.games.{name}.engine.{part}") for part in ("flow", "ids"))
    assert set(flow.QUESTIONS) == set(ids.Decision) - {ids.Decision.NONE}
    assert set(flow.ROUTINES) == set(ids.Routine)
    named = {
        "fill_mask": {each.mask for each in flow.QUESTIONS.values()},
        "carry_out": {each.apply for each in flow.QUESTIONS.values()},
        "resume_top": set(flow.ROUTINES.values()),
    }
    for each in building.entries:
        own = each.py_func.__qualname__.rpartition(".")[2]
        if each.game == name and own in named:
            assert {function.__module__ for function in named.pop(own)} <= set(
                stamps.sources(stamps.modules_of(each.py_func))
            )
    assert named == {}
