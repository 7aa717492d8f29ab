"""`bloodrage versions`: prints the versions of the package, of what it needs, and of the rules of the games."""

import argparse
import platform
from importlib.metadata import PackageNotFoundError, version

from .. import __version__, games
from ..arguments import OPTIONS
from ..encoding import as_json

PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo", "torch")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    OPTIONS.add(parser, "--json")


def run(args: argparse.Namespace) -> int:
    """Print a line for each package and game, or one object."""
    packages = {"bloodrage": __version__, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    known = {
        name: {
            "rules": (game := games.game(name)).rules_version,
            "actions": game.num_actions,
            "observation": game.observation_size,
            "record": game.state.itemsize,
        }
        for name in games.all_names()
    }
    if args.json:
        print(as_json({"packages": packages, "games": known}, indent=2))
        return 0
    print("\n".join(f"{name} {number}" for name, number in packages.items()))
    for name, each in known.items():
        print(
            f"{name}: rules version {each['rules']}, {each['actions']} actions, observations of {each['observation']} "
            f"numbers, records of {each['record']} bytes"
        )
    return 0
