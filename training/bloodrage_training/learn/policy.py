"""The network in plain PyTorch: the inputs of an open decision to a probability of each action, and values.

It is made for a CPU: the first layer, which alone would be two thirds of the work, adds up the weights of the inputs
that are not zero, and the action head computes legal actions only.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from bloodrage_agents import parts
from bloodrage_agents.forward import Forward
from bloodrage_agents.network import MAX_LAYERS, MAX_WIDTH
from bloodrage_agents.scores import NUM_FORMS
from bloodrage_env import files, games
from bloodrage_env.core.compiled import Records
from bloodrage_env.errors import UserError

from .compiled.judge import add_gradients, judge
from .compiled.sparse import add_outer, count_rows, take_rows

MAX_CHECKPOINT: Final = 2**31  # bytes
ILLEGAL: Final = -1e9  # the logarithm of the probability of an action that is not legal: 0 in float32
FIRST_GAINS: Final = (3.0, 0.0, 1.0)  # of the forms of a score: a new network plays about as the rules of thumb do


@dataclass(frozen=True)
class SparseRows:
    """Inputs of networks as a compressed sparse row matrix; see `compiled/sparse.py`."""

    offsets: npt.NDArray[np.int64]
    index: npt.NDArray[np.int64]
    values: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @classmethod
    def of(cls, states: Records, which: npt.NDArray[np.int64], forward: Forward) -> "SparseRows":
        """The inputs of the open decisions of these games; ValueError for a game that is over."""
        offsets = np.empty(len(which) + 1, np.int64)
        index = np.empty(len(which) * forward.num_inputs, np.int64)
        values = np.empty(len(which) * forward.num_inputs, np.float32)
        total = forward.gather_inputs(states, which, offsets, index, values)
        return cls(offsets, index[:total].copy(), values[:total].copy())

    @classmethod
    def join(cls, parts: Sequence["SparseRows"]) -> "SparseRows":
        """The rows of all parts, one part after the other."""
        lengths = np.concatenate([np.zeros(1, np.int64), *(np.diff(part.offsets) for part in parts)])
        index = np.concatenate([part.index for part in parts])
        return cls(np.cumsum(lengths), index, np.concatenate([part.values for part in parts]))

    def take(self, rows: npt.NDArray[np.int64]) -> "SparseRows":
        """These rows, in this order."""
        offsets = np.empty(len(rows) + 1, np.int64)
        total = count_rows(self.offsets, rows, offsets)
        index, values = np.empty(total, np.int64), np.empty(total, np.float32)
        take_rows(self.offsets, self.index, self.values, rows, index, values)
        return SparseRows(offsets, index, values)


class _Product(torch.autograd.Function):
    """Sparse rows times weights. PyTorch's own gradient of `embedding_bag` takes about three times as long."""

    @staticmethod
    def forward(ctx: Any, weights: Tensor, rows: SparseRows) -> Tensor:
        ctx.rows, ctx.shape = rows, weights.shape
        return functional.embedding_bag(
            torch.from_numpy(rows.index),
            weights,
            torch.from_numpy(rows.offsets),
            mode="sum",
            per_sample_weights=torch.from_numpy(rows.values),
            include_last_offset=True,
        )

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        result = torch.zeros(ctx.shape)
        rows = ctx.rows
        add_outer(rows.offsets, rows.index, rows.values, gradients[0].contiguous().numpy(), result.numpy())
        return result, None


class _Judge(torch.autograd.Function):
    """`compiled/judge.py` as a function of PyTorch."""

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weights: Tensor, biases: Tensor, gains: Tensor, rows: SparseRows, at_scores: int,
        actions: Tensor,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        logs = torch.empty(len(rows), len(weights))
        chosen, entropies = torch.empty(len(rows)), torch.empty(len(rows))
        judge(
            hidden.numpy(), weights.numpy(), biases.numpy(), gains.numpy(), rows.offsets, rows.index, rows.values,
            at_scores, actions.numpy(), logs.numpy(), chosen.numpy(), entropies.numpy(),
        )  # fmt: skip
        ctx.rows, ctx.at_scores = rows, at_scores
        ctx.save_for_backward(hidden, weights, gains, actions, logs, entropies)
        return chosen, entropies

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, None, None, None]:
        rows = ctx.rows
        hidden, weights, gains, actions, logs, entropies = (each.numpy() for each in ctx.saved_tensors)
        by_chosen, by_entropy = (each.contiguous().numpy() for each in gradients)
        by_hidden, by_weights, by_gains = np.zeros_like(hidden), np.zeros_like(weights), np.zeros_like(gains)
        by_biases = np.zeros(len(weights), np.float32)
        add_gradients(
            hidden, weights, gains, rows.offsets, rows.index, rows.values, ctx.at_scores, actions, logs, entropies,
            by_chosen, by_entropy, by_hidden, by_weights, by_biases, by_gains,
        )  # fmt: skip
        found = (torch.from_numpy(each) for each in (by_hidden, by_weights, by_biases, by_gains))
        return (*found, None, None, None)


class Trunk(nn.Module):
    """An input layer and residual layers of the same width."""

    def __init__(self, width: int = 256, layers: int = 2, game: str = games.FIRST) -> None:
        super().__init__()
        self.width = width
        self.game = game  # its name
        self.net = parts.forward(game)
        # A row for each input. About a hundred and fifty of them are set, of mean square 0.3.
        self.first_weight = nn.Parameter(torch.empty(self.net.num_inputs, width).normal_(std=0.1))
        self.first_bias = nn.Parameter(torch.zeros(width))
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))
        self.bfloat16 = False  # products of the residual layers in half the bits; both heads stay in float32

    @property
    def linears(self) -> list[nn.Linear]:
        """The residual layers."""
        return [layer for layer in self.layers if isinstance(layer, nn.Linear)]

    def forward(self, rows: SparseRows) -> Tensor:
        """float32[N, width]."""
        hidden: Tensor = _Product.apply(self.first_weight, rows) + self.first_bias
        hidden = hidden.relu()
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bfloat16):
            for layer in self.layers:
                hidden = hidden + layer(hidden).relu()
        return hidden


class Policy(Trunk):
    """A trunk with two heads: the probabilities of actions, and the values of the seats.

    The logit of an action is linear in the trunk's output, and in forms of the action's heuristic score, with gains
    that are linear in the trunk's output. A value is the expected reward of a seat at the end of the game, from the
    seat to act clockwise.
    """

    def __init__(self, width: int = 256, layers: int = 2, game: str = games.FIRST) -> None:
        super().__init__(width, layers, game)
        sizes = self.net.sizes
        self.actions = nn.Linear(width, sizes.actions)
        self.gains = nn.Linear(width, NUM_FORMS)
        self.value = nn.Linear(width, sizes.seats)
        nn.init.orthogonal_(self.actions.weight, 0.01)
        nn.init.zeros_(self.actions.bias)
        nn.init.zeros_(self.gains.weight)
        nn.init.zeros_(self.value.bias)
        with torch.no_grad():
            self.gains.bias.copy_(torch.tensor(FIRST_GAINS))

    def know_observations_alone(self) -> None:
        """Set the weights of the inputs from heuristics to zero."""
        with torch.no_grad():
            self.first_weight[self.net.sizes.observation :] = 0.0
            self.gains.bias.zero_()

    def forward(self, rows: SparseRows) -> tuple[Tensor, Tensor]:
        """float32[N, num_actions] the logarithm of each action's probability, ILLEGAL for one that is not legal;
        float32[N, max_seats] the values.
        """
        hidden = super().forward(rows)
        num_actions = self.net.sizes.actions
        logs, nothing = torch.full((len(rows), num_actions), ILLEGAL), torch.zeros(len(rows), dtype=torch.int64)
        gains = self.gains(hidden)
        weights, biases = self.actions.weight.detach().numpy(), self.actions.bias.detach().numpy()
        unused = np.empty((2, len(rows)), np.float32)
        judge(
            hidden.detach().numpy(), weights, biases, gains.detach().numpy(), rows.offsets, rows.index, rows.values,
            self.net.at_scores, nothing.numpy(), logs.numpy(), unused[0], unused[1],
        )  # fmt: skip
        return logs, self.value(hidden)

    def evaluate_actions(self, rows: SparseRows, actions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The logarithm of the probability of each of `actions`, int64[N], and the entropy of its row, both float32[N];
        the values, float32[N, max_seats]. With gradients, which `forward` has for the values alone.
        """
        hidden = super().forward(rows)
        logs, entropies = _Judge.apply(
            hidden, self.actions.weight, self.actions.bias, self.gains(hidden), rows, self.net.at_scores, actions
        )
        return logs, entropies, self.value(hidden)

    def evaluate_targets(self, rows: SparseRows, targets: SparseRows) -> tuple[Tensor, Tensor]:
        """The mean of the logarithms of the probabilities of legal actions, weighted by `targets` (a row of chances for
        each of `rows`, by action), float32[N]; the values, float32[N, max_seats]. With gradients.
        """
        hidden = super().forward(rows)
        kept = np.flatnonzero(targets.values > 0)
        row = np.repeat(np.arange(len(rows)), np.diff(targets.offsets))[kept]
        at, actions = torch.from_numpy(row), torch.from_numpy(targets.index[kept])
        logs, _ = _Judge.apply(
            hidden[at], self.actions.weight, self.actions.bias, self.gains(hidden)[at], rows.take(row),
            self.net.at_scores, actions,
        )  # fmt: skip
        weighted = torch.from_numpy(targets.values[kept]) * logs
        return torch.zeros(len(rows)).index_add(0, at, weighted), self.value(hidden)


def sample(logs: Tensor) -> Tensor:
    """int64[N]: an action of each row, drawn by its probability, of which `logs` are the logarithms; never one of
    probability 0. Quicker than `multinomial`, as `softmax` is than `exp`, which is slow where the result is 0.
    """
    below = logs.softmax(1).cumsum(1)
    drawn = below[:, -1:] * (1 - 1e-6) * torch.rand(len(logs), 1)
    return (below <= drawn).sum(1)


def load_policy(path: Path, game: str = games.FIRST) -> tuple[Policy, dict[str, Any]]:
    """The network of a checkpoint, and all that is in it. UserError if it can't be read, or was not written so, or
    plays another game.
    """
    try:
        content = files.read_sealed(path, MAX_CHECKPOINT)
        files.check_archive(content, len(content))  # nothing in it is compressed
        return _unpacked(content, game)
    except OSError as error:
        raise UserError(f"can't read {path}: {error.strerror or error}") from error
    except UserError as error:
        raise UserError(f"{path} is no checkpoint: {error}") from error


def _unpacked(content: bytes, game: str) -> tuple[Policy, dict[str, Any]]:
    try:
        kept = torch.load(io.BytesIO(content), weights_only=True)
        plays = kept["game"]
        if plays != game:
            raise UserError(f"its network plays {plays!r:.40}, not {game}")
        width, layers = kept["shape"]["width"], kept["shape"]["layers"]
        if not (type(width) is type(layers) is int and 1 <= width <= MAX_WIDTH and 0 <= layers <= MAX_LAYERS):
            raise UserError(f"it has {layers!r} layers of width {width!r}")
        inputs, wanted = len(kept["policy"]["first_weight"]), parts.forward(game).num_inputs
        if inputs != wanted:
            raise UserError(f"its network takes {inputs} numbers, and a decision has {wanted}")
        policy = Policy(width, layers, game)
        policy.load_state_dict(kept["policy"])
    except UserError:
        raise
    except Exception as error:  # a file from elsewhere may raise anything
        raise UserError(f"it holds something else ({type(error).__name__})") from error
    if not all(bool(weights.isfinite().all()) for weights in policy.parameters()):
        raise UserError("it has weights that are not finite")
    return policy, kept
