"""Every command with one game, in this process: `all_commands.py GAME FOLDER`. The last line says what was loaded."""

import contextlib
import io
import sys
from unittest import mock

from pool_here import Here

from bloodrage_agents import parts
from bloodrage_env.cli import commands, main
from bloodrage_env.commands import measures
from bloodrage_training import ladder, leaderboard
from bloodrage_training.benchmark import command as benchmark
from bloodrage_training.dataset import command as dataset
from bloodrage_training.learn import evaluate, exploit
from bloodrage_training.tournament import command

GAME, FOLDER = sys.argv[1:]
STYLE = parts.table(GAME).default
USED = set[str]()


def run(line: str) -> None:
    """Run a command; what it prints is shown where it fails."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = main(line.split())
    if status != 0:
        raise SystemExit(f"{line}: status {status}\n{said.getvalue()}")
    USED.add(line.split()[0])


def loaded(words: tuple[str, ...]) -> str:
    """The modules with one of these words in their names, in a line."""
    return ", ".join(sorted(name for name in sys.modules if any(word in f"{name}." for word in words))) or "none"


def play_and_measure() -> None:
    """The commands that learn nothing."""
    run(f"cards --game {GAME}")
    run(f"examples {FOLDER}/examples")
    run(f"demo --game {GAME} --agents random --seed 2 --save {FOLDER}/a --html {FOLDER}/a.html")
    run(f"replay {FOLDER}/a --html {FOLDER}/b.html")
    run(f"analyse {FOLDER}/a --simulations 1")
    run(f"check --game {GAME} --games 2")
    run(f"bench --game {GAME} --quick --threads 1")
    run(f"bench --game {GAME} --quick --threads 1 --json")
    run(f"compile --game {GAME}")
    with mock.patch("sys.stdin", io.StringIO("q\n")):
        run(f"play --game {GAME} --seed 1 --opponents random")
    with mock.patch("bloodrage_env.serve.connections.Server.run"):
        run(f"serve --game {GAME} --port 0 --games {FOLDER}/games --agents random")
    with mock.patch("bloodrage_env.serve.protocol.Server.run_stdio_async"):
        run(f"mcp --game {GAME} --games {FOLDER}/games --agents random")
    store = f"{FOLDER}/a.db"
    run(f"tournament run --game {GAME} --agents random,{STYLE} --deals 1 --seed 1 --store {store}")
    run(f"tournament report {store} --html {FOLDER}/r.html --csv {FOLDER}/csv")
    run(f"tournament verify {store}")
    run(f"evaluate {parts.policy(GAME)} --game {GAME} --against random --deals 1")
    run(f"exploit random --game {GAME} --responder {STYLE} --games 2 --out {FOLDER}/responder")
    exploits = f"--exploit {FOLDER}/responder"
    run(f"leaderboard --game {GAME} --agents random --deals 1 --store {FOLDER}/leaders {exploits}")
    run(f"benchmark random --game {GAME} --games 2 --track duel --out {FOLDER}/benchmark")
    run(f"dataset --game {GAME} --agents random --games 1 --out {FOLDER}/data")
    run(f"ladder flat --game {GAME} --opponent random --budgets 1 2 --deals 1 --store {FOLDER}/ladder")


def learn() -> None:
    """The commands that need torch."""
    small = "--set games=4 --set steps=8 --set width=8 --set layers=1"
    run(f"train --game {GAME} --out {FOLDER}/run {small} --set decisions=40 --set evaluation_games=2")
    run(f"exploit {STYLE} --game {GAME} --out {FOLDER}/exploit --decisions 40 --points 1 --games 2 {small}")


if __name__ == "__main__":
    with (
        mock.patch.object(measures, "QUICK", measures.Effort(1, 1, 1)),
        mock.patch.object(measures, "BATCH", 4),
        mock.patch.object(measures, "_timed_start", return_value=0.5),
        mock.patch.object(command, "make_pool", side_effect=lambda backend, workers: Here()),
        mock.patch.object(dataset, "make_pool", side_effect=lambda backend, workers: Here()),
        mock.patch.object(ladder, "make_pool", side_effect=lambda backend, workers: Here()),
        mock.patch.object(leaderboard, "make_pool", side_effect=lambda backend, workers: Here()),
        mock.patch.object(evaluate, "make_pool", side_effect=lambda backend, workers: Here()),
        mock.patch.object(exploit, "make_pool", side_effect=lambda backend, workers: Here()),
        mock.patch.object(benchmark, "make_pool", side_effect=lambda backend, workers: Here()),
    ):
        play_and_measure()
        torch = loaded(("torch.",))
        learn()
    own = f".games.{GAME}."
    others = [name for name in sys.modules if ".games." in name and own not in f"{name}."]
    shared = {"bloodrage_env.serve.games", "bloodrage_training.report.games"}
    if missed := commands().keys() - USED - {"versions"}:  # which tells of all games
        raise SystemExit(f"not run: {', '.join(sorted(missed))}")
    print(f"other games: {', '.join(sorted(set(others) - shared)) or 'none'}; torch before train: {torch}")
