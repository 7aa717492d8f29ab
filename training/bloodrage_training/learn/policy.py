"""The network: an observation to a logit for each action and a value, in plain PyTorch.

It is made for a CPU: the first layer, which alone would be two thirds of the work, adds up the weights of the
observation's numbers that are not zero.
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

from bloodrage_agents.network import MAX_LAYERS, MAX_WIDTH
from bloodrage_env import files
from bloodrage_env.engine import NUM_ACTIONS
from bloodrage_env.errors import UserError
from bloodrage_env.observation import OBSERVATION_SIZE

from .compiled.judge import add_gradients, judge
from .compiled.sparse import add_outer, count_rows, count_set, gather_set, take_rows

MAX_CHECKPOINT: Final = 2**31  # bytes
ILLEGAL_LOGIT = -1e9  # of an action that the mask forbids: no chance at all in float32


@dataclass(frozen=True)
class SparseRows:
    """Observations as a compressed sparse row matrix; see `compiled/sparse.py`."""

    offsets: npt.NDArray[np.int64]
    index: npt.NDArray[np.int64]
    values: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @classmethod
    def of(cls, observations: npt.NDArray[np.float32], rows: npt.NDArray[np.int64] | None = None) -> "SparseRows":
        """These rows (or all) of observations, float32[N, OBSERVATION_SIZE]."""
        if rows is None:
            rows = np.arange(len(observations))
        offsets = np.empty(len(rows) + 1, np.int64)
        total = count_set(observations, rows, offsets)
        index, values = np.empty(total, np.int64), np.empty(total, np.float32)
        gather_set(observations, rows, index, values)
        return cls(offsets, index, values)

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
        ctx: Any, hidden: Tensor, weights: Tensor, biases: Tensor, masks: Tensor, actions: Tensor
    ) -> tuple[Tensor, Tensor]:
        legal, logs = masks.view(torch.int8), torch.empty(masks.shape)
        chosen, entropies = torch.empty(len(masks)), torch.empty(len(masks))
        judge(
            hidden.numpy(), weights.numpy(), biases.numpy(), legal.numpy(), actions.numpy(), logs.numpy(),
            chosen.numpy(), entropies.numpy(),
        )  # fmt: skip
        ctx.save_for_backward(hidden, weights, legal, actions, logs, entropies)
        return chosen, entropies

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor, None, None]:
        hidden, weights, legal, actions, logs, entropies = (each.numpy() for each in ctx.saved_tensors)
        by_chosen, by_entropy = (each.contiguous().numpy() for each in gradients)
        by_hidden, by_weights = np.zeros_like(hidden), np.zeros_like(weights)
        by_biases = np.zeros(len(weights), np.float32)
        add_gradients(
            hidden, weights, legal, actions, logs, entropies, by_chosen, by_entropy, by_hidden, by_weights, by_biases
        )
        return torch.from_numpy(by_hidden), torch.from_numpy(by_weights), torch.from_numpy(by_biases), None, None


class Trunk(nn.Module):
    """An input layer and residual layers of the same width."""

    def __init__(self, width: int = 256, layers: int = 2) -> None:
        super().__init__()
        self.width = width
        # A row for each number observed. About a hundred of them are set, of mean square 0.3.
        self.first_weight = nn.Parameter(torch.empty(OBSERVATION_SIZE, width).normal_(std=0.1))
        self.first_bias = nn.Parameter(torch.zeros(width))
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))
        self.bfloat16 = False  # products of the residual layers in half the bits; both heads stay in float32

    @property
    def linears(self) -> list[nn.Linear]:
        """The residual layers."""
        return [layer for layer in self.layers if isinstance(layer, nn.Linear)]

    def features(self, rows: SparseRows) -> Tensor:
        """float32[N, width]."""
        hidden: Tensor = _Product.apply(self.first_weight, rows) + self.first_bias
        hidden = hidden.relu()
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bfloat16):
            for layer in self.layers:
                hidden = hidden + layer(hidden).relu()
        return hidden


class Policy(Trunk):
    """A trunk with two heads: action logits, and the value of the position.

    The value is what the seat that is asked will be paid at the end, of the reward that it was trained with.
    """

    def __init__(self, width: int = 256, layers: int = 2) -> None:
        super().__init__(width, layers)
        self.actions = nn.Linear(width, NUM_ACTIONS)
        self.value = nn.Linear(width, 1)
        nn.init.orthogonal_(self.actions.weight, 0.01)
        nn.init.zeros_(self.actions.bias)
        nn.init.zeros_(self.value.bias)

    def forward(self, rows: SparseRows) -> tuple[Tensor, Tensor]:
        """Logits, float32[N, NUM_ACTIONS], of legal and other actions alike; values, float32[N]."""
        hidden = self.features(rows)
        return self.actions(hidden), self.value(hidden).squeeze(1)

    def evaluate_actions(self, rows: SparseRows, masks: Tensor, actions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """float32[N] three times: the logarithm of each action's chance, the entropy of the chances, the value.

        The same as by `forward` and `probabilities`, in a fraction of the time. `masks` is bool[N, NUM_ACTIONS].
        """
        hidden = self.features(rows)
        logs, entropies = _Judge.apply(hidden, self.actions.weight, self.actions.bias, masks, actions)
        return logs, entropies, self.value(hidden).squeeze(1)


def probabilities(logits: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
    """float32[N, NUM_ACTIONS] twice: each action's chance, and its logarithm; `masks` is bool.

    What is not legal has chance 0 and a logarithm of about -1e9.
    """
    legal = logits.masked_fill(~masks, ILLEGAL_LOGIT)
    return legal.softmax(1), legal.log_softmax(1)


def sample(chances: Tensor) -> Tensor:
    """int64[N]: an action of each row, drawn by its chance; never one of chance 0. Quicker than `multinomial`."""
    below = chances.cumsum(1)
    drawn = below[:, -1:] * (1 - 1e-6) * torch.rand(len(chances), 1)
    return (below <= drawn).sum(1)


def load_policy(path: Path) -> tuple[Policy, dict[str, Any]]:
    """The network of a checkpoint, and all that is in it. UserError if it can't be read, or was not written so."""
    try:
        content = files.read_sealed(path, MAX_CHECKPOINT)
        files.check_archive(content, len(content))  # nothing in it is compressed
        return _unpacked(content)
    except OSError as error:
        raise UserError(f"can't read {path}: {error.strerror or error}") from error
    except UserError as error:
        raise UserError(f"{path} is no checkpoint: {error}") from error


def _unpacked(content: bytes) -> tuple[Policy, dict[str, Any]]:
    try:
        kept = torch.load(io.BytesIO(content), weights_only=True)
        width, layers = kept["shape"]["width"], kept["shape"]["layers"]
        if not (type(width) is type(layers) is int and 1 <= width <= MAX_WIDTH and 0 <= layers <= MAX_LAYERS):
            raise UserError(f"it has {layers!r} layers of width {width!r}")
        inputs = len(kept["policy"]["first_weight"])
        if inputs != OBSERVATION_SIZE:
            raise UserError(f"its network takes {inputs} numbers, and an observation has {OBSERVATION_SIZE}")
        policy = Policy(width, layers)
        policy.load_state_dict(kept["policy"])
    except UserError:
        raise
    except Exception as error:  # a file from elsewhere may raise anything
        raise UserError(f"it holds something else ({type(error).__name__})") from error
    if not all(bool(weights.isfinite().all()) for weights in policy.parameters()):
        raise UserError("it has weights that are not finite")
    return policy, kept
