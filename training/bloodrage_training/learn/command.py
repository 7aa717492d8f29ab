"""`bloodrage train`: a policy by self-play in a league."""

import argparse

from bloodrage_env.arguments import positive_number
from bloodrage_env.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("config", nargs="?", metavar="CONFIG", help="a TOML file (for a new run: the defaults)")
    folder = "of the run, which is resumed if there is one (runs/train)"
    parser.add_argument("--out", default="runs/train", metavar="FOLDER", help=folder)
    parser.add_argument("--minutes", type=positive_number, metavar="M", help="how long; overrides CONFIG")


def run(args: argparse.Namespace) -> int:
    """Train, with the packages of the extra `train`."""
    try:
        from .train import run as train
    except ModuleNotFoundError as error:
        raise UserError(f"training needs {error.name}: pip install 'bloodrage[train]'") from error
    return train(args)
