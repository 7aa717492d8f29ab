"""Trains reference learners with equal budgets and writes their learning curves to `docs/results/learners.json`.

`python -m research.measure.learners` trains each learner with each seed, and measures its snapshots. A run that is
complete in `--folder` is not repeated. It takes about twenty minutes of one core.
"""

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
from results import save

from bloodrage_env import files
from bloodrage_training.learn import ppo
from bloodrage_training.learn.config import Ppo, parse
from bloodrage_training.learn.evaluate import against, greedy
from bloodrage_training.learn.export import export, read
from bloodrage_training.learn.policy import load_policy
from bloodrage_training.learn.runs import CHECKPOINT

from . import ROOT

GAME, PLAYERS, WIDTH = "bloodrage", 4, 128
EVERY: Final = 25_000  # decisions between two snapshots
OPPONENTS: Final = ("random", "balanced")
SECONDS: Final = "seconds.txt"
HEAD: Final = ("learner", "decisions", *(f"against three {each}" for each in OPPONENTS), "processor time")
SETTINGS: Final[dict[str, Any]] = {
    "game": GAME, "players": [PLAYERS], "threads": 1, "games": 64, "width": WIDTH, "layers": 1, "epochs": 4,
    "minibatch": 1024, "learning_rate": 4e-4, "evaluate_every": 10**6,
}  # fmt: skip


def script(*words: str) -> Callable[[Path, int, int], None]:
    """Return a run of a script of the project, given its words with `{out}`, `{seed}` and `{decisions}`."""

    def run(out: Path, seed: int, decisions: int) -> None:
        given = [each.format(out=out, seed=seed, decisions=decisions) for each in words]
        subprocess.run([sys.executable, *given], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)

    return run


def own(out: Path, seed: int, decisions: int) -> None:
    """Train with `bloodrage train`, and export a snapshot after each part that has none yet."""
    config = parse(Ppo, SETTINGS | {"seed": seed, "decisions": decisions}, "settings")
    checkpoint, snapshots = out / CHECKPOINT, out / "snapshots"
    made = len([*snapshots.glob("*.npz")])
    for until in range(EVERY, decisions + EVERY, EVERY)[made:]:
        if not ppo.train(config, out, until=min(until, decisions)):
            raise KeyboardInterrupt
        policy, kept = load_policy(checkpoint, GAME)
        snapshots.mkdir(exist_ok=True)
        export(policy, snapshots / f"{kept['progress']['decisions']:012}.npz")
    export(load_policy(checkpoint, GAME)[0], out / "policy.npz")


_SCRIPT: Final = ("--players", str(PLAYERS), "--out", "{out}", "--seed", "{seed}", "--every", str(EVERY))
LEARNERS: Final[dict[str, Callable[[Path, int, int], None]]] = {
    "MaskablePPO of SB3": script(
        "training/sb3_maskable_ppo.py", *_SCRIPT, "--steps", "{decisions}", "--episodes", "32"
    ),
    "PPO in CleanRL's style": script(
        "training/examples/cleanrl_ppo.py", *_SCRIPT, "--decisions", "{decisions}", "--width", str(WIDTH)
    ),
    "bloodrage train": own,
}


def folder_of(learner: str, seed: int) -> str:
    """Return the name of the folder of a run."""
    return f"{learner.replace(' ', '-').replace(chr(39), '')}-{seed}".lower()


def processor_time() -> float:
    """Return the processor time of this process and its children, in seconds."""
    both = (resource.getrusage(each) for each in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def train(learner: str, seed: int, out: Path, decisions: int) -> None:
    """Train a run that is not complete, and note its processor time."""
    if (out / SECONDS).exists():
        return
    began, clock = processor_time(), time.monotonic()
    LEARNERS[learner](out, seed, decisions)
    seconds = processor_time() - began
    files.write(out / SECONDS, f"{seconds:.0f}\n".encode())
    print(f"{out}: {seconds:.0f} s of processor time, {time.monotonic() - clock:.0f} s", flush=True)


def curve(out: Path, games: int) -> list[list[float]]:
    """Return decisions and win rates of each snapshot of a run, the first one first."""
    points = []
    for path in sorted((out / "snapshots").glob("*.npz")):
        choose = greedy(read(path, GAME))
        rates = [against(choose, each, games, PLAYERS, game=GAME).share for each in OPPONENTS]
        points.append([int(path.stem), *rates])
    return points


def rows_of(learner: str, curves: list[list[list[float]]], seconds: list[float]) -> list[list[str]]:
    """Return the rows of a learner: means over the seeds, with the lowest and the highest."""
    rows = []
    for points in zip(*curves, strict=True):
        decisions, *rates = np.array(points).T
        spans = [f"{100 * each.mean():.1f} % ({100 * each.min():.1f} to {100 * each.max():.1f})" for each in rates]
        rows.append([learner, f"{round(decisions.mean()):,}", *spans, ""])
    rows[-1][-1] = f"{np.mean(seconds):.0f} s"
    return rows


def main() -> None:
    """Train, measure and write the results."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("runs/learners"))
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--games", type=int, default=200, help="of each measurement")
    args = parser.parse_args()
    folder = args.folder.absolute()
    for seed in range(1, args.seeds + 1):
        for learner in LEARNERS:
            train(learner, seed, folder / folder_of(learner, seed), args.decisions)
    rows = []
    for learner in LEARNERS:
        runs = [folder / folder_of(learner, seed) for seed in range(1, args.seeds + 1)]
        seconds = [float((run / SECONDS).read_text()) for run in runs]
        rows += rows_of(learner, [curve(run, args.games) for run in runs], seconds)
    save("learners/curves", HEAD, rows, "python -m research.measure.learners")
    for row in rows:
        print(" | ".join(row))


if __name__ == "__main__":
    main()
