"""One folder and one spec for each game: shared code imports none of them, a command for one loads no other."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from project_files import ROOT, code_of

from bloodrage_agents import parts
from bloodrage_agents.forward import Forward
from bloodrage_agents.open_seats import OpenSeats
from bloodrage_agents.shipped import AgentTable
from bloodrage_env import games
from bloodrage_env.core.api.aims import Aims
from bloodrage_env.core.api.env import GameEnv
from bloodrage_env.core.api.replay import Replay
from bloodrage_env.core.engine.game import Game
from bloodrage_env.core.shown.language import Language
from bloodrage_env.core.shown.presentation import Presentation
from bloodrage_env.core.shown.table_page import TablePage
from bloodrage_env.study import Studied
from bloodrage_training.learn.learnable import Learnable
from bloodrage_training.report.summary import GameReport

PACKAGE, TESTS = ROOT / "bloodrage_env", ROOT / "tests"
AGENTS, TRAINING = ROOT / "agents" / "bloodrage_agents", ROOT / "training" / "bloodrage_training"
NAMES = ("bloodrage", "berserk")
PUBLIC = {f"bloodrage_env/{name}_v0.py" for name in NAMES}  # a game's own module for PettingZoo, in the root


def modules_imported_by(path: Path) -> set[str]:
    """The modules and names that a file imports, at its head or anywhere in it, by their full names."""
    top = next(each for each in (PACKAGE, AGENTS, TRAINING) if path.is_relative_to(each))
    inside, found = path.relative_to(top.parent).parts, set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            origin = list(inside[: len(inside) - node.level]) if node.level else []
            origin += node.module.split(".") if node.module else []
            found |= {".".join([*origin, alias.name]) for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def game_of(path: Path) -> str:
    """The game in whose folder a file is, "" for one that is shared."""
    parts = tuple(re.sub("^berserk_(team|laar)$", "berserk", part) for part in path.parts)  # modes of Berserk
    return next((name for name in NAMES if any(parts[i : i + 2] == ("games", name) for i in range(len(parts)))), "")


def test_nothing_shared_imports_a_game_and_no_game_another() -> None:
    """Not even within functions: the registry is asked by the name of a game."""
    guilty = {
        f"{path.relative_to(ROOT)}: {module}"
        for top in (PACKAGE, AGENTS, TRAINING)
        for path in top.rglob("*.py")
        if str(path.relative_to(ROOT)) not in PUBLIC
        for module in modules_imported_by(path)
        for name in NAMES
        if f".games.{name}" in module and name != game_of(path)
    }
    assert guilty == set()


def test_no_shared_code_names_a_game() -> None:
    """A text with the name of a game, or a comparison with one, would be a way to know it: FIRST of the registry is."""
    name = re.compile(r"""["']berserk["']|\bgame\s*[!=]=\s*["']|\.game\s*(?:[!=]=|in)\s*["'(]""")
    guilty = {
        f"{path.relative_to(ROOT)}: {found[0]}"
        for top in (PACKAGE, AGENTS, TRAINING)
        for path in top.rglob("*.py")
        if not game_of(path) and path != PACKAGE / "__init__.py" and str(path.relative_to(ROOT)) not in PUBLIC
        for found in name.finditer(code_of(path))
    }
    assert guilty == set()


# The command line, the constructors that users call, and agents by name: a game that is not named is the first one.
DEFAULTS = {
    "agents/bloodrage_agents/base.py", "agents/bloodrage_agents/by_rules.py", "agents/bloodrage_agents/flat.py",
    "agents/bloodrage_agents/ismcts.py", "agents/bloodrage_agents/isolated.py", "agents/bloodrage_agents/network.py",
    "agents/bloodrage_agents/registry.py", "bloodrage_env/arguments.py", "bloodrage_env/cli.py",
    "bloodrage_env/gpu.py", "bloodrage_env/gym.py", "bloodrage_env/vector.py",
    "training/bloodrage_training/learn/command.py", "training/bloodrage_training/learn/config.py",
    "training/bloodrage_training/learn/export.py", "training/bloodrage_training/sb3_policy.py",
    "training/bloodrage_training/sb3_vec_env.py",
}  # fmt: skip


def test_shared_functions_do_not_know_which_game_is_first() -> None:
    """Elsewhere the caller names the game."""
    users = {
        str(path.relative_to(ROOT))
        for top in (PACKAGE, AGENTS, TRAINING)
        for path in top.rglob("*.py")
        if path.parent != PACKAGE / "games"
        and re.search(r"\bgames\.FIRST\b|\bimport FIRST\b", path.read_text(encoding="utf-8"))
    }
    assert users == DEFAULTS


# What the folder of every game contains in each package; a game may have more.
INSIDE = {
    PACKAGE: {
        "__init__.py", "aims.py", "engine", "env.py", "game.py", "language", "notation", "observation.py", "options.py",
        "presentation.py", "render", "replay.py", "table_page", "terminal",
    },
    AGENTS: {"__init__.py", "compiled", "heuristics.py", "table.py"},
    TRAINING: {"__init__.py", "learnable.py"},
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_games_have_the_same_names_inside(name: str) -> None:
    for top, wanted in INSIDE.items():
        assert wanted <= {path.name for path in (top / "games" / name).iterdir()}, top


@pytest.mark.parametrize("name", games.all_names())
def test_a_spec_names_parts_that_exist(name: str) -> None:
    """Of the kinds that accessors return; `tests/test_add_a_game.py` has what a game may lack."""
    spec = games.spec(name)
    kinds = {
        "game": Game, "presentation": Presentation, "aims": Aims, "table_page": TablePage, "agents": AgentTable,
        "open_seats": OpenSeats, "forward": Forward, "study": Studied, "learnable": Learnable, "report": GameReport,
        "language": Language,
    }  # fmt: skip
    for part, kind in kinds.items():
        assert not spec.has(part) or isinstance(spec.load(part), kind), part
    assert issubclass(spec.load("env"), GameEnv)
    assert issubclass(spec.load("replay"), Replay)
    assert all(callable(spec.load(part)) for part in ("replay_page", "rollout", "tree"))
    assert not spec.has("policy") or parts.policy(name).is_file()


def test_parts_of_a_game_are_asked_for_by_accessors() -> None:
    """`load`, which returns anything, is called where its result gets a type."""
    callers = {
        str(path.relative_to(ROOT))
        for top in (PACKAGE, AGENTS, TRAINING)
        for path in top.rglob("*.py")
        if re.search(r"spec(?:\(\w+\))?\.load\(", path.read_text(encoding="utf-8"))
    }
    assert callers == {
        "agents/bloodrage_agents/parts.py",
        "bloodrage_env/core/shown/structs.py",
        "bloodrage_env/games/__init__.py",
        "training/bloodrage_training/benchmark/protocols.py",
        "training/bloodrage_training/learn/learnable.py",
        "training/bloodrage_training/report/summary.py",
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_commands_for_a_game_load_no_other_one(name: str, tmp_path: Path) -> None:
    """All of them in one process; and none but `train` loads torch."""
    command = [sys.executable, str(TESTS / "all_commands.py"), name, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=TESTS)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines()[-1] == "other games: none; torch before train: none"
