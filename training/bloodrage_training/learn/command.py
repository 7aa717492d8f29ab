"""`bloodrage train`: trains a policy by self-play, in a folder whose run can be stopped and resumed at any time.

The folder contains the settings (`config.toml`), the versions of the software (`versions.json`), checkpoints and logs,
and at the end the policy as a file (`player.npz`).
"""

import argparse
import importlib.metadata
import importlib.util
import platform
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bloodrage_env import files, games
from bloodrage_env.arguments import add_game, positive_number
from bloodrage_env.encoding import as_json
from bloodrage_env.errors import INTERRUPTED, MissingPackageError, UserError

from ..options import OPTIONS
from ..workers import BACKENDS
from . import CONFIG

if TYPE_CHECKING:
    from .recipe import Stages

DEVICES: Final = ("auto", "cpu", "cuda")
PACKAGES: Final = ("numpy", "numba", "torch")
VERSIONS: Final = "versions.json"


def add_arguments(parser: argparse.ArgumentParser, game: str) -> None:
    """Add the options."""
    add_game(parser, game)
    parser.add_argument(
        "config",
        nargs="?",
        metavar="CONFIG",
        help="a TOML file of settings (default for a new run: the default settings)",
    )
    OPTIONS.add(parser, "--out", default="runs/train")
    OPTIONS.add(parser, "--backend", "--set")
    device = "where the network learns (auto: a GPU if there is one)"
    parser.add_argument("--device", choices=DEVICES, default="auto", help=device)
    minutes = "length of the run over all resumes; in a recipe, of each stage"
    parser.add_argument("--minutes", type=positive_number, metavar="M", help=minutes)
    allow = "a policy that CONFIG may name, outside of its folder and of the folder of the run; can be repeated"
    parser.add_argument("--allow", action="append", default=[], metavar="FILE", help=allow)


def _settings(args: argparse.Namespace, kept: Path) -> "tuple[Stages, Sequence[str]]":
    """Return the settings of a new run, or those that are `kept`, and the policies that the user has typed.

    Raise UserError if CONFIG and `--set` are others.
    """
    from . import recipe
    from .config import read_toml
    from .named_files import check_policies, policies_of

    folder = kept.parent
    if kept.exists() and recipe.STAGES not in read_toml(kept):
        raise UserError(f"{folder} holds a response of bloodrage exploit; give another --out")
    source = Path(args.config) if args.config is not None else kept if kept.exists() else None
    settings = recipe.read(source, args.changes, game=args.game)
    game = recipe.game_of(settings)
    if args.game not in (games.FIRST, game):
        raise UserError(f"--game {args.game}: {source} is for {game}; leave it out")
    typed = [*args.allow, *policies_of({"game": game} | dict(map(recipe.change, args.changes)))]
    if source is not None:
        check_policies(
            [file for stage in settings.values() for file in policies_of(vars(stage))], source, folder, typed
        )
    if not kept.exists():
        return recipe.continued(settings), typed
    before = recipe.read(kept, game=args.game)  # which says what its network reads, and has the order of its opponents
    if before != recipe.continued(settings, before):
        raise UserError(f"{folder} holds a run with another configuration; give another --out, or no CONFIG")
    return before, typed


def run(args: argparse.Namespace) -> int:
    """Begin a run, or resume the one in the folder `out`. Return the exit status."""
    try:
        from . import recipe
        from .policy import device_of
        from .run import LOGS
        from .runs import BEST, CHECKPOINT, check_new
    except ModuleNotFoundError as error:
        raise MissingPackageError("training", error.name, "train") from error
    folder, device = Path(args.out), device_of(args.device)
    kept = folder / CONFIG
    settings, typed = _settings(args, kept)
    pool = {"backend": args.backend} if recipe.has_workers(settings) else {}
    if args.backend != BACKENDS[0] and not pool:
        raise UserError(f"--backend {args.backend} has no effect: nothing of this run has workers; leave it out")
    if args.backend == "ray" and importlib.util.find_spec("ray") is None:  # which only a later stage may need
        raise MissingPackageError("--backend ray", "ray", "ray")
    if not kept.exists():
        own = settings if len(settings) > 1 else recipe.written(*settings.values())
        check_new(folder, (CHECKPOINT, recipe.PLAYER, BEST, VERSIONS, *LOGS, *own))
        recipe.check(settings, folder)
        folder.mkdir(parents=True, exist_ok=True)
        files.write(kept, recipe.text(settings).encode())
    game = recipe.game_of(settings)
    versions: dict[str, Any] = {name: importlib.metadata.version(name) for name in PACKAGES}
    versions |= {"python": platform.python_version(), "rules": games.game(game).rules_version}
    files.write(folder / VERSIONS, as_json(versions, indent=1).encode())
    if args.minutes is not None:
        settings = recipe.read(kept, [f"minutes={args.minutes}"], game=args.game)
    print(f"training in {folder}; Ctrl-C stops and saves", file=sys.stderr)
    try:
        finished = recipe.train(settings, folder, device=device, **pool)
    except KeyboardInterrupt:  # while nothing is learned, and nothing lost
        finished = False
    named = shlex.quote(str(folder)) + (f" --game {game}" if game != games.FIRST else "")
    grows = finished and args.minutes is not None and recipe.can_grow(settings, folder)
    minutes = None if args.minutes is None else f"{2 * args.minutes if grows else args.minutes:g}"
    given = {"--backend": args.backend, "--device": args.device, "--minutes": minutes}
    usual = {"--backend": BACKENDS[0], "--device": "auto", "--minutes": None}
    command = f"bloodrage train --out {named}" + "".join(f" {k} {v}" for k, v in given.items() if v != usual[k])
    command += "".join(f" --allow {shlex.quote(each)}" for each in typed)
    if not finished:
        print(f"stopped; to go on: {command}", file=sys.stderr)
    else:  # the same length again would change nothing
        print(f"done; to train longer: {command}" if grows else "done", file=sys.stderr)
    if (folder / CHECKPOINT).exists():
        print(f"to measure the policy: bloodrage evaluate {named}", file=sys.stderr)
    return 0 if finished else INTERRUPTED
