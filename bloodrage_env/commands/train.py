"""`bloodrage train`: a policy by self-play among a league. The work is done by the package `training`."""

import argparse
from typing import Any

from ..errors import UserError
from .arguments import positive


def run(args: argparse.Namespace) -> int:
    """Hand over to `training`, which comes with the repository and needs the packages of the extra `train`."""
    from .opponents import repository_module

    try:
        train = repository_module("training.train")
    except ModuleNotFoundError as error:
        raise UserError(f"training needs {error.name}: pip install 'bloodrage[train]'") from error
    return int(train.run(args))


def add_parser(commands: Any) -> None:
    """Add the command."""
    train = commands.add_parser("train", help="train a policy by self-play among a league")
    train.add_argument("config", nargs="?", metavar="CONFIG", help="a TOML file (for a new run: the defaults)")
    folder = "of the run, which goes on if there is one (runs/train)"
    train.add_argument("--out", default="runs/train", metavar="FOLDER", help=folder)
    train.add_argument("--minutes", type=positive, metavar="M", help="how long, in place of what CONFIG says")
