"""One policy out of several, each of which plays with its own numbers of players.

The best play for two seats is not that for four, and a network of twice the width can hold both: the parts are side by
side in it, and the one-hot `players` of the observation switches off all but one.
"""

from collections.abc import Mapping
from typing import Final

import torch

from bloodrage_env.errors import UserError
from bloodrage_env.games.bloodrage.engine import MAX_SEATS, MIN_SEATS
from bloodrage_env.games.bloodrage.observation import AT
from bloodrage_training.learn.policy import Policy

SILENCE: Final = 1000.0  # more than any unit of a first layer comes to, and a number that float16 has
NUMBERS: Final = tuple(range(MIN_SEATS, MAX_SEATS + 1))


def merge(parts: Mapping[tuple[int, ...], Policy]) -> Policy:
    """The policy that answers as `parts[numbers]` does in games of these numbers of players, to the last bit or so.

    Each part has one unit more than it had: 1 in its own games and 0 in others, it stands for the constant of all its
    biases after the first layer. UserError unless each of 2 to 5 players has one part, all with as many layers.
    """
    if sorted(number for numbers in parts for number in numbers) != list(NUMBERS):
        raise UserError(f"the parts are for {', '.join(map(str, parts))}; name each of {NUMBERS} players once")
    depths = {len(part.layers) for part in parts.values()}
    if len(depths) > 1:
        raise UserError(f"the parts have {' and '.join(map(str, sorted(depths)))} layers; it must be as many")
    merged = Policy(sum(part.width + 1 for part in parts.values()), depths.pop(), game="bloodrage")
    with torch.no_grad():
        for weights in merged.parameters():
            weights.zero_()
        constant = -1
        for numbers, policy in parts.items():
            units = slice(constant + 1, constant + 1 + policy.width)
            constant = units.stop
            merged.first_weight[:, units] = policy.first_weight
            merged.first_bias[units] = policy.first_bias
            for number in NUMBERS:
                row = merged.first_weight[AT.players + number - NUMBERS[0]]
                row[constant] = number in numbers
                row[units] -= SILENCE * (number not in numbers)
            for whole, own in zip(merged.linears, policy.linears, strict=True):
                whole.weight[units, units] = own.weight
                whole.weight[units, constant] = own.bias
            for whole, own in (
                (merged.actions, policy.actions), (merged.gains, policy.gains), (merged.value, policy.value)
            ):  # fmt: skip
                whole.weight[:, units] = own.weight
                whole.weight[:, constant] = own.bias
    return merged
