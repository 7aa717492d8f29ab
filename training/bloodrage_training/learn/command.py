"""`bloodrage train`: a policy by self-play, in a folder whose run can be stopped and resumed at any time.

The folder holds the settings (`config.toml`), the versions of what the run depends on (`versions.json`), checkpoints
and logs; and at the end the policy as a file (`player.npz`), where the recipe of `recipe.py` is the learner.
"""

import argparse
import importlib
import importlib.metadata
import platform
import shlex
import sys
from pathlib import Path
from typing import Any, Final

from bloodrage_env import files, games
from bloodrage_env.arguments import add_game, positive_number
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import INTERRUPTED, UserError

from ..workers import BACKENDS, add_backend
from . import CONFIG

# Modules with the functions `read`, `text`, `game_of`, `lasting`, `has_workers`, `check` and `train`; the one that is
# chosen is imported.
LEARNERS: Final = {"ppo": "recipe", "sb3": "sb3"}
PACKAGES: Final = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib")


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """The options."""
    add_game(parser, game)
    parser.add_argument("config", nargs="?", metavar="CONFIG", help="a TOML file (for a new run: the defaults)")
    folder = "of the run, which is resumed if there is one (runs/train)"
    parser.add_argument("--out", default="runs/train", metavar="FOLDER", help=folder)
    learner = "ppo, of this project (the default), or sb3: MaskablePPO of sb3-contrib"
    parser.add_argument("--learner", choices=LEARNERS, default="ppo", help=learner)
    add_backend(parser)
    minutes = "how long: of the whole run with ppo (of each stage of a recipe), from each start with sb3"
    parser.add_argument("--minutes", type=positive_number, metavar="M", help=minutes)
    changes = "a setting in place of that of CONFIG, as --set games=256; may be given more than once"
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="changes", help=changes)


def run(args: argparse.Namespace) -> int:
    """Begin a run, or go on with the one in the folder `out`; returns the exit status."""
    try:
        from .runs import CHECKPOINT

        learner = importlib.import_module(f"{__package__}.{LEARNERS[args.learner]}")
    except ModuleNotFoundError as error:
        raise UserError(f"training needs {error.name}: pip install 'bloodrage[train]'") from error
    folder = Path(args.out)
    kept = folder / CONFIG
    path = Path(args.config) if args.config is not None else None
    settings = learner.read(path if path or not kept.exists() else kept, args.changes, args.game)
    if kept.exists() and learner.read(kept, game=args.game) != settings:
        raise UserError(f"{folder} holds a run with another configuration; give another --out, or no CONFIG")
    pool = {"backend": args.backend} if learner.has_workers(settings) else {}
    if args.backend != BACKENDS[0] and not pool:
        raise UserError(f"--backend {args.backend} has no effect: nothing of this run has workers; leave it out")
    if not kept.exists():
        if (folder / CHECKPOINT).exists():
            raise UserError(f"{folder} holds a run, but not its {CONFIG}; give another --out")
        learner.check(settings, folder)
        folder.mkdir(parents=True, exist_ok=True)
        files.write(kept, learner.text(settings).encode())
    game = learner.game_of(settings)
    versions: dict[str, Any] = {name: importlib.metadata.version(name) for name in PACKAGES}
    versions |= {"python": platform.python_version(), "rules": games.game(game).rules_version}
    files.write(folder / "versions.json", as_json(versions, indent=1).encode())
    if args.minutes is not None:
        settings = learner.lasting(settings, args.minutes)
    print(f"training in {folder}; Ctrl-C stops and saves", file=sys.stderr)
    try:
        finished = learner.train(settings, folder, **pool)
    except KeyboardInterrupt:  # while nothing is learned, and nothing lost
        finished = False
    named = shlex.quote(str(folder)) + (f" --game {game}" if game != games.FIRST else "")
    given = {"--learner": args.learner, "--backend": args.backend, "--minutes": args.minutes}
    usual = {"--learner": "ppo", "--backend": BACKENDS[0], "--minutes": None}
    more = "".join(f" {name} {value}" for name, value in given.items() if value != usual[name])
    print(f"{'done' if finished else 'stopped'}; to go on: bloodrage train --out {named}{more}", file=sys.stderr)
    if (folder / CHECKPOINT).exists():
        print(f"to measure the policy: bloodrage evaluate {named}", file=sys.stderr)
    return 0 if finished else INTERRUPTED
