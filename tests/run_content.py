"""What the tests of the learners look at in the folder of a run."""

import csv
from pathlib import Path

import torch

from bloodrage_training.learn.policy import Policy


def rows(path: Path, *times: str) -> list[dict[str, str]]:
    """A log without its times."""
    with path.open(newline="") as file:
        return [{name: value for name, value in row.items() if name not in times} for row in csv.DictReader(file)]


def same(one: object, other: object) -> bool:
    """Whether two contents of checkpoints are equal to the last bit."""
    if isinstance(one, torch.Tensor):
        return isinstance(other, torch.Tensor) and torch.equal(one, other)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def rounded(policy: Policy) -> Policy:
    """The policy with its weights as files store them."""
    result = Policy(policy.width, len(policy.layers), policy.game)
    result.load_state_dict({name: value.half().float() for name, value in policy.state_dict().items()})
    return result
