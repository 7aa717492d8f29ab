"""Log-probabilities of actions for legal actions only: about ten of hundreds of logits are needed.

A product with all weights and a softmax over all logits would take a third of the time of learning. The legal actions
of a row, and their scores, are the end of its sparse inputs, from `at_scores` on (`bloodrage_agents/forward.py`).
`added` is empty, or has for each input, if it is a score, what else is added to the logit of the action.
"""

from math import exp, log

import numba
import numpy as np

from bloodrage_agents.scores import NUM_FORMS, forms
from bloodrage_env.core.compile.apart import apart
from bloodrage_env.core.compile.borrowed import borrowed
from bloodrage_env.core.compile.decorators import Floats, Floats2, Ints, entry, rule

from .sparse import check_batch

MOST_INPUTS = 2**31  # far more than any network's


@numba.njit(fastmath={"reassoc", "contract"})  # type: ignore[untyped-decorator]
def dot(left: Floats, right: Floats) -> np.float32:
    """Return a sum of products, added in any order. The strict order of an entry would prevent vectorization."""
    total = np.float32(0.0)
    for i in range(len(left)):
        total += left[i] * right[i]
    return total


@rule
def check_rows(
    hidden: Floats2, weights: Floats2, gains: Floats2, offsets: Ints, index: Ints, values: Floats, at_scores: int
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
    for column in index:
        if column < 0 or column >= at_scores + len(weights):
            raise ValueError("index must be below at_scores plus the number of rows of weights")


@rule
def check_added(added: Floats, index: Ints) -> None:
    """Raise ValueError unless there is a number for each input, or none."""
    if len(added) != 0 and len(added) != len(index):
        raise ValueError("added must be as many as index, or none")


@rule
def check_by_added(by_added: Floats, index: Ints) -> None:
    """Raise ValueError unless there is a gradient for each input, or none."""
    if len(by_added) != 0 and len(by_added) != len(index):
        raise ValueError("by_added must be as many as index, or none")


@rule
def check_answers(actions: Ints, entropies: Floats, logs: Floats2, rows: int, num_actions: int) -> None:
    """Raise ValueError for an array that does not have one answer per row."""
    if logs.shape != (rows, num_actions):
        raise ValueError("logs must have the shape (len(hidden), len(weights))")
    if len(actions) != rows:
        raise ValueError("actions must be as many as rows of hidden")
    if len(entropies) != rows:
        raise ValueError("entropies must be as many as rows of hidden")
    for action in actions:
        if action < 0 or action >= num_actions:
            raise ValueError("actions must be numbers of rows of weights")


@rule
def check_gradients(
    hidden: Floats2, weights: Floats2, gains: Floats2, by_hidden: Floats2, by_weights: Floats2, by_biases: Floats,
    by_gains: Floats2,
) -> None:  # fmt: skip
    """Raise ValueError for gradients of another shape than what they belong to."""
    if by_hidden.shape != hidden.shape:
        raise ValueError("by_hidden must have the shape of hidden")
    if by_weights.shape != weights.shape:
        raise ValueError("by_weights must have the shape of weights")
    if len(by_biases) != len(weights):
        raise ValueError("by_biases must be as many as rows of weights")
    if by_gains.shape != gains.shape:
        raise ValueError("by_gains must have the shape of gains")


@entry
def action_log_probs(
    hidden: Floats2, weights: Floats2, biases: Floats, gains: Floats2, added: Floats, offsets: Ints, index: Ints,
    values: Floats, at_scores: int, actions: Ints, logs: Floats2, chosen: Floats, entropies: Floats,
) -> None:  # fmt: skip
    """Fill `logs`, `chosen` and `entropies` for each row.

    `logs` are the log-probabilities of legal actions (other elements do not change), `chosen` that of the row's action,
    and `entropies` those of its probabilities.
    """
    if not apart((hidden, weights, biases, gains, added, offsets, index, values, actions, logs, chosen, entropies)):
        raise ValueError(
            "hidden, weights, biases, gains, added, offsets, "
            "index, values, actions, logs, chosen and entropies must not share memory"
        )
    check_rows(hidden, weights, gains, offsets, index, values, at_scores)
    check_added(added, index)
    check_answers(actions, entropies, logs, len(hidden), len(weights))
    if len(chosen) != len(hidden):
        raise ValueError("chosen must be as many as rows of hidden")
    if len(biases) != len(weights):
        raise ValueError("biases must be as many as rows of weights")
    shape = np.zeros(NUM_FORMS, dtype=np.float32)
    hidden, weights = borrowed(hidden), borrowed(weights)
    gains, logs = borrowed(gains), borrowed(logs)
    for i in range(len(hidden)):
        inputs, row = hidden[i], logs[i]
        top = -1e9
        first = offsets[i + 1]
        while first > offsets[i] and index[first - 1] >= at_scores:
            first -= 1
            action = index[first] - at_scores
            forms(values[first], shape)
            logit = biases[action] + dot(inputs, weights[action]) + dot(gains[i], shape)
            if len(added) > 0:
                logit += added[first]
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
    by_weights: Floats2, by_biases: Floats, by_gains: Floats2, by_added: Floats,
) -> None:  # fmt: skip
    """Add gradients to the last five arrays, given those of `chosen` and `entropies` of `action_log_probs`."""
    if not apart((offsets, index, actions, by_hidden, by_weights, by_biases, by_gains, by_added)):
        raise ValueError(
            "offsets, index, actions, by_hidden, by_weights, by_biases, by_gains and by_added must not share memory"
        )
    check_rows(hidden, weights, gains, offsets, index, values, at_scores)
    check_answers(actions, entropies, logs, len(hidden), len(weights))
    if len(by_chosen) != len(hidden):
        raise ValueError("by_chosen must be as many as rows of hidden")
    if len(by_entropy) != len(hidden):
        raise ValueError("by_entropy must be as many as rows of hidden")
    check_by_added(by_added, index)
    check_gradients(hidden, weights, gains, by_hidden, by_weights, by_biases, by_gains)
    shape = np.zeros(NUM_FORMS, dtype=np.float32)
    hidden, weights, logs = borrowed(hidden), borrowed(weights), borrowed(logs)
    by_hidden, by_weights = borrowed(by_hidden), borrowed(by_weights)
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
            if len(by_added) > 0:
                by_added[at] += gradient
            forms(values[at], shape)
            for form in range(NUM_FORMS):
                by_gains[i, form] += gradient * shape[form]
            for j in range(len(column)):
                into[j] += gradient * column[j]
                into_column[j] += gradient * inputs[j]


@entry
def draw_actions(
    offsets: Ints,
    index: Ints,
    at_scores: int,
    logs: Floats2,
    drawn: Floats,
    actions: Ints,
    chosen: Floats,
    tops: Floats,
) -> None:
    """Fill `actions` with a legal action of each row, `chosen` with its log-probability, `tops` with the greatest one.

    `logs` are those of `action_log_probs`, `drawn` numbers from 0 to 1 that decide.
    """
    if not apart((offsets, index, logs, drawn, actions, chosen, tops)):
        raise ValueError("offsets, index, logs, drawn, actions, chosen and tops must not share memory")
    check_legal_columns(offsets, index, at_scores, logs)
    if len(drawn) != len(logs):
        raise ValueError("drawn must be as many as rows of logs")
    if len(actions) != len(logs):
        raise ValueError("actions must be as many as rows of logs")
    if len(chosen) != len(logs):
        raise ValueError("chosen must be as many as rows of logs")
    if len(tops) != len(logs):
        raise ValueError("tops must be as many as rows of logs")
    logs = borrowed(logs)
    for i in range(len(logs)):
        row, first, last = logs[i], offsets[i + 1], offsets[i + 1]
        total, top = 0.0, -np.inf
        while first > offsets[i] and index[first - 1] >= at_scores:
            first -= 1
            number = row[index[first] - at_scores]
            total += exp(number)
            top = max(top, number)
        bound, below, action = total * drawn[i], 0.0, -1
        for k in range(first, last):
            likely = exp(row[index[k] - at_scores])
            if likely > 0.0 and below <= bound:
                action = index[k] - at_scores
            below += likely
        actions[i], tops[i] = action, np.float32(top)
        chosen[i] = row[action] if action >= 0 else np.float32(0.0)


@rule
def check_legal_columns(offsets: Ints, index: Ints, at_scores: int, logs: Floats2) -> None:
    """Raise ValueError unless the last columns of sparse rows, from `at_scores` on, are actions."""
    if at_scores < 0 or at_scores > MOST_INPUTS:
        raise ValueError("at_scores must be the number of an input")
    if len(offsets) != len(logs) + 1:
        raise ValueError("offsets must be one more than rows of logs")
    if offsets[0] < 0 or offsets[len(logs)] > len(index):
        raise ValueError("offsets must begin at 0 or later and end within index")
    for i in range(len(logs)):
        if offsets[i] > offsets[i + 1]:
            raise ValueError("offsets must not fall")
    for column in index:
        if column < 0 or column >= at_scores + logs.shape[1]:
            raise ValueError("index must be below at_scores plus the number of actions")


@rule
def check_legal(legal_offsets: Ints, actions: Ints, logs: Floats, rows: int, num_actions: int) -> None:
    """Raise ValueError unless `legal_offsets` divide `actions` and `logs` into a part for each row."""
    if len(logs) != len(actions):
        raise ValueError("logs must be as many as actions")
    if len(legal_offsets) != rows + 1:
        raise ValueError("legal_offsets must be one more than rows of hidden")
    if legal_offsets[0] != 0 or legal_offsets[rows] != len(actions):
        raise ValueError("legal_offsets must begin at 0 and end at the number of actions")
    for i in range(rows):
        if legal_offsets[i] > legal_offsets[i + 1]:
            raise ValueError("legal_offsets must not fall")
    for action in actions:
        if action < 0 or action >= num_actions:
            raise ValueError("actions must be numbers of rows of weights")


@rule
def scores_of(offsets: Ints, index: Ints, values: Floats, at_scores: int, i: int, scores: Floats, places: Ints) -> None:
    """Fill `scores` and their `places` in `values`, by action, for the legal actions of a row. Other scores are 0."""
    scores[:] = 0.0
    at = offsets[i + 1]
    while at > offsets[i] and index[at - 1] >= at_scores:
        at -= 1
        scores[index[at] - at_scores] = values[at]
        places[index[at] - at_scores] = at


@entry
def legal_log_probs(
    hidden: Floats2, weights: Floats2, biases: Floats, gains: Floats2, added: Floats, offsets: Ints, index: Ints,
    values: Floats, at_scores: int, legal_offsets: Ints, actions: Ints, logs: Floats,
) -> None:  # fmt: skip
    """Fill `logs` with the log-probabilities of `actions`.

    Row i has the actions of the slice `legal_offsets[i] : legal_offsets[i + 1]`, which must be its legal actions.
    """
    if not apart((hidden, weights, biases, gains, added, offsets, index, values, legal_offsets, actions, logs)):
        raise ValueError(
            "hidden, weights, biases, gains, added, offsets, index, values, "
            "legal_offsets, actions and logs must not share memory"
        )
    check_rows(hidden, weights, gains, offsets, index, values, at_scores)
    check_added(added, index)
    check_legal(legal_offsets, actions, logs, len(hidden), len(weights))
    if len(biases) != len(weights):
        raise ValueError("biases must be as many as rows of weights")
    shape, scores = np.zeros(NUM_FORMS, dtype=np.float32), np.zeros(len(weights), dtype=np.float32)
    places = np.zeros(len(weights), dtype=np.int64)
    hidden, weights, gains = borrowed(hidden), borrowed(weights), borrowed(gains)
    for i in range(len(hidden)):
        scores_of(offsets, index, values, at_scores, i, scores, places)
        inputs, first, last = hidden[i], legal_offsets[i], legal_offsets[i + 1]
        top = -1e9
        for k in range(first, last):
            forms(scores[actions[k]], shape)
            logs[k] = biases[actions[k]] + dot(inputs, weights[actions[k]]) + dot(gains[i], shape)
            if len(added) > 0:
                logs[k] += added[places[actions[k]]]
            top = max(top, logs[k])
        total = 0.0
        for k in range(first, last):
            total += exp(logs[k] - top)
        for k in range(first, last):
            logs[k] -= np.float32(top + log(total))


@entry
def add_legal_gradients(
    hidden: Floats2, weights: Floats2, gains: Floats2, offsets: Ints, index: Ints, values: Floats, at_scores: int,
    legal_offsets: Ints, actions: Ints, logs: Floats, by_logs: Floats, by_hidden: Floats2, by_weights: Floats2,
    by_biases: Floats, by_gains: Floats2, by_added: Floats,
) -> None:  # fmt: skip
    """Add gradients to the last five arrays, given those of `logs` of `legal_log_probs`."""
    if not apart((offsets, index, legal_offsets, actions, by_hidden, by_weights, by_biases, by_gains, by_added)):
        raise ValueError(
            "offsets, index, legal_offsets, actions, "
            "by_hidden, by_weights, by_biases, by_gains and by_added must not share memory"
        )
    check_rows(hidden, weights, gains, offsets, index, values, at_scores)
    check_legal(legal_offsets, actions, logs, len(hidden), len(weights))
    if len(by_logs) != len(logs):
        raise ValueError("by_logs must be as many as logs")
    check_by_added(by_added, index)
    check_gradients(hidden, weights, gains, by_hidden, by_weights, by_biases, by_gains)
    shape, scores = np.zeros(NUM_FORMS, dtype=np.float32), np.zeros(len(weights), dtype=np.float32)
    places = np.zeros(len(weights), dtype=np.int64)
    hidden, weights = borrowed(hidden), borrowed(weights)
    by_hidden, by_weights = borrowed(by_hidden), borrowed(by_weights)
    for i in range(len(hidden)):
        scores_of(offsets, index, values, at_scores, i, scores, places)
        inputs, into, first, last = hidden[i], by_hidden[i], legal_offsets[i], legal_offsets[i + 1]
        total = 0.0
        for k in range(first, last):
            total += by_logs[k]
        for k in range(first, last):
            action = actions[k]
            gradient = np.float32(by_logs[k] - exp(logs[k]) * total)
            by_biases[action] += gradient
            if len(by_added) > 0:
                by_added[places[action]] += gradient
            forms(scores[action], shape)
            for form in range(NUM_FORMS):
                by_gains[i, form] += gradient * shape[form]
            column, into_column = weights[action], by_weights[action]
            for j in range(len(column)):
                into[j] += gradient * column[j]
                into_column[j] += gradient * inputs[j]
