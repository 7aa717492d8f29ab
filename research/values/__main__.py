"""Measures value functions on positions that were played out, makes such positions, and trains value networks."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch

from bloodrage_agents.network import SHIPPED, file_of
from bloodrage_training.learn.export import policy_of
from bloodrage_training.learn.products import use_one_thread

from ..command_line import OPTIONS, Tool, add_numbers
from .explained import explained_in
from .games import Played, gather, mark_of, paths
from .measure import measure, table, value_of
from .network import ValueNet
from .positions import FILE, Positions, make
from .train import Learner, Settings

MAX_SEED: Final = 2**20 - 1
NOTED: Final = 20  # files after which a run prints its loss


def run_make(given: argparse.Namespace) -> None:
    """Play games, draw positions of them, and write them."""
    policy = policy_of(file_of(given.policy), game="bloodrage")
    make(policy, given.positions, given.rollouts, given.seed, given.policy).save(given.out)


def run_measure(given: argparse.Namespace) -> None:
    """Print the errors of value functions as a table."""
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
    use_one_thread()
    tool = Tool("values", main.__doc__)
    made = tool.add(run_make)
    OPTIONS.add(made, "out", "--policy")
    add_numbers(made, 2, 10**5, positions=(10_000, "number of positions"), rollouts=(8, "play-outs of each, twice"))
    measured = tool.add(run_measure)
    OPTIONS.add(measured, "files")
    kept = "the positions (those that come with the project)"
    measured.add_argument("--positions", type=Path, default=FILE, metavar="FILE", help=kept)
    nets = "value networks, as 'train' writes them"
    measured.add_argument("--net", nargs="+", type=Path, default=[], metavar="FILE", help=nets)
    explained = "also the share that is explained in these games"
    measured.add_argument("--games", type=Path, metavar="FOLDER", help=explained)
    add_numbers(measured, 1, 1000, most=(3, "files of them"))
    measured.add_argument("--played-by", default=SHIPPED, metavar="FILE", help="the policy that played (%(default)s)")
    played = tool.add(run_play)
    played.add_argument("folder", type=Path, metavar="FOLDER", help="of the games")
    OPTIONS.add(played, "--policy")
    add_numbers(played, 1, 256, workers=(1, "processes"))
    trained = tool.add(run_train)
    OPTIONS.add(trained, "out", help="the checkpoint to write, or to continue from")
    trained.add_argument("--folder", type=Path, required=True, metavar="FOLDER", help="of the games")
    trained.add_argument("--ledger", action="store_true", help="the network reads the ledger")
    trained.add_argument("--new", action="store_true", help="begin with random weights, not with those of the policy")
    OPTIONS.add(trained, "--policy", help="the policy that played, with whose layers the network begins (%(default)s)")
    add_numbers(trained, 1, 100, epochs=(3, "passes over the games"))
    for each in (played, trained):
        add_numbers(each, 1, 10**7, games=(20_000, "number of games, rounded up to thousands"))
    for each in (made, played):
        add_numbers(each, 0, MAX_SEED, seed=(1, "seed of the games"))
    seeds = {"games_seed": (1, "seed of the games"), "seed": (1, "seed of the random numbers")}
    add_numbers(trained, 0, MAX_SEED, **seeds)
    tool.run(arguments)


if __name__ == "__main__":
    main()
