"""The share of the variance of the results that value functions explain in whole games."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import torch

from bloodrage_agents.forward import Forward
from bloodrage_training.learn.policy import Policy

from .games import Played, Targets
from .network import ValueNet
from .reached import PLAYERS


def explained_in(played: Sequence[Played], nets: Mapping[str, Policy | ValueNet]) -> list[str]:
    """Return a line for each function: the share of the variance of the results that it explains in whole games.

    It is that of the seat to act, by number of players. Games give a narrower interval than positions.
    """
    squares: dict[tuple[str, int], npt.NDArray[np.float64]] = {}  # sums: of the function, and of equal shares
    for games in played:
        for reads in (False, True):
            its = {name: net for name, net in nets.items() if reads == bool(forward_of(net).ledger)}
            if not its:
                continue
            most = max(map(forward_of, its.values()), key=lambda net: len(net.changes.names))
            targets = games.targets(most, np.random.default_rng(0))
            for name, net in its.items():
                off = (chances_in(net, targets) - targets.wins[:, 0]) ** 2
                for number in PLAYERS:
                    at = targets.players == number
                    equal = (1 / number - targets.wins[at, 0]) ** 2
                    sums = squares.setdefault((name, number), np.zeros(2))
                    sums += off[at].sum(dtype=np.float64), equal.sum(dtype=np.float64)
    return [
        f"{name}, {number} players: {100 * (1 - off / equal):.1f} % explained in {len(played)} files"
        for (name, number), (off, equal) in squares.items()
        if equal
    ]


def forward_of(net: Policy | ValueNet) -> Forward:
    """Return what a network reads."""
    return net.net if isinstance(net, Policy) else net.trunk.net


def chances_in(net: Policy | ValueNet, targets: Targets) -> npt.NDArray[np.float32]:
    """Return the chance of the seat to act in each decision, float32[R]."""
    found, players = [], torch.from_numpy(targets.players)
    with torch.inference_mode():
        for at in np.array_split(np.arange(len(targets)), max(1, len(targets) // 8192)):
            rows, number = targets.rows.take(at), players[at]
            if isinstance(net, Policy):
                found.append(((net(rows)[1][:, 0] * (number - 1) + 1) / number).clamp(0, 1))
            else:
                found.append(net(rows, number)[0][:, 0].exp())
    return np.asarray(torch.cat(found).numpy())
