"""The head of the network for legal actions only: of 261 logits about ten are wanted.

A product with all weights and a softmax over all logits would be a third of the time of learning.
"""

from math import exp, log

import numba
import numpy as np

from bloodrage_env.core.compiled import Floats, Floats2, Ints, Mask2, entry, rule


@numba.njit(fastmath={"reassoc", "contract"})  # type: ignore[untyped-decorator]
def dot(left: Floats, right: Floats) -> np.float32:
    """Sum of products, added up in any order: several at once, which an entry's strict order would forbid."""
    total = np.float32(0.0)
    for i in range(len(left)):
        total += left[i] * right[i]
    return total


@rule
def check_scores(hidden: Floats2, weights: Floats2, masks: Mask2, actions: Ints, logs: Floats2) -> None:
    """A row for each decision, and one of weights for each action; ValueError names an array of another shape."""
    if weights.shape[1] != hidden.shape[1]:
        raise ValueError("weights must be as wide as hidden")
    if masks.shape != (len(hidden), len(weights)):
        raise ValueError("masks must have the shape (len(hidden), len(weights))")
    if logs.shape != (len(hidden), len(weights)):
        raise ValueError("logs must have the shape (len(hidden), len(weights))")
    if len(actions) != len(hidden):
        raise ValueError("actions must be as many as rows of hidden")
    for action in actions:
        if action < 0 or action >= len(weights):
            raise ValueError("actions must be numbers of rows of weights")


@entry
def judge(
    hidden: Floats2, weights: Floats2, biases: Floats, masks: Mask2, actions: Ints, logs: Floats2, chosen: Floats,
    entropies: Floats,
) -> None:  # fmt: skip
    """Of each row fill the logarithm of each legal action's chance (`logs`, other places are left as they are), that of
    its action (`chosen`), and the entropy of its chances.
    """
    check_scores(hidden, weights, masks, actions, logs)
    if len(biases) != len(weights):
        raise ValueError("biases must be as many as rows of weights")
    if len(chosen) != len(hidden):
        raise ValueError("chosen must be as many as rows of hidden")
    if len(entropies) != len(hidden):
        raise ValueError("entropies must be as many as rows of hidden")
    for i in range(len(hidden)):
        inputs, mask, row = hidden[i], masks[i], logs[i]
        top = -1e9
        for action in range(len(mask)):
            if mask[action] != 0:
                logit = biases[action] + dot(inputs, weights[action])
                row[action] = logit
                top = max(top, logit)
        total = 0.0
        for action in range(len(mask)):
            if mask[action] != 0:
                total += exp(row[action] - top)
        shift = top + log(total)
        entropy = 0.0
        for action in range(len(mask)):
            if mask[action] != 0:
                row[action] -= np.float32(shift)
                entropy -= exp(row[action]) * row[action]
        chosen[i] = row[actions[i]]
        entropies[i] = entropy


@entry
def add_gradients(
    hidden: Floats2, weights: Floats2, masks: Mask2, actions: Ints, logs: Floats2, entropies: Floats,
    by_chosen: Floats, by_entropy: Floats, by_hidden: Floats2, by_weights: Floats2, by_biases: Floats,
) -> None:  # fmt: skip
    """Add to the last three their gradients, given those by the `chosen` and `entropies` of `judge`."""
    check_scores(hidden, weights, masks, actions, logs)
    if len(entropies) != len(hidden):
        raise ValueError("entropies must be as many as rows of hidden")
    if len(by_chosen) != len(hidden):
        raise ValueError("by_chosen must be as many as rows of hidden")
    if len(by_entropy) != len(hidden):
        raise ValueError("by_entropy must be as many as rows of hidden")
    if by_hidden.shape != hidden.shape:
        raise ValueError("by_hidden must have the shape of hidden")
    if by_weights.shape != weights.shape:
        raise ValueError("by_weights must have the shape of weights")
    if len(by_biases) != len(weights):
        raise ValueError("by_biases must be as many as rows of weights")
    for i in range(len(hidden)):
        inputs, mask, row, into = hidden[i], masks[i], logs[i], by_hidden[i]
        for action in range(len(mask)):
            if mask[action] != 0:
                chance = exp(row[action])
                slope = -by_chosen[i] * chance - by_entropy[i] * chance * (row[action] + entropies[i])
                if action == actions[i]:
                    slope += by_chosen[i]
                gradient = np.float32(slope)
                column, into_column = weights[action], by_weights[action]
                by_biases[action] += gradient
                for j in range(len(column)):
                    into[j] += gradient * column[j]
                    into_column[j] += gradient * inputs[j]
