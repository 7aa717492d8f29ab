"""A gradient step on a minibatch whose parts are computed by several threads."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

Whole = npt.NDArray[np.int64]
Figures = dict[str, Tensor]  # for the log


def step(
    optimizer: torch.optim.Optimizer, weights: Sequence[nn.Parameter], bound: float, pool: ThreadPoolExecutor,
    threads: int, picked: Whole, loss_of: Callable[[Whole], tuple[Tensor, Figures]],
) -> dict[str, Tensor]:  # fmt: skip
    """Take a step against the gradient of the loss of the rows `picked`. Return the sums of the figures of all parts.

    `loss_of` returns the loss of a part of the rows, and its figures. The loss of all rows is the sum over the parts,
    one for each thread. `bound` limits the norm of the gradient.
    """

    def gradients(part: Whole) -> tuple[tuple[Tensor, ...], Figures]:
        loss, figures = loss_of(part)
        return torch.autograd.grad(loss, weights), {name: value.detach() for name, value in figures.items()}

    parts = [part for part in np.array_split(picked, threads) if len(part)]
    all_found = list(pool.map(gradients, parts))
    for weight, *found in zip(weights, *(found for found, _ in all_found), strict=True):
        weight.grad = sum(found[1:], start=found[0])  # always in this order: floats add up to the same
    nn.utils.clip_grad_norm_(weights, bound)
    optimizer.step()
    sums: dict[str, Tensor] = {}
    for _, figures in all_found:
        for name, value in figures.items():
            sums[name] = sums.get(name, torch.zeros(())) + value
    return sums
