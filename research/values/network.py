"""A network for values alone, in plain PyTorch: the inputs of an open decision to the chances of all seats.

It has the first layer and the residual layers of a policy, so that it can begin with those of one. Its head is a
softmax over the seats of the game. A second head predicts the glory of each seat at the end by source, in training
alone.
"""

from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from bloodrage_env.games.bloodrage.engine import MAX_SEATS, NUM_SOURCES, States
from bloodrage_env.games.bloodrage.game import GAME
from bloodrage_training.learn.policy import Inputs, Policy, SparseRows, Trunk, load_network
from bloodrage_training.learn.runs import write

from .measure import Value

GLORY: Final = 0.05  # what glory is multiplied with, as a target
ABSENT: Final = -1e9  # the logarithm of the chance of a seat that is not there


class ValueNet(nn.Module):
    """A trunk with a head for the chances of the seats, and one for the glory by source."""

    def __init__(self, width: int = 256, layers: int = 2, ledger: bool = False) -> None:
        super().__init__()
        self.trunk = Trunk(width, layers, "bloodrage", ledger)
        self.chance = nn.Linear(width, MAX_SEATS)
        self.glory = nn.Linear(width, MAX_SEATS * NUM_SOURCES)
        for head in (self.chance, self.glory):
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    @classmethod
    def of_policy(cls, policy: Policy, ledger: bool = False) -> "ValueNet":
        """Return a network with the layers of a policy and new heads. It reads the ledger if the policy does."""
        net = cls(policy.width, len(policy.layers), ledger or bool(policy.net.ledger))
        own = net.trunk.state_dict()
        net.trunk.load_state_dict({name: weights for name, weights in policy.state_dict().items() if name in own})
        return net

    def forward(self, rows: Inputs | SparseRows, players: Tensor) -> tuple[Tensor, Tensor]:
        """Return log-chances and glory by seat, clockwise from the seat to act.

        Log-chances are float32[N, MAX_SEATS], ABSENT for absent seats. Glory is float32[N, MAX_SEATS, NUM_SOURCES], at
        the end of the game, times GLORY.
        """
        hidden = self.trunk(rows)
        logits = self.chance(hidden)
        absent = torch.arange(MAX_SEATS, device=logits.device) >= players[:, None]
        return logits.masked_fill(absent, ABSENT).log_softmax(1), self.glory(hidden).view(-1, MAX_SEATS, NUM_SOURCES)

    def save(self, path: Path, **more: Any) -> None:
        """Write a checkpoint with a checksum."""
        shape = {"width": self.trunk.width, "layers": len(self.trunk.layers)}
        kept = {"game": GAME.name, "rules": GAME.rules_version, "values": self.state_dict(), "shape": shape}
        write(path, kept | {"ledger": bool(self.trunk.net.ledger)} | more)

    @classmethod
    def load(cls, path: Path) -> "ValueNet":
        """Return the network of a checkpoint. Raise UserError as `load_policy` does."""
        return cls.load_kept(path)[0]

    @classmethod
    def load_kept(cls, path: Path) -> tuple["ValueNet", dict[str, Any]]:
        """Return the network of a checkpoint and the rest of its content. Raise UserError as `load_policy` does."""

        def made(kept: dict[str, Any], width: int, layers: int) -> "ValueNet":
            net = cls(width, layers, kept["ledger"] is True)
            net.load_state_dict(kept["values"])
            return net

        return load_network(path, GAME.name, "values", made)

    def value(self, states: States) -> Value:
        """Return the values of open decisions."""
        rows = SparseRows.of(states, np.arange(len(states)), self.trunk.net)
        with torch.inference_mode():
            logs, _ = self(rows, torch.from_numpy(states["num_players"].astype(np.int64)))
        return Value.exact(logs.exp().double().numpy())
