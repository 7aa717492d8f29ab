"""Pages for the gallery, made by the commands that anybody can run."""

import csv
import shlex
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "build" / "gallery"
AGENTS = "greedy,loki,balanced,hunter,network"


def make() -> list[Path]:
    """Write a tournament, a game of it with its analysis, and a game of Berserk; returns the three pages."""
    folder = FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for each in folder.iterdir():
        if each.is_file():
            each.unlink()
    run(folder, f"tournament run --agents {AGENTS} --deals 6 --seed 1 --store games.sqlite --html report.html")
    run(folder, "tournament report games.sqlite --csv tables")
    with (folder / "tables" / "games.csv").open(encoding="utf-8", newline="") as file:
        game = next(row["game"] for row in csv.DictReader(file) if row["agent"] == "network")
    run(folder, f"tournament export games.sqlite {game} game.brz")
    run(folder, "analyse game.brz --simulations 25 --html replay.html")
    run(folder, "demo --game berserk --seed 3 --quiet --html berserk.html")
    return sorted(folder.glob("*.html"))


def run(folder: Path, command: str) -> None:
    """Run a command of the project; its last lines are shown if it fails."""
    words = [str(Path(sys.executable).with_name("bloodrage")), *shlex.split(command)]
    done = subprocess.run(words, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"bloodrage {command}:\n{done.stdout[-2000:]}")
