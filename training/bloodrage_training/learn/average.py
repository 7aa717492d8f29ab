"""The average of several policies that started from the same weights, and of the moments of their optimizers.

The gradient of one batch is mostly noise, and the noise of runs with different seeds is independent: it cancels in the
mean, and the common part remains (model soups; Wortsman and others, 2022). The weights of policies without a common
start do not correspond to each other, and their mean plays badly.
"""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from bloodrage_env.errors import UserError

from .policy import Policy


def average(policies: Sequence[Policy]) -> Policy:
    """Return the mean. Raise UserError unless all policies have the same game, width and number of layers."""
    shapes = {(policy.width, len(policy.layers)) for policy in policies}
    if len(shapes) > 1:
        raise UserError(f"the policies have (width, layers) of {', '.join(map(str, sorted(shapes)))}; it must be one")
    reads = {policy.changes is not None for policy in policies}
    if len(reads) > 1:
        raise UserError("some of the policies read what actions change, and some do not")
    names = {policy.game for policy in policies}
    if len(names) > 1:
        raise UserError(f"the policies play {' and '.join(sorted(names))}; it must be one game")
    mean = Policy(*shapes.pop(), names.pop(), any(policy.net.ledger for policy in policies), reads.pop())
    with torch.no_grad():
        for weights, *theirs in zip(mean.parameters(), *(policy.parameters() for policy in policies), strict=True):
            weights.copy_(torch.stack(theirs).mean(0))
    return mean


def average_moments(all_moments: Sequence[Mapping[int, Mapping[str, Tensor]]]) -> dict[int, dict[str, Tensor]]:
    """Return the mean of Adam's moments, by weight and name, so that the optimizer can continue."""
    first = all_moments[0]
    return {
        number: {
            name: torch.stack([moments[number][name] for moments in all_moments]).mean(0) for name in first[number]
        }
        for number in first
    }
