"""The network in PyTorch: maps the inputs of an open decision to action probabilities and values.

It takes inputs as bytes (`Inputs`) on any device and, on a CPU, as sparse rows (`SparseRows`), with the same weights.
With sparse rows, the first layer, which alone would be two thirds of the work, adds up the weights of the nonzero
inputs, and the action head computes legal actions only.
"""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from bloodrage_agents import parts
from bloodrage_agents.forward import Forward
from bloodrage_agents.network import MAX_LAYERS, MAX_WIDTH
from bloodrage_agents.scores import LEAST, NUM_FORMS, WORST
from bloodrage_env import files, games
from bloodrage_env.core.compile.decorators import Records
from bloodrage_env.errors import UserError

from .compiled.action_log_probs import action_log_probs, draw_actions
from .compiled.sparse import count_rows, sparse_rows, take_rows
from .differentiable import ActionLogProbs, LegalLogProbs, Product

MAX_CHECKPOINT: Final = 2**31  # bytes
ILLEGAL: Final = -1e9  # the logarithm of the probability of an action that is not legal: 0 in float32
Network = TypeVar("Network", bound=nn.Module)
FIRST_GAINS: Final = (3.0, 0.0, 1.0)  # of the forms of a score: a new network plays about as the rules of thumb do


@dataclass(frozen=True)
class Inputs:
    """Inputs of networks, on any device. Observations are bytes, which the first layer multiplies by their scales."""

    counts: Tensor  # uint8[N, observation]
    more: Tensor  # float32[N, num_inputs - observation]; the last ones are the scores of actions, 0 where not legal
    changes: Tensor  # int8[N, actions, num_changes]: what each legal action changes, in counts

    def __len__(self) -> int:
        return len(self.counts)

    @classmethod
    def empty(cls, count: int, net: Forward, device: torch.device | str = "cpu", pinned: bool = False) -> "Inputs":
        """Return memory for `count` rows. `pinned` memory of the CPU is copied to a GPU without waiting."""
        size, of_actions = net.sizes.observation, (net.sizes.actions, len(net.changes.names))
        return cls(
            torch.empty((count, size), dtype=torch.uint8, device=device, pin_memory=pinned),
            torch.empty((count, net.num_inputs - size), device=device, pin_memory=pinned),
            torch.empty((count, *of_actions), dtype=torch.int8, device=device, pin_memory=pinned),
        )

    @property
    def tensors(self) -> tuple[Tensor, Tensor, Tensor]:
        """The tensors, which have a row for each decision."""
        return self.counts, self.more, self.changes

    def part(self, start: int, stop: int) -> "Inputs":
        """Return these rows without a copy."""
        return Inputs(*(each[start:stop] for each in self.tensors))

    def take(self, rows: Tensor) -> "Inputs":
        """Return a copy of these rows, in this order."""
        return Inputs(*(each[rows] for each in self.tensors))

    def fill(self, other: "Inputs") -> None:
        """Copy the rows of `other`, which can be on another device."""
        for own, its in zip(self.tensors, other.tensors, strict=True):
            own.copy_(its, non_blocking=True)

    def to(self, device: torch.device) -> "Inputs":
        """Return the inputs on a device."""
        return Inputs(*(each.to(device, non_blocking=True) for each in self.tensors))


def joined(parts: Sequence[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the offsets, index and values of the rows of all parts, one part after the other."""
    lengths = np.concatenate([np.zeros(1, np.int64), *(np.diff(part.offsets) for part in parts)])
    index = np.concatenate([part.index for part in parts])
    return np.cumsum(lengths), index, np.concatenate([part.values for part in parts])


@dataclass(frozen=True)
class Changes:
    """What the legal actions of decisions change, in counts: those of the legal actions of row i begin at `offsets[i]`.

    Their order is that of the legal actions in the sparse row.
    """

    offsets: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int8]  # int8[legal actions of all rows, num_changes]

    @classmethod
    def of(cls, legal: npt.NDArray[np.bool_], dense: npt.NDArray[np.int8]) -> "Changes":
        """Return them from int8[N, actions, num_changes]; `legal` is bool[N, actions]."""
        return cls(np.append(0, legal.sum(1).cumsum()), dense[legal])

    @classmethod
    def join_all(cls, rows: Sequence[Any]) -> "Changes | None":
        """Return those of all parts of sparse rows, one part after the other, if they have them."""
        parts = [part.changes for part in rows if part.changes is not None]
        if not parts:
            return None
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        return cls(np.append(0, lengths.cumsum()), np.concatenate([part.counts for part in parts]))

    def take(self, rows: npt.NDArray[np.int64]) -> "Changes":
        """Return those of these rows, in this order."""
        lengths = np.diff(self.offsets)[rows]
        offsets = np.append(0, lengths.cumsum())
        return Changes(
            offsets, self.counts[np.repeat(self.offsets[rows] - offsets[:-1], lengths) + np.arange(offsets[-1])]
        )


@dataclass(frozen=True)
class SparseRows:
    """Inputs of networks as a compressed sparse row matrix (`compiled/sparse.py`)."""

    offsets: npt.NDArray[np.int64]
    index: npt.NDArray[np.int64]
    values: npt.NDArray[np.float32]
    changes: Changes | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @classmethod
    def of(cls, states: Records, which: npt.NDArray[np.int64], forward: Forward) -> "SparseRows":
        """Return the inputs of the open decisions of these games. Raise ValueError for a game that is over."""
        offsets = np.empty(len(which) + 1, np.int64)
        index = np.empty(len(which) * forward.num_inputs, np.int64)
        values = np.empty(len(which) * forward.num_inputs, np.float32)
        total = forward.gather_inputs(states, which, forward.ledger, offsets, index, values)
        if not forward.changes.names:
            return cls(offsets, index[:total].copy(), values[:total].copy())
        actions, names = forward.sizes.actions, forward.changes.names
        counts = np.zeros((len(which), actions * len(names)), np.int8)
        forward.write_changes(states, which, counts)
        changes = counts.reshape(len(which), actions, len(names))
        legal = states["mask"][which] != 0
        return cls(offsets, index[:total].copy(), values[:total].copy(), Changes.of(legal, changes))

    @classmethod
    def of_inputs(cls, inputs: Inputs, rows: npt.NDArray[np.int64], scales: npt.NDArray[np.float32]) -> "SparseRows":
        """Return some rows of inputs in bytes, with the scales of the game."""
        room = len(rows) * (inputs.counts.shape[1] + inputs.more.shape[1])
        offsets, index, values = np.empty(len(rows) + 1, np.int64), np.empty(room, np.int64), np.empty(room, np.float32)
        total = sparse_rows(inputs.counts.numpy(), inputs.more.numpy(), scales, rows, offsets, index, values)
        if not inputs.changes.shape[2]:
            return cls(offsets, index[:total], values[:total])
        legal = inputs.more.numpy()[rows, -inputs.changes.shape[1] :] != 0
        return cls(offsets, index[:total], values[:total], Changes.of(legal, inputs.changes.numpy()[rows]))

    @classmethod
    def join(cls, parts: Sequence["SparseRows"]) -> "SparseRows":
        """Return the rows of all parts, one part after the other."""
        return cls(*joined(parts), Changes.join_all(parts))

    def copy(self) -> "SparseRows":
        """Return the same rows in arrays of their own, which have no room for more."""
        return SparseRows(self.offsets.copy(), self.index.copy(), self.values.copy(), self.changes)

    def take(self, rows: npt.NDArray[np.int64]) -> "SparseRows":
        """Return these rows, in this order."""
        offsets = np.empty(len(rows) + 1, np.int64)
        total = count_rows(self.offsets, rows, offsets)
        index, values = np.empty(total, np.int64), np.empty(total, np.float32)
        take_rows(self.offsets, self.index, self.values, rows, index, values)
        return SparseRows(offsets, index, values, self.changes and self.changes.take(rows))


class Trunk(nn.Module):
    """An input layer and residual layers of the same width. Without `ledger`, the weights of the ledger are zero."""

    def __init__(self, width: int, layers: int, game: str, ledger: bool = False) -> None:
        super().__init__()
        self.width = width
        self.game = game  # its name
        self.net = parts.forward(game).reading(ledger)
        # A row for each input. About a hundred and fifty of them are set, of mean square 0.3.
        self.first_weight = nn.Parameter(torch.empty(self.net.num_inputs, width).normal_(std=0.1))
        if not self.net.ledger:
            with torch.no_grad():
                self.first_weight[self.net.of_ledger] = 0.0
        self.first_bias = nn.Parameter(torch.zeros(width))
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))
        self.register_buffer("scales", torch.from_numpy(games.game(game).scales.copy()), persistent=False)
        self.bfloat16 = False  # products of the layers in half the bits; both heads stay in float32

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.first_bias.device

    @property
    def linears(self) -> list[nn.Linear]:
        """The residual layers."""
        return [layer for layer in self.layers if isinstance(layer, nn.Linear)]

    def rows(self, inputs: Inputs, picked: npt.NDArray[np.int64] | None = None) -> Inputs | SparseRows:
        """Return rows of inputs on the policy's device (all, or those selected), in the fastest form for it."""
        if self.device.type == "cpu":
            rows = np.arange(len(inputs)) if picked is None else picked
            return SparseRows.of_inputs(inputs, rows, self.scales.numpy())
        return inputs if picked is None else inputs.take(torch.from_numpy(picked).to(self.device))

    def forward(self, rows: Inputs | SparseRows) -> Tensor:
        """Return float32[N, width]."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16):
            if isinstance(rows, SparseRows):
                hidden: Tensor = Product.apply(self.first_weight, rows)
            else:
                observed, dtype = len(self.scales), torch.bfloat16 if self.bfloat16 else torch.float32
                hidden = rows.counts.to(dtype) @ (self.first_weight[:observed] * self.scales[:, None])
                hidden = hidden + rows.more @ self.first_weight[observed:]
            hidden = (hidden + self.first_bias).relu()
            for layer in self.layers:
                hidden = hidden + layer(hidden).relu()
        return hidden.float()


class Policy(Trunk):
    """A trunk with two heads: the probabilities of actions, and the values of the seats.

    The logit of an action is linear in the trunk's output, and in forms of the action's heuristic score, with gains
    that are linear in the trunk's output. With `changes`, it is also linear in what the action changes in the ledger,
    with weights that are linear in the trunk's output. A value is the expected reward of a seat at the end of the game,
    from the seat to act clockwise.

    Parameters
    ----------
    width : int
        Width of the layers.
    layers : int
        Number of residual layers.
    game : str
        The name of the game.
    ledger : bool
        False: the weights of the inputs of the ledger are zero.
    changes : bool
        Whether it reads what each action changes in the ledger.

    Examples
    --------
    >>> import numpy as np
    >>> from bloodrage_env import games
    >>> from bloodrage_training.learn.policy import Policy, SparseRows
    >>> policy = Policy(width=8, layers=1, game="bloodrage")
    >>> states = games.game("bloodrage").new_game(1, games.options_from("bloodrage"))
    >>> logs, values = policy(SparseRows.of(states, np.array([0]), policy.net))
    >>> logs.shape, values.shape
    (torch.Size([1, 301]), torch.Size([1, 5]))
    """

    def __init__(self, width: int, layers: int, game: str, ledger: bool = False, changes: bool = False) -> None:
        super().__init__(width, layers, game, ledger)
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
        self.changes: nn.Linear | None = None
        self.read(ledger, changes)

    def read(self, ledger: bool, changes: bool) -> None:
        """Read the ledger and the changes, if the game has them, or not. New weights are zero."""
        self.net = self.net.reading(ledger, changes)
        if self.net.changes.names and self.changes is None:
            self.changes = nn.Linear(self.width, len(self.net.changes.names), device=self.device)
            nn.init.zeros_(self.changes.weight)
            nn.init.zeros_(self.changes.bias)

    def forward(self, rows: Inputs | SparseRows) -> tuple[Tensor, Tensor]:
        """Return the log-probabilities of actions, and the values.

        Parameters
        ----------
        rows : Inputs or SparseRows
            N decisions.

        Returns
        -------
        tuple of Tensor
            float32[N, num_actions], ILLEGAL for illegal actions; float32[N, max_seats].
        """
        hidden = super().forward(rows)
        if isinstance(rows, Inputs):
            return self._logs(hidden, rows), self.value(hidden)
        num_actions = self.net.sizes.actions
        logs, nothing = torch.full((len(rows), num_actions), ILLEGAL), torch.zeros(len(rows), dtype=torch.int64)
        gains = self.gains(hidden)
        weights, biases = self.actions.weight.detach().numpy(), self.actions.bias.detach().numpy()
        unused, added = np.empty((2, len(rows)), np.float32), self._added(hidden, rows)
        action_log_probs(
            hidden.detach().numpy(), weights, biases, gains.detach().numpy(), added.detach().numpy(), rows.offsets,
            rows.index, rows.values, self.net.at_scores, nothing.numpy(), logs.numpy(), unused[0], unused[1],
        )  # fmt: skip
        return logs, self.value(hidden)

    def draw(self, rows: Inputs | SparseRows, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return an action of each row, drawn by its probability.

        Parameters
        ----------
        rows : Inputs or SparseRows
            N decisions.
        rng : numpy.random.Generator
            The generator.

        Returns
        -------
        tuple of Tensor
            Actions, int64[N]; their log-probabilities and the greatest ones, float32[N]; values, float32[N, max_seats].
        """
        logs, values = self(rows)
        if isinstance(rows, Inputs):
            actions = sample(logs, rng)
            return actions, logs.gather(1, actions[:, None])[:, 0], logs.max(1).values, values
        actions, chosen, top = np.empty(len(rows), np.int64), *np.empty((2, len(rows)), np.float32)
        drawn = rng.random(len(rows), dtype=np.float32)
        draw_actions(rows.offsets, rows.index, self.net.at_scores, logs.numpy(), drawn, actions, chosen, top)
        return torch.from_numpy(actions), torch.from_numpy(chosen), torch.from_numpy(top), values

    def _logs(self, hidden: Tensor, inputs: Inputs) -> Tensor:
        """Return float32[N, num_actions], the log-probabilities of actions."""
        scores = inputs.more[:, -self.net.sizes.actions :]
        worse = (1 - scores) * (WORST / (1 - LEAST))
        forms = torch.stack([worse * -0.25, worse.clamp(min=0).sqrt() * -0.5, (worse < 1e-3).float()], 2)
        logits = self.actions(hidden) + (forms @ self.gains(hidden)[:, :, None])[:, :, 0]
        if self.changes is not None:
            logits = logits + (inputs.changes.float() @ self._worth(hidden)[:, :, None])[:, :, 0]
        return logits.masked_fill(scores == 0, ILLEGAL).log_softmax(1)

    def _worth(self, hidden: Tensor) -> Tensor:
        """Return float32[N, num_changes], what a count of each change adds to a logit."""
        assert self.changes is not None
        worth: Tensor = self.changes(hidden) / torch.tensor(self.net.changes.units, device=hidden.device)
        return worth

    def _added(self, hidden: Tensor, rows: SparseRows) -> Tensor:
        """Return what changes add to the logits, at the places of legal actions in `rows`; empty without changes."""
        if self.changes is None:
            return torch.zeros(0)
        assert rows.changes is not None
        its, counts = np.repeat(np.arange(len(rows)), np.diff(rows.changes.offsets)), rows.changes.counts
        sums = (self._worth(hidden)[torch.from_numpy(its)] * torch.from_numpy(counts)).sum(1)
        places = np.flatnonzero(rows.index >= self.net.at_scores)
        return torch.zeros(len(rows.index)).index_put((torch.from_numpy(places),), sums)

    def evaluate_actions(self, rows: Inputs | SparseRows, actions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the log-probabilities of actions, the entropies, and the values, with gradients.

        With sparse rows, `forward` has gradients for the values only.

        Parameters
        ----------
        rows : Inputs or SparseRows
            N decisions.
        actions : Tensor
            int64[N].

        Returns
        -------
        tuple of Tensor
            float32[N], float32[N], float32[N, max_seats].
        """
        hidden = super().forward(rows)
        if isinstance(rows, Inputs):
            every = self._logs(hidden, rows)
            return every.gather(1, actions[:, None])[:, 0], -(every.exp() * every).sum(1), self.value(hidden)
        logs, entropies = ActionLogProbs.apply(
            hidden, self.actions.weight, self.actions.bias, self.gains(hidden), self._added(hidden, rows), rows,
            self.net.at_scores, actions,
        )  # fmt: skip
        return logs, entropies, self.value(hidden)

    def evaluate_legal(self, rows: SparseRows, legal: SparseRows) -> tuple[Tensor, Tensor]:
        """Return the log-probabilities of all legal actions, and the values, with gradients.

        `legal` has a row for each of `rows`, whose columns are the legal actions; its values are not used. The results
        are float32[actions of all rows] and float32[N, max_seats].
        """
        hidden = super().forward(rows)
        logs: Tensor = LegalLogProbs.apply(
            hidden, self.actions.weight, self.actions.bias, self.gains(hidden), self._added(hidden, rows), rows,
            self.net.at_scores, legal,
        )  # fmt: skip
        return logs, self.value(hidden)


def device_of(name: str) -> str:
    """Return the device that `cpu`, `cuda` or `auto` names. Raise UserError for a GPU that is not available."""
    if name == "cuda" and not torch.cuda.is_available():
        raise UserError("--device cuda: PyTorch finds no such GPU; give cpu")
    return ("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name


def sample(logs: Tensor, rng: np.random.Generator) -> Tensor:
    """Return int64[N], an action of each row drawn by its probability; `logs` are log-probabilities.

    Actions of probability 0 are never drawn. It is faster than `multinomial`. `softmax` is faster than `exp`, which is
    slow where the result is 0.
    """
    below = logs.softmax(1).cumsum(1)
    drawn = torch.from_numpy(rng.random((len(logs), 1), dtype=np.float32)).to(logs.device)
    return (below <= below[:, -1:] * (1 - 1e-6) * drawn).sum(1)


def load_policy(path: Path, game: str) -> tuple[Policy, dict[str, Any]]:
    """Return the network of a checkpoint, and the rest of its content.

    Parameters
    ----------
    path : Path
        The file, which is not trusted.
    game : str
        The game that it plays.

    Returns
    -------
    tuple
        Policy, dict. Raises UserError for an invalid file or another game.

    Examples
    --------
    >>> from pathlib import Path
    >>> from bloodrage_training.learn.policy import load_policy
    >>> policy, rest = load_policy(Path("run/checkpoint.pt"), "bloodrage")
    >>> rest["shape"]
    {'width': 8, 'layers': 1}
    """

    def made(kept: dict[str, Any], width: int, layers: int) -> Policy:
        weights = kept["policy"]
        ledger = bool(weights["first_weight"][parts.forward(game).of_ledger].any())
        policy = Policy(width, layers, game, ledger, "changes.bias" in weights)
        policy.load_state_dict(weights)
        return policy

    return load_network(path, game, "policy", made)


def is_finite(network: torch.nn.Module) -> bool:
    """Return whether all weights are finite."""
    return all(bool(weights.isfinite().all()) for weights in network.parameters())


def load_network(
    path: Path, game: str, key: str, made: Callable[[dict[str, Any], int, int], Network]
) -> tuple[Network, dict[str, Any]]:
    """The network that `made` returns for the content of a checkpoint, its width and its layers, and the content.

    The weights are under `key`; the first layer's name ends in "first_weight". UserError as for `load_policy`.
    """
    try:
        content = files.read_sealed(path, MAX_CHECKPOINT)
        files.check_archive(content, len(content))  # nothing in it is compressed
        return _unpacked(content, game, key, made)
    except OSError as error:
        raise UserError(f"can't read {path}: {error.strerror or error}") from error
    except UserError as error:
        raise UserError(f"{path} is not a checkpoint: {error}") from error


def _unpacked(
    content: bytes, game: str, key: str, made: Callable[[dict[str, Any], int, int], Network]
) -> tuple[Network, dict[str, Any]]:
    try:
        kept = torch.load(io.BytesIO(content), weights_only=True)
        plays = kept["game"]
        if plays != game:
            raise UserError(f"its network plays {plays!r:.40}, not {game}")
        width, layers = kept["shape"]["width"], kept["shape"]["layers"]
        if not (type(width) is type(layers) is int and 1 <= width <= MAX_WIDTH and 0 <= layers <= MAX_LAYERS):
            raise UserError(f"it has {layers!r:.40} layers of width {width!r:.40}")
        (first,) = (weights for name, weights in kept[key].items() if name.endswith("first_weight"))
        inputs, wanted = len(first), parts.forward(game).num_inputs
        if inputs != wanted:
            raise UserError(f"its network takes {inputs} numbers, and a decision has {wanted}")
        if not all(weights.is_floating_point() for weights in kept[key].values()):
            raise UserError("it has weights that are not floating-point numbers")
        network = made(kept, width, layers)
    except UserError:
        raise
    except Exception as error:  # a file from elsewhere may raise anything
        raise UserError(f"it holds something else ({type(error).__name__})") from error
    if not is_finite(network):
        raise UserError("it has weights that are not finite")
    return network, kept
