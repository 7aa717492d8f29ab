"""Log-probabilities of actions for legal actions only: about ten of hundreds of logits are needed.

A product with all weights and a softmax over all logits would take a third of the time of learning. The legal actions
of a row, and their scores, are the end of its sparse inputs, from `at_scores` on (`bloodrage_agents/forward.py`).
"""

from math import exp, log

import numba
import numpy as np

from bloodrage_agents.scores import NUM_FORMS, forms
from bloodrage_env.core.apart import apart
from bloodrage_env.core.compiled import Floats, Floats2, Ints, entry, rule

from .sparse import check_batch

MOST_INPUTS = 2**31  # far more than any network's


@numba.njit(fastmath={"reassoc", "contract"})  # type: ignore[untyped-decorator]
def dot(left: Floats, right: Floats) -> np.float32:
    """Returns a sum of products, added in any order. The strict order of an entry would prevent vectorization."""
    total = np.float32(0.0)
    for i in range(len(left)):
        total += left[i] * right[i]
    return total


@rule
def check_rows(
    hidden: Floats2, weights: Floats2, gains: Floats2, offsets: Ints, index: Ints, values: Floats, at_scores: int,
    logs: Floats2,
) -> None:  # fmt: skip
    """Raise ValueError for an array whose shape does not fit: one row per decision, one row of weights per action."""
    check_batch(offsets, index, values)
    if len(hidden) != len(offsets) - 1:
        raise ValueError("hidden must have a row for each of offsets but the last")
    if weights.shape[1] != hidden.shape[1]:
        raise ValueError("weights must have a row for each action, as wide as hidden")
    if at_scores < 0 or at_scores > MOST_INPUTS:
        raise ValueError("at_scores must be the number of an input")
    if gains.shape != (len(hidden), NUM_FORMS):
        raise ValueError("gains must have the shape (len(hidden), NUM_FORMS)")
    if logs.shape != (len(hidden), len(weights)):
        raise ValueError("logs must have the shape (len(hidden), len(weights))")
    for column in index:
        if column < 0 or column >= at_scores + len(weights):
            raise ValueError("index must be numbers of inputs")


@rule
def check_answers(actions: Ints, entropies: Floats, rows: int, num_actions: int) -> None:
    """Raise ValueError for an array that does not have one answer per row."""
    if len(actions) != rows:
        raise ValueError("actions must be as many as rows of hidden")
    if len(entropies) != rows:
        raise ValueError("entropies must be as many as rows of hidden")
    for action in actions:
        if action < 0 or action >= num_actions:
            raise ValueError("actions must be numbers of rows of weights")


@entry
def action_log_probs(
    hidden: Floats2, weights: Floats2, biases: Floats, gains: Floats2, offsets: Ints, index: Ints, values: Floats,
    at_scores: int, actions: Ints, logs: Floats2, chosen: Floats, entropies: Floats,
) -> None:  # fmt: skip
    """Fill `logs`, `chosen` and `entropies` for each row.

    `logs` are the log-probabilities of legal actions (other elements do not change), `chosen` that of the row's action,
    and `entropies` those of its probabilities.
    """
    if not apart((hidden, weights, biases, gains, offsets, index, values, actions, logs, chosen, entropies)):
        raise ValueError(
            "hidden, weights, biases, gains, offsets, "
            "index, values, actions, logs, chosen and entropies must not share memory"
        )
    check_rows(hidden, weights, gains, offsets, index, values, at_scores, logs)
    check_answers(actions, entropies, len(hidden), len(weights))
    if len(chosen) != len(hidden):
        raise ValueError("chosen must be as many as rows of hidden")
    if len(biases) != len(weights):
        raise ValueError("biases must be as many as rows of weights")
    shape = np.zeros(NUM_FORMS, dtype=np.float32)
    for i in range(len(hidden)):
        inputs, row = hidden[i], logs[i]
        top = -1e9
        first = offsets[i + 1]
        while first > offsets[i] and index[first - 1] >= at_scores:
            first -= 1
            action = index[first] - at_scores
            forms(values[first], shape)
            logit = biases[action] + dot(inputs, weights[action]) + dot(gains[i], shape)
            row[action] = logit
            top = max(top, logit)
        total = 0.0
        for k in range(first, offsets[i + 1]):
            total += exp(row[index[k] - at_scores] - top)
        shift = top + log(total) if first < offsets[i + 1] else 0.0
        entropy = 0.0
        for k in range(first, offsets[i + 1]):
            action = index[k] - at_scores
            row[action] -= np.float32(shift)
            entropy -= exp(row[action]) * row[action]
        chosen[i] = row[actions[i]]
        entropies[i] = entropy


@entry
def add_gradients(
    hidden: Floats2, weights: Floats2, gains: Floats2, offsets: Ints, index: Ints, values: Floats, at_scores: int,
    actions: Ints, logs: Floats2, entropies: Floats, by_chosen: Floats, by_entropy: Floats, by_hidden: Floats2,
    by_weights: Floats2, by_biases: Floats, by_gains: Floats2,
) -> None:  # fmt: skip
    """Add gradients to the last four arrays, given those of `chosen` and `entropies` of `action_log_probs`."""
    if not apart((offsets, index, actions, by_hidden, by_weights, by_biases, by_gains)):
        raise ValueError("offsets, index, actions, by_hidden, by_weights, by_biases and by_gains must not share memory")
    check_rows(hidden, weights, gains, offsets, index, values, at_scores, logs)
    check_answers(actions, entropies, len(hidden), len(weights))
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
    if by_gains.shape != gains.shape:
        raise ValueError("by_gains must have the shape of gains")
    shape = np.zeros(NUM_FORMS, dtype=np.float32)
    for i in range(len(hidden)):
        inputs, row, into = hidden[i], logs[i], by_hidden[i]
        at = offsets[i + 1]
        while at > offsets[i] and index[at - 1] >= at_scores:
            at -= 1
            action = index[at] - at_scores
            chance = exp(row[action])
            slope = -by_chosen[i] * chance - by_entropy[i] * chance * (row[action] + entropies[i])
            if action == actions[i]:
                slope += by_chosen[i]
            gradient = np.float32(slope)
            column, into_column = weights[action], by_weights[action]
            by_biases[action] += gradient
            forms(values[at], shape)
            for form in range(NUM_FORMS):
                by_gains[i, form] += gradient * shape[form]
            for j in range(len(column)):
                into[j] += gradient * column[j]
                into_column[j] += gradient * inputs[j]
