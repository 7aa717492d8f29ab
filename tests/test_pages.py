"""The pages: every command and every block runs as it stands, in the order of its page, in a folder of its own.

Commands get smaller budgets. What can't run here is in `ELSEWHERE`, with the reason.
"""

import contextlib
import io
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest
from chat_server import serving
from pool_here import Here
from project_files import ROOT, files, name_of
from test_llm import first_legal
from toy_installed import TOY, toy

from bloodrage_agents.network import file_of
from bloodrage_env.cli import main
from bloodrage_env.games.berserk.engine import Card
from bloodrage_training import ladder, leaderboard
from bloodrage_training.benchmark import command as benchmark
from bloodrage_training.dataset import command as dataset
from bloodrage_training.learn import evaluate, exploit
from bloodrage_training.tournament import command as tournament
from bloodrage_training.tournament.store import Store

__all__ = ["toy"]

PAGES = {name_of(path): path.read_text(encoding="utf-8") for path in files(
    "*.md", "docs/*.md", "docs/agents/*.md", "docs/berserk/*.md", "docs/site/*.md"
)}  # fmt: skip
POOLS = (tournament, evaluate, benchmark, dataset, ladder, leaderboard, exploit)
COMMAND = re.compile(
    r"(?:[A-Z_]+=\S+ )*(?:bloodrage|python3?|pip|ray|export|mkdir|cp|vf-eval|pytest|\S+/bin/\w+) |\w+=\S+ $|\w+=\""
)
URL = re.compile(r"http://127\.0\.0\.1:800[01]/v1")
# What is added to a command so that it takes seconds; the last of equal options counts.
NET = [word for each in ("games=4", "steps=32", "width=8", "layers=1") for word in ("--set", each)]
SMALLER: dict[str, list[str]] = {
    "analyse ": ["--simulations", "1"],
    "benchmark (?!--)": ["--games", "2"],
    "benchmark (?!--|.*--track)": ["--track", "duel"],
    "benchmark llm.*": ["--games", "1"],
    "benchmark.* --verify": ["--sample", "1"],
    "dataset ": ["--games", "4", "--shard", "2"],
    "evaluate ": ["--deals", "1"],
    "evaluate .*ismcts": ["--against", "greedy"],
    "exploit ": ["--games", "2"],
    "exploit (?!.*--responder).*": ["--decisions", "40", "--points", "1", *NET],
    "ladder ": ["--budgets", "1", "2", "--deals", "1"],
    "mcp --http.*": ["--port", "0"],
    "serve.*": ["--port", "0"],
    "leaderboard ": ["--agents", "balanced,network", "--deals", "1"],
    "tournament run ": ["--deals", "1"],
    "train ": ["--minutes", "0.01", "--set", "evaluation_games=2", *NET],
}
SMALLER_SCRIPTS = {
    "behaviour_cloning.py": ["--epochs", "1", "--games", "2"],
    "fit_drafts": ["--games", "2"],
    "tune": ["--iterations", "1", "--pairs", "1", "--deals", "1"],
    "values make": ["--positions", "6", "--rollouts", "2"],
    "values play": ["--games", "60"],
    "regret make": ["--decisions", "4", "--simulations", "40"],
    "sb3_maskable_ppo.py": ["--steps", "64"],
}
# Commands and blocks that run elsewhere or not at all, by a text that is in them. Each is still parsed.
ELSEWHERE = {
    "pip ": "the network; test_install_commands.py reads it, .ci/wheel and .ci/newest install",
    "-m venv": "the same",
    "/bin/python ": "libraries whose requirements conflict: tests/test_examples_*.py, skipped where they are missing",
    "vf-eval": "the same",
    "ray start": "a cluster: test_ray_start.py",
    "ray get-auth-token": "the same",
    "RAY_": "the same",
    "--backend ray": "the same",
    "compile --all --into": "minutes: test_compiled_anywhere.py compiles one game",
    "pytest": "the tests themselves",
    "#SBATCH": "Slurm",
    "GpuGames": "a GPU: test_gpu.py",
    "board.js": "a browser: test_render_browser.py",
    "BLOODRAGE_BERSERK_CARDS=": "a process that compiles the engine anew: test_berserk_own_cards.py",
    "model.learn(50_000": "half a minute: test_readme.py",
    "values train": "a thousand games: test_value_network.py",
    "measure --net": "the same",
    "training/configs/": "hours: test_recipe.py reads each",
    "docs/generate.py": "it changes this checkout: test_docs.py checks what it writes",
    "cp runs/benchmark": "the same",
    "def roll(": "a part of a module, which needs a record with the words of chance",
    "[project]": "the file of the toy, which is compared with it",
}
TOY_FILES = {path.read_text(encoding="utf-8") for path in TOY.iterdir() if path.is_file()}
# Files in which a page has its reader save blocks, by a text in them.
SAVED = {"class Raider": "runs/raider.py", "class MyAgent": "my_agent.py"}

# Files that a page supposes.
SUPPOSED = {
    "docs/protocols.md": ["runs/benchmark/mine/benchmark.json"],
    "docs/tutorial.md": ["runs/benchmark/mine/benchmark.json"],
    "docs/report.md": ["games.db"],
    "docs/study.md": ["game.brz", "game.bsk"],
    "docs/tournaments.md": ["runs/second.sqlite"],
    "docs/training.md": ["policy.npz"],
    "docs/experiments.md": ["runs/mine/player.npz"],
    "docs/playing.md": ["my.csv"],
    "docs/site/gallery.md": ["game.brz"],
}


def made(line: str) -> Callable[[str], None]:
    """A command that makes a file, whose name is its last word."""

    def make(name: str) -> None:
        assert main([*line.split(), name]) == 0

    return make


TOURNAMENT = "tournament run --agents random,balanced,loki --deals 1 --store"
GIVEN: dict[str, Callable[[str], object]] = {
    "game.brz": made("demo --quiet --players 2 --agents random --save"),
    "game.bsk": made("demo --quiet --game berserk --agents random --save"),
    "games.db": made(TOURNAMENT),
    "runs/second.sqlite": made(TOURNAMENT),
    "my.csv": lambda name: Path(name).write_text("".join(f"{card.name},3\n" for card in Card if card < 10)),
    "runs/benchmark/mine/benchmark.json": lambda name: shutil.copy(ROOT / "docs/results/benchmark/balanced.json", name),
    **dict.fromkeys(("policy.npz", "runs/mine/player.npz"), lambda name: shutil.copy(file_of("shipped"), name)),
}


class Step(NamedTuple):
    """A command, a line that only shows something, or a fenced block."""

    kind: str
    text: str


def steps(page: str) -> list[Step]:
    """What a page shows, in its order. Indented lines begin a block only after an empty line."""
    found, fence, block, open_ = list[Step](), "", list[str](), True
    for line in page.replace("\\\n", " ").splitlines():
        if line.startswith("```"):
            if fence:
                found.append(Step(fence, "\n".join(block)))
            fence, block = "" if fence else line.removeprefix("```"), []
        elif fence:
            block.append(line)
        elif line.startswith("    ") and open_:
            found.append(Step("command" if COMMAND.match(line.strip() + " ") else "shown", line.strip()))
        else:
            open_ = not line.strip()
    return found


STEPS = {page: found for page, text in PAGES.items() if (found := steps(text))}


def elsewhere(step: Step) -> bool:
    """Whether a step is one of `ELSEWHERE`, or a file of the toy, with which `docs/generate.py` compares it."""
    return any(each in step.text for each in ELSEWHERE) or any(step.text in text for text in TOY_FILES)


def smaller(words: list[str], table: dict[str, list[str]]) -> list[str]:
    """A command with a smaller budget."""
    said = f"{' '.join(words)} "
    return words + [word for name, more in table.items() if re.match(rf"(-m )?(\S*[./])?{name}", said) for word in more]


class Reader:
    """Somebody who follows a page in a folder of its own. `variables` are those of the shell."""

    def __init__(self, folder: Path, url: str, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.url, self.patch = folder, url, patch
        self.variables: dict[str, str] = {}

    def follow(self, step: Step) -> None:
        if step.kind in ("python", "py"):
            for name in (name for text, name in SAVED.items() if text in step.text):
                (self.folder / name).write_text(step.text, encoding="utf-8")
            exec(compile(step.text, "a block", "exec"), {"__name__": "__main__"})
        elif step.kind in ("command", "bash"):
            for line in step.text.splitlines():
                self.type(line)

    def type(self, line: str) -> None:
        """A command of the shell."""
        line = URL.sub(self.url, line)
        if "3f9a" in line:  # the id of a game
            with Store.open("runs/first.sqlite") as store:
                line = line.replace("3f9a", next(store.games()).id)
        for name, value in self.variables.items():
            line = line.replace(f"${name}", value)
        words = shlex.split(line, comments=True)
        name, is_variable, value = words[0].partition("=")
        if is_variable:
            self.variables[name] = value
            return
        for word in (each.rpartition("=")[2] for each in words):  # files of the checkout are copied
            if (ROOT / word).is_file() and not Path(word).exists():
                Path(word).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / word, word)
        if words[0] == "bloodrage":
            said = io.StringIO()
            self.patch.setattr(sys, "stdin", io.StringIO("1\nq\n"))
            with contextlib.redirect_stderr(said):
                assert main(smaller(words[1:], SMALLER)) == 0, f"{line}\n{said.getvalue()}"
        elif words[0] == "python":
            words = smaller(words[1:], SMALLER_SCRIPTS)
            module = words[0] == "-m"
            self.patch.setattr(sys, "argv", words[module:])
            with contextlib.suppress(SystemExit), warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # a module of that name is loaded
                (runpy.run_module if module else runpy.run_path)(words[module], run_name="__main__")
        else:
            subprocess.run(words, check=True)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """An endpoint of a language model, which takes the first action."""
    with serving(lambda asked: first_legal(asked) if "Legal actions:" in str(asked) else "no idea") as endpoint:
        yield endpoint.url


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("page", STEPS)
def test_a_page_can_be_followed(page: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in POOLS:
        monkeypatch.setattr(module, "make_pool", lambda backend, workers: Here())
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(ROOT)  # the modules of research/
    for name in SUPPOSED.get(page, ()):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        GIVEN[name](name)
    reader = Reader(tmp_path, url, monkeypatch)
    with (
        mock.patch("bloodrage_env.serve.connections.Server.run"),
        mock.patch("bloodrage_env.serve.connections.Server.serve"),
        mock.patch("bloodrage_env.serve.protocol.Server.run_stdio_async"),
    ):
        for step in STEPS[page]:
            if not elsewhere(step):
                reader.follow(step)
