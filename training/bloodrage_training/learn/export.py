"""Converts a checkpoint to one `.npz`, which `agents/bloodrage_agents/network.py` plays without PyTorch, and back."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from bloodrage_agents.network import FORMAT, Network, layout
from bloodrage_env import files, games
from bloodrage_env.arguments import add_game
from bloodrage_env.errors import UserError

from .policy import Policy, load_policy


def export(policy: Policy, path: Path) -> None:
    """Write the weights of a policy to a file, which the agent `network` and `Network.load` read.

    Parameters
    ----------
    policy : Policy
        The policy.
    path : Path
        The file. Raises OSError if it cannot be written, UserError for a policy that is too large.

    Examples
    --------
    >>> from pathlib import Path
    >>> from bloodrage_training.learn.export import export
    >>> from bloodrage_training.learn.policy import Policy
    >>> export(Policy(width=8, layers=1, game="bloodrage"), Path("policy.npz"))
    >>> from bloodrage_agents.network import Network
    >>> Network.load("policy.npz").width
    8
    """
    files.write(path, packed(policy))


def packed(policy: Policy) -> bytes:
    """Return the content of the file of a policy, with its weights as float16. The file has a checksum.

    float16 has half the size and the same strength. `Network.load` reads the weights as float32. Its outputs differ
    from the policy with rounded weights by less than 1e-5. Raise UserError for a policy or weights that `Network.load`
    would reject as too large.
    """
    with np.errstate(over="ignore"):  # what becomes infinite is refused below
        stored = {name: array.astype(np.float16) for name, array in _arrays(policy).items()}
    content = sealed_archive(stored, policy.game)
    try:
        Network.from_bytes(content, policy.game)
    except UserError as error:
        raise UserError(f"the policy can't be exported: {error}") from error
    return content


def sealed_archive(stored: Mapping[str, npt.NDArray[Any]], game: str) -> bytes:
    """Return the content of a file with these arrays, for the inputs and actions of a game, and a checksum."""
    return files.sealed(files.archive({"format": np.array(FORMAT), **layout(game, "change_bias" in stored), **stored}))


def read(path: Path, game: str) -> Policy:
    """Return the policy of a file that `export` wrote, for further training. Raise UserError as
    `Network.load` does.
    """
    return learning(Network.load(path, game))


def learning(network: Network) -> Policy:
    """Return the policy with the weights of a network, for further training."""
    arrays = {name: torch.from_numpy(array) for name, array in network.arrays.items()}
    shape, reads = (len(arrays["first_bias"]), len(arrays["layer_weights"])), (bool(network.ledger), network.changes)
    policy = Policy(*shape, network.game, *reads)
    with torch.no_grad():
        policy.first_weight.copy_(arrays["first_weight"])
        policy.first_bias.copy_(arrays["first_bias"])
        for layer, weight, bias in zip(policy.linears, arrays["layer_weights"], arrays["layer_biases"], strict=True):
            layer.weight.copy_(weight.T)
            layer.bias.copy_(bias)
        policy.actions.weight.copy_(arrays["action_weight"].T)
        policy.actions.bias.copy_(arrays["action_bias"])
        policy.gains.weight.copy_(arrays["gain_weight"].T)
        policy.gains.bias.copy_(arrays["gain_bias"])
        policy.value.weight.copy_(arrays["value_weight"].T)
        policy.value.bias.copy_(arrays["value_bias"])
        if policy.changes is not None:
            policy.changes.weight.copy_(arrays["change_weight"].T)
            policy.changes.bias.copy_(arrays["change_bias"])
    return policy


def policy_of(path: Path, game: str) -> Policy:
    """Return the policy of a checkpoint, or of an exported file (.npz). Raise UserError for other files or games."""
    return read(path, game) if path.suffix == ".npz" else load_policy(path, game)[0]


def _arrays(policy: Policy) -> dict[str, npt.NDArray[np.float32]]:
    """Return the arrays by the names of `bloodrage_agents.network.shapes`; matrices with the inputs in rows."""
    width = policy.width
    # An empty first part, so that there may be no layers.
    weights = [torch.zeros(0, width, width), *(layer.weight.T[None] for layer in policy.linears)]
    biases = [torch.zeros(0, width), *(layer.bias[None] for layer in policy.linears)]
    tensors = {
        "first_weight": policy.first_weight,
        "first_bias": policy.first_bias,
        "layer_weights": torch.cat(weights),
        "layer_biases": torch.cat(biases),
        "action_weight": policy.actions.weight.T,
        "action_bias": policy.actions.bias,
        "gain_weight": policy.gains.weight.T,
        "gain_bias": policy.gains.bias,
        "value_weight": policy.value.weight.T,
        "value_bias": policy.value.bias,
    }
    if policy.changes is not None:
        tensors |= {"change_weight": policy.changes.weight.T, "change_bias": policy.changes.bias}
    return {name: tensor.detach().numpy() for name, tensor in tensors.items()}


def export_or_complain(parser: argparse.ArgumentParser, made: Callable[[], Policy], path: Path) -> None:
    """Write the policy that `made` returns and print the path. A fault ends the command with one line."""
    try:
        export(made(), path)
    except (UserError, OSError) as error:
        parser.error(str(error))
    print(f"wrote {path}, {path.stat().st_size / 2**20:.1f} MiB")


def main() -> None:
    """`python -m bloodrage_training.learn.export CHECKPOINT.pt POLICY.npz`, with `--game`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    add_game(parser, games.FIRST)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("policy", type=Path)
    given = parser.parse_args()
    export_or_complain(parser, lambda: load_policy(given.checkpoint, given.game)[0], given.policy)


if __name__ == "__main__":
    main()
