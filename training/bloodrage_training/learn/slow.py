"""A slow copy of the policy, to which the learner stays close.

In games of several players, policies that only improve against the present opponents can move in circles. A penalty for
the divergence from a policy that follows slowly damps them: magnetic mirror descent (Sokota and others, 2023), whose
magnet moves as in regularized Nash dynamics (Perolat and others, 2022).

The gradient of the divergence KL(policy || copy) at a decision is the expectation of (log policy - log copy) of an
action times the gradient of its log-probability. It is therefore subtracted from the advantage of the action that was
chosen, and learned with it.
"""

import copy
from concurrent.futures import Executor

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from .policy import Inputs, Policy

ROWS = 4096  # of a batch of the network


class SlowCopy:
    """A copy of the policy that moves towards it by `rate` of their difference after each update."""

    def __init__(self, policy: Policy, rate: float) -> None:
        self.policy, self._rate = copy.deepcopy(policy), rate

    def log_probabilities(
        self, inputs: Inputs, places: npt.NDArray[np.int64], actions: Tensor, pool: Executor
    ) -> Tensor:
        """Return float32[N], what the copy gives `actions` (int64[N]) in the rows `places` of `inputs`."""

        def of(rows: npt.NDArray[np.int64]) -> Tensor:
            with torch.no_grad():
                known = self.policy.rows(inputs, places[rows])
                return self.policy.evaluate_actions(known, actions[torch.from_numpy(rows)])[0]

        parts = np.array_split(np.arange(len(places)), max(1, len(places) // ROWS))
        return torch.cat(list(pool.map(of, parts)))

    def follow(self, policy: Policy) -> None:
        """Move towards a policy."""
        with torch.no_grad():
            for own, weights in zip(self.policy.parameters(), policy.parameters(), strict=True):
                own.lerp_(weights, self._rate)
