"""The weight average of several policies with a common start.

The gradient of one batch is mostly noise, and the noise of runs with different seeds is independent: it cancels in the
mean, and the common part stays (model soups; Wortsman and others, 2022). The weights of policies without a common start
do not correspond to each other, and their mean plays badly.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch

from bloodrage_env.errors import UserError

from .export import export_or_complain, policy_of
from .policy import Policy


def average(policies: Sequence[Policy]) -> Policy:
    """The mean. UserError if they are not of one width and as many layers."""
    shapes = {(policy.width, len(policy.layers)) for policy in policies}
    if len(shapes) > 1:
        raise UserError(f"the policies have (width, layers) of {', '.join(map(str, sorted(shapes)))}; it must be one")
    mean = Policy(*shapes.pop())
    with torch.no_grad():
        for weights, *theirs in zip(mean.parameters(), *(policy.parameters() for policy in policies), strict=True):
            weights.copy_(torch.stack(theirs).mean(0))
    return mean


def main() -> None:
    """`python -m bloodrage_training.learn.average POLICY.npz CHECKPOINT.pt OTHER.pt`; .npz may be averaged too."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("policy", type=Path)
    parser.add_argument("parts", type=Path, nargs="+", metavar="FILE")
    given = parser.parse_args()
    export_or_complain(parser, lambda: average([policy_of(file) for file in given.parts]), given.policy)


if __name__ == "__main__":
    main()
