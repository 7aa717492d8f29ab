"""Measures value functions on positions that were played out, makes such positions, and trains value networks."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch

from bloodrage_agents.network import SHIPPED, file_of
from bloodrage_env.arguments import whole_number
from bloodrage_training.learn.export import policy_of
from bloodrage_training.learn.products import use_one_thread

from ..command_line import run_chosen
from .explained import explained_in
from .games import Played, gather, mark_of, paths
from .measure import measure, table, value_of
from .network import ValueNet
from .positions import FILE, Positions, make
from .train import Learner, Settings

MAX_SEED: Final = 2**20 - 1
NOTED: Final = 20  # files after which a run prints its loss


def run_make(given: argparse.Namespace) -> None:
    """Make positions, and write them."""
    policy = policy_of(file_of(given.policy), game="bloodrage")
    make(policy, given.positions, given.rollouts, given.seed, given.policy).save(given.out)


def run_measure(given: argparse.Namespace) -> None:
    """Print the table of the functions."""
    positions = Positions.load(given.positions)
    states = positions.states()
    files = given.files or [SHIPPED]
    functions = {name: value_of(policy_of(file_of(name), game="bloodrage"), states) for name in files}
    functions |= {str(path): ValueNet.load(path).value(states) for path in given.net}
    print(table(measure(positions, states["age"].astype(np.int64), functions)))
    if given.games:
        found = sorted(given.games.glob("games-*.npz"))[: given.most]
        mark = mark_of(policy_of(file_of(given.played_by), game="bloodrage"))
        nets = {name: policy_of(file_of(name), game="bloodrage") for name in files}
        nets |= {str(path): ValueNet.load(path) for path in given.net}
        print("\n".join(explained_in([Played.load(path, mark) for path in found], nets)))


def run_play(given: argparse.Namespace) -> None:
    """Play the games that the folder lacks."""
    gather(given.policy, given.folder, given.games, given.seed, given.workers)


def run_train(given: argparse.Namespace) -> None:
    """Train a value network on the games of a folder, from the checkpoint if there is one, and write it."""
    policy = policy_of(file_of(given.policy), game="bloodrage")
    torch.manual_seed(given.seed)
    net = ValueNet(ledger=given.ledger) if given.new else ValueNet.of_policy(policy, given.ledger)
    found = [path for path, _ in paths(given.folder, given.games, given.games_seed)]
    learner = Learner(net, found, mark_of(policy), Settings(epochs=given.epochs, seed=given.seed))
    if given.out.exists():
        learner.resume(given.out)
    losses = []
    for loss in learner.learn(given.out):
        losses.append(loss)
        if learner.done % len(found) == 0 or len(losses) == NOTED:
            print(f"file {learner.done} of {learner.total}: loss {np.mean(losses):.4f}", file=sys.stderr, flush=True)
            losses.clear()


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure how well value functions know who will win, on positions that were played out many times."""
    parser = argparse.ArgumentParser(prog="python -m research.values", description=main.__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    made = commands.add_parser("make", help="make positions", description="Play games and draw positions of them.")
    made.add_argument("out", type=Path, metavar="FILE", help="the file to write")
    made.add_argument("--policy", default=SHIPPED, metavar="FILE", help=f"the policy that plays ({SHIPPED})")
    number = whole_number(2, 10**5)
    made.add_argument("--positions", type=number, default=1200, metavar="N", help="number of positions (1,200)")
    made.add_argument("--rollouts", type=number, default=20, metavar="N", help="play-outs of each, twice (20)")
    made.add_argument("--seed", type=whole_number(0, MAX_SEED), default=1, metavar="N", help="seed of the games (1)")
    made.set_defaults(run=run_make)
    measured = commands.add_parser(
        "measure", help="measure value functions", description="Print the errors of value functions as a table."
    )
    measured.add_argument("files", nargs="*", metavar="FILE", help=f"policies (.npz or .pt; {SHIPPED})")
    kept = "the positions (those that come with the project)"
    measured.add_argument("--positions", type=Path, default=FILE, metavar="FILE", help=kept)
    nets = "value networks, as 'train' writes them"
    measured.add_argument("--net", nargs="+", type=Path, default=[], metavar="FILE", help=nets)
    measured.set_defaults(run=run_measure)
    measured.add_argument(
        "--games", type=Path, metavar="FOLDER", help="also the share that is explained in these games"
    )
    measured.add_argument("--most", type=whole_number(1, 1000), default=3, metavar="N", help="files of them (3)")
    policy = "the policy that played"
    measured.add_argument("--played-by", default=SHIPPED, metavar="FILE", help=f"{policy} ({SHIPPED})")
    played = commands.add_parser("play", help="play games to learn from", description=run_play.__doc__)
    played.add_argument("folder", type=Path, metavar="FOLDER", help="of the games")
    played.add_argument("--workers", type=whole_number(1, 256), default=1, metavar="N", help="processes (1)")
    played.add_argument("--policy", default=SHIPPED, metavar="FILE", help=f"the policy that plays ({SHIPPED})")
    played.add_argument("--seed", type=whole_number(0, MAX_SEED), default=1, metavar="N", help="seed of the games (1)")
    played.set_defaults(run=run_play)
    trained = commands.add_parser("train", help="train a value network", description=run_train.__doc__)
    trained.add_argument("out", type=Path, metavar="FILE", help="the checkpoint to write, or to continue from")
    trained.add_argument("--folder", type=Path, required=True, metavar="FOLDER", help="of the games")
    trained.add_argument("--ledger", action="store_true", help="the network reads the ledger")
    trained.add_argument("--new", action="store_true", help="begin with random weights, not with those of the policy")
    policy += ", and whose layers the network begins with"
    trained.add_argument("--policy", default=SHIPPED, metavar="FILE", help=f"{policy} ({SHIPPED})")
    for each in (played, trained):
        games = "number of games, rounded up to thousands (20,000)"
        each.add_argument("--games", type=whole_number(1, 10**7), default=20_000, metavar="N", help=games)
    trained.add_argument(
        "--epochs", type=whole_number(1, 100), default=3, metavar="N", help="passes over the games (3)"
    )
    seed = "seed of the games (1)"
    trained.add_argument("--games-seed", type=whole_number(0, MAX_SEED), default=1, metavar="N", help=seed)
    seed = "seed of the random numbers (1)"
    trained.add_argument("--seed", type=whole_number(0, MAX_SEED), default=1, metavar="N", help=seed)
    trained.set_defaults(run=run_train)
    use_one_thread()
    run_chosen(parser, arguments)


if __name__ == "__main__":
    main()
