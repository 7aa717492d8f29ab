"""Compiled functions of sparse rows as functions of PyTorch, with gradients (`policy.py`)."""

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from .compiled.action_log_probs import action_log_probs, add_gradients, add_legal_gradients, legal_log_probs
from .compiled.sparse import add_outer


class Product(torch.autograd.Function):
    """Sparse rows times weights. PyTorch's gradient of `embedding_bag` takes about three times as long."""

    @staticmethod
    def forward(ctx: Any, weights: Tensor, rows: Any) -> Tensor:
        """Return the results."""
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
        """Return the gradients."""
        result = torch.zeros(ctx.shape)
        rows = ctx.rows
        add_outer(rows.offsets, rows.index, rows.values, gradients[0].contiguous().numpy(), result.numpy())
        return result, None


class ActionLogProbs(torch.autograd.Function):
    """`compiled/action_log_probs.py` as a function of PyTorch."""

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weights: Tensor, biases: Tensor, gains: Tensor, added: Tensor, rows: Any,
        at_scores: int, actions: Tensor,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        """Return the results."""
        logs = torch.empty(len(rows), len(weights))
        chosen, entropies = torch.empty(len(rows)), torch.empty(len(rows))
        action_log_probs(
            hidden.numpy(), weights.numpy(), biases.numpy(), gains.numpy(), added.numpy(), rows.offsets, rows.index,
            rows.values, at_scores, actions.numpy(), logs.numpy(), chosen.numpy(), entropies.numpy(),
        )  # fmt: skip
        ctx.rows, ctx.at_scores, ctx.added = rows, at_scores, len(added)
        ctx.save_for_backward(hidden, weights, gains, actions, logs, entropies)
        return chosen, entropies

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, None, None, None]:
        """Return the gradients."""
        rows = ctx.rows
        hidden, weights, gains, actions, logs, entropies = (each.numpy() for each in ctx.saved_tensors)
        by_chosen, by_entropy = (each.contiguous().numpy() for each in gradients)
        by_hidden, by_weights, by_gains = np.zeros_like(hidden), np.zeros_like(weights), np.zeros_like(gains)
        by_biases, by_added = np.zeros(len(weights), np.float32), np.zeros(ctx.added, np.float32)
        add_gradients(
            hidden, weights, gains, rows.offsets, rows.index, rows.values, ctx.at_scores, actions, logs, entropies,
            by_chosen, by_entropy, by_hidden, by_weights, by_biases, by_gains, by_added,
        )  # fmt: skip
        found = (torch.from_numpy(each) for each in (by_hidden, by_weights, by_biases, by_gains, by_added))
        return (*found, None, None, None)


class LegalLogProbs(torch.autograd.Function):
    """The log-probabilities of all legal actions, float32[actions of all rows], as a function of PyTorch."""

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weights: Tensor, biases: Tensor, gains: Tensor, added: Tensor, rows: Any,
        at_scores: int, legal: Any,
    ) -> Tensor:  # fmt: skip
        """Return the results."""
        logs = torch.empty(len(legal.index))
        legal_log_probs(
            hidden.numpy(), weights.numpy(), biases.numpy(), gains.numpy(), added.numpy(), rows.offsets, rows.index,
            rows.values, at_scores, legal.offsets, legal.index, logs.numpy(),
        )  # fmt: skip
        ctx.rows, ctx.at_scores, ctx.legal, ctx.added = rows, at_scores, legal, len(added)
        ctx.save_for_backward(hidden, weights, gains, logs)
        return logs

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, None, None, None]:
        """Return the gradients."""
        rows, legal = ctx.rows, ctx.legal
        hidden, weights, gains, logs = (each.numpy() for each in ctx.saved_tensors)
        by_hidden, by_weights, by_gains = np.zeros_like(hidden), np.zeros_like(weights), np.zeros_like(gains)
        by_biases, by_added = np.zeros(len(weights), np.float32), np.zeros(ctx.added, np.float32)
        add_legal_gradients(
            hidden, weights, gains, rows.offsets, rows.index, rows.values, ctx.at_scores, legal.offsets, legal.index,
            logs, gradients[0].contiguous().numpy(), by_hidden, by_weights, by_biases, by_gains, by_added,
        )  # fmt: skip
        found = (torch.from_numpy(each) for each in (by_hidden, by_weights, by_biases, by_gains, by_added))
        return (*found, None, None, None)
